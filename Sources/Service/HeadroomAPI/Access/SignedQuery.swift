package import HTTPServer
package import Requests

/// A query, split into the parameters of the request and of its signature.
package struct SignedQuery: Sendable {
    /// The request's parameters: every parameter that is not a ``SignatureParameter``.
    package let pairs: [(name: String, value: String)]

    /// The signed parameters: every parameter except the signature.
    let signedPairs: [(name: String, value: String)]

    private let own: [SignatureParameter: String]

    /// Parses a query.
    ///
    /// - Throws: An error for an invalid encoding or a repeated parameter of the signature.
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
                let (rule, expected) = ("is allowed only once", "\(name) only once")
                throw ParameterErrors(all: [.init(name: name, received: value, breaks: rule, expected: expected)])
            }
        }
        self.own = own
        self.pairs = pairs
        signedPairs = all.filter { $0.name != SignatureParameter.signature.rawValue }
    }

    /// Parses the query of a request.
    ///
    /// - Throws: A ``Problem`` with status 400.
    package init(of request: ServerRequest) throws(Problem) {
        self = try Problem.checked(SignedQuery(request.query))
    }

    /// Whether a signature is present, valid or not.
    package var isSigned: Bool { self[.signature] != nil }

    /// Returns the maximum freshness of the response, in seconds; nil without the parameter.
    ///
    /// It applies to requests without a signature, too: it can only shorten the freshness of the settings.
    ///
    /// - Throws: An error if the value is not a number of seconds.
    package func maxAge() throws(ParameterErrors) -> Int? {
        guard let text = self[.maxAge] else { return nil }
        guard let seconds = Int(plainDigits: text), seconds <= Freshness.maxSeconds else {
            let expected = "a whole number of seconds from 0 to \(Freshness.maxSeconds)"
            let name = SignatureParameter.maxAge.rawValue
            throw ParameterErrors(all: [ParameterError(name: name, received: text, expected: expected)])
        }
        return seconds
    }

    /// The value of a parameter of the signature; nil when it is absent.
    subscript(parameter: SignatureParameter) -> String? { own[parameter] }
}
