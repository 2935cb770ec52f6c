import HTTPTypes

/// The token of `Authorization: Bearer token` (RFC 6750 §2.1).
enum BearerToken {
    /// The token of a request; nil when it has none, or credentials of another scheme.
    static func read(_ headers: HTTPFields) -> String? {
        guard let value = headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
