import Cryptography
import Encodings
import Fetching
import HTTPServer
package import HTTPTypes
package import Requests

/// The limits of a signature: its expiry, and the permitted bodies.
package struct SignatureLimits: Hashable, Sendable {
    /// The expiry, in seconds since 1970, inclusive; nil if the signature does not expire.
    package let expires: Int?

    /// The maximum body of an upload, in bytes; nil for the service's own limit.
    package let maxUpload: Int?

    /// The SHA-256 of an upload's body; nil permits any body.
    package let digest: [UInt8]?

    /// The maximum expiry, the last second of the year 9999.
    ///
    /// A larger number is probably in milliseconds.
    package static let latestExpiry = UnixTime.latest.seconds

    /// Limits that do not permit uploads.
    init(expires: Int?) {
        self.expires = expires
        maxUpload = nil
        digest = nil
    }

    /// Parses the limits of a signature.
    ///
    /// - Throws: Errors for all invalid limits.
    package init(_ query: SignedQuery, method: HTTPRequest.Method) throws(ParameterErrors) {
        var errors: [ParameterError] = []
        func read<Value>(
            _ parameter: SignatureParameter,
            _ expected: String,
            forUploads: Bool = true,
            _ parse: (String) -> Value?
        ) -> Value? {
            guard let text = query[parameter] else { return nil }
            if forUploads, method != .post {
                errors.append(ParameterError(name: parameter.rawValue, received: text, breaks: "requires POST"))
                return nil
            }
            if let value = parse(text) { return value }
            errors.append(ParameterError(name: parameter.rawValue, received: text, expected: expected))
            return nil
        }
        let expiry = "seconds since 1970, up to the year 9999, not milliseconds"
        expires = read(.expires, expiry, forUploads: false) { text in
            Int(plainDigits: text).flatMap { $0 <= Self.latestExpiry ? $0 : nil }
        }
        maxUpload = read(.maxUpload, "a whole number of bytes") { Int(plainDigits: $0) }
        digest = read(.digest, "a SHA-256 in 64 hexadecimal digits") { text in
            Hexadecimal.bytes(text).flatMap { $0.count == SHA256.byteCount ? $0 : nil }
        }
        if !errors.isEmpty { throw ParameterErrors(all: errors) }
    }
}
