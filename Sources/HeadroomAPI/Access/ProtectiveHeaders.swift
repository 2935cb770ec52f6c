import HTTPTypes

/// Headers that keep browsers from doing more with an answer than show it; every answer has them, problems too.
enum ProtectiveHeaders {
    /// Nothing of an answer runs or loads anything, should it be opened as a page: a picture, JSON and markup to be pasted
    /// somewhere else need neither.
    static let contentSecurityPolicy = "default-src 'none'; sandbox"

    /// Adds those that the answer does not set itself.
    ///
    /// - Parameters:
    ///   - headers: Of the answer.
    ///   - isEmbeddable: Whether pages of other sites may show it. Pictures are made for that. It is told by the route and
    ///     not by the type of an answer, so that a 304 does not take back what the 200 said; and it opens nothing else,
    ///     for what is no picture cannot be embedded, and no answer depends on who looks at it.
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
