import HTTPTypes

/// Security headers of every response, problems included.
enum ProtectiveHeaders {
    /// A response opened as a page runs and loads nothing; pictures, JSON and markup to paste need neither.
    static let contentSecurityPolicy = "default-src 'none'; sandbox"

    /// Adds the security headers that the response does not set itself.
    ///
    /// - Parameters:
    ///   - headers: The response's fields.
    ///   - isEmbeddable: Whether pages of other sites may embed the response, as they do with pictures. The route
    ///     decides, not the media type, so that a 304 has the same value as its 200.
    static func add(to headers: inout HTTPFields, isEmbeddable: Bool) {
        let values: [(HTTPField.Name, String)] = [
            (.contentSecurityPolicy, contentSecurityPolicy),
            (.crossOriginResourcePolicy, isEmbeddable ? "cross-origin" : "same-origin"),
            (.referrerPolicy, "no-referrer"),
            (.xContentTypeOptions, "nosniff"),
        ]
        for (name, value) in values where headers[name] == nil { headers[name] = value }
    }
}
