import HeadroomAPI

/// The reason why a row or its image has no result.
package struct RowError: Error, Sendable, Hashable, Codable {
    /// The type, such as `unreadable-image`: a problem type of the service, or a type for rows.
    package var type: String
    /// One or more sentences.
    package var detail: String
    /// Details that the service would only log, such as the cause of a failed fetch.
    package var cause: String?

    /// An error for the results file.
    ///
    /// - Parameters:
    ///   - type: A problem type of the service, or a type for rows, such as `invalid-row`.
    ///   - detail: One or more sentences.
    ///   - cause: Details that the service would only log; nil for none.
    package init(_ type: String, detail: String, cause: String? = nil) {
        self.type = type
        self.detail = detail
        self.cause = cause
    }

    static func row(_ detail: String) -> RowError { RowError("invalid-row", detail: detail) }

    /// A parameter that is invalid by itself or in combination with other parameters.
    static func parameter(_ detail: String) -> RowError { RowError("invalid-parameter", detail: detail) }

    /// A result whose path cannot be used.
    static func output(_ detail: String) -> RowError { RowError("output-refused", detail: detail) }

    /// An error with the kind and the text of a problem of the service.
    init(_ problem: Problem) { self.init(problem.kind.rawValue, detail: problem.detail) }

    /// A failed request to the service.
    init(_ failure: ImageFailure) {
        self.init(failure.problem)
        cause = failure.cause
    }
}
