import HTTPTypes
import UntrustedText

/// The token of `Authorization: Bearer token` (RFC 6750 §2.1).
enum BearerToken {
    /// Returns the token of a request; nil without a token or with another authentication scheme.
    static func read(_ headers: HTTPFields) -> String? {
        guard let value = headers[.authorization] else { return nil }
        let parts = value.bytes.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].bytes.matches("bearer") else { return nil }
        return String(parts[1])
    }

    /// Returns a sentence about an `Authorization` field that does not contain a token; nil for a token and without the
    /// field.
    ///
    /// It does not contain the received value, which may be a secret.
    static func mistake(in headers: HTTPFields) -> String? {
        guard headers[.authorization] != nil, read(headers) == nil else { return nil }
        return "The received Authorization field is not accepted: it must consist of Bearer, a space and the secret."
    }
}
