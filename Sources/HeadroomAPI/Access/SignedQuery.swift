import Encodings
import Fetching
import Geometry
import HTTPServer
package import HTTPTypes
package import Requests

/// A query, split into the request's parameters and those of its signature.
package struct SignedQuery: Sendable {
    /// The request's parameters: all but each ``SignatureParameter``.
    package let pairs: [(name: String, value: String)]

    /// The signed parameters: all but the signature.
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
                throw ParameterErrors(all: [.init(name: name, received: value, expected: "\(name) only once")])
            }
        }
        self.own = own
        self.pairs = pairs
        signedPairs = all.filter { $0.name != SignatureParameter.signature.rawValue }
    }

    /// Parses the query of a request.
    ///
    /// - Throws: A ``Problem`` with status 400.
    init(of request: ServerRequest) throws(Problem) {
        self = try Problem.checked(SignedQuery(request.query))
    }

    /// Whether a signature is present, valid or not.
    package var isSigned: Bool { self[.signature] != nil }

    /// The value of a parameter of the signature; nil when it is absent.
    subscript(parameter: SignatureParameter) -> String? { own[parameter] }
}

/// The parameters of a signature; the signature covers all of them but itself.
package enum SignatureParameter: String, CaseIterable, Sendable {
    /// The signature, 64 hexadecimal digits.
    case signature
    /// The expiry of the signature, in seconds since 1970.
    case expires
    /// Maximum length of the body of an upload, in bytes.
    case maxUpload
    /// The SHA-256 of the body of an upload, 64 hexadecimal digits.
    case digest
}

/// The limits of a signature: its expiry, and the permitted bodies.
package struct SignatureTerms: Hashable, Sendable {
    /// The expiry, in seconds since 1970, inclusive; nil for none.
    package let expires: Int?

    /// The largest body of an upload in bytes; nil for the service's own limit.
    package let maxUpload: Int?

    /// The SHA-256 of an upload's body; nil permits any body.
    package let digest: [UInt8]?

    /// The largest expiry, the last second of the year 9999.
    ///
    /// A larger number is probably in milliseconds.
    package static let latestExpiry = UnixTime.latest.seconds

    /// Terms that permit no upload.
    init(expires: Int?) {
        self.expires = expires
        maxUpload = nil
        digest = nil
    }

    /// Parses the terms of a signature.
    ///
    /// - Throws: All invalid terms.
    package init(_ query: SignedQuery, method: HTTPRequest.Method) throws(ParameterErrors) {
        var errors: [ParameterError] = []
        func read<Value>(_ parameter: SignatureParameter, _ expected: String, _ parse: (String) -> Value?) -> Value? {
            guard let text = query[parameter] else { return nil }
            if let value = parse(text) { return value }
            errors.append(ParameterError(name: parameter.rawValue, received: text, expected: expected))
            return nil
        }
        expires = read(.expires, "seconds since 1970, of the year 9999 at most; not milliseconds") { text in
            Int(plainDigits: text).flatMap { $0 <= Self.latestExpiry ? $0 : nil }
        }
        let isUpload = method == .post
        let expectsUpload = "no such parameter without POST"
        maxUpload = read(.maxUpload, isUpload ? "a whole number of bytes" : expectsUpload) { text in
            isUpload ? Int(plainDigits: text) : nil
        }
        digest = read(.digest, isUpload ? "a SHA-256 in 64 hexadecimal digits" : expectsUpload) { text in
            isUpload ? Hexadecimal.bytes(text).flatMap { $0.count == SHA256.byteCount ? $0 : nil } : nil
        }
        if !errors.isEmpty { throw ParameterErrors(all: errors) }
    }
}
