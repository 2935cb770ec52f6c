import HTTPServer

/// The parameters that a signature brings along; all but the signature itself are signed.
package enum SignatureParameter: String, CaseIterable, Sendable {
    /// The signature, 64 hexadecimal digits.
    case signature
    /// When the signature ends, in seconds since 1970.
    case expires
    /// The most bytes that the body of an upload may have.
    case maxBytes
    /// The SHA-256 of the body of an upload, 64 hexadecimal digits.
    case digest
}

/// A query in two parts: what is asked for, and what a signature says of it.
package struct SignedQuery: Sendable {
    /// What is asked for: everything that is no ``SignatureParameter``.
    package let pairs: [(name: String, value: String)]

    /// What is signed: everything but the signature.
    let signedPairs: [(name: String, value: String)]

    private let own: [SignatureParameter: String]

    /// Takes a query apart.
    ///
    /// - Throws: What is wrong with its encoding, or a parameter of the signature that comes twice.
    package init(_ query: String?) throws(ParameterErrors) {
        let all = try QueryString.pairs(query)
        var own: [SignatureParameter: String] = [:]
        var pairs: [(name: String, value: String)] = []
        for (name, value) in all {
            guard let parameter = SignatureParameter(rawValue: name) else {
                pairs.append((name, value))
                continue
            }
            guard own.updateValue(value, forKey: parameter) == nil else {
                throw ParameterErrors(all: [.init(name: name, received: value, expected: "\(name) only once")])
            }
        }
        self.own = own
        self.pairs = pairs
        signedPairs = all.filter { $0.name != SignatureParameter.signature.rawValue }
    }

    /// Takes the query of a request apart.
    ///
    /// - Throws: A ``Problem`` with status 400.
    init(of request: ServerRequest) throws(Problem) {
        do {
            try self.init(request.query)
        } catch {
            throw Problem(error)
        }
    }

    /// Whether there is a signature, be it right or wrong.
    package var isSigned: Bool { self[.signature] != nil }

    /// The value of a parameter of the signature; nil when it is absent.
    subscript(parameter: SignatureParameter) -> String? { own[parameter] }
}
