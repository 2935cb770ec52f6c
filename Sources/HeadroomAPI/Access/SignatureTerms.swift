import Framing
package import HTTPTypes

/// What a signature allows beyond the parameters: for how long, and which bodies.
package struct SignatureTerms: Hashable, Sendable {
    /// The last second at which the signature holds, counted from 1970; nil when it holds for ever.
    package let expires: Int?

    /// The most bytes of an upload's body; nil when only the service's own limit holds.
    package let maxBytes: Int?

    /// The SHA-256 of an upload's body; nil when any body may be sent.
    package let digest: [UInt8]?

    /// The last second of the year 9999.
    ///
    /// A larger number is most likely one of milliseconds, which would never expire.
    package static let latestExpiry = 253_402_300_799

    /// Reads the terms of a signature.
    ///
    /// - Throws: Everything that is wrong with them.
    package init(_ query: SignedQuery, method: HTTPRequest.Method) throws(ParameterErrors) {
        var errors: [ParameterError] = []
        func read<Value>(
            _ parameter: SignatureParameter,
            _ expected: String,
            _ parse: (String) -> Value?
        ) -> Value? {
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
        maxBytes = read(.maxBytes, isUpload ? "a whole number of bytes" : expectsUpload) { text in
            isUpload ? Int(plainDigits: text) : nil
        }
        digest = read(.digest, isUpload ? "a SHA-256 in 64 hexadecimal digits" : expectsUpload) { text in
            isUpload ? Hexadecimal.bytes(text).flatMap { $0.count == SHA256.byteCount ? $0 : nil } : nil
        }
        if !errors.isEmpty { throw ParameterErrors(all: errors) }
    }
}
