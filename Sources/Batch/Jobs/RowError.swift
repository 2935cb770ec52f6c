import HeadroomAPI

/// Why a row or its picture has no result.
package struct RowError: Error, Sendable, Hashable, Codable {
    /// The kind, such as `unreadable-image`: those of the service's problems, and those of rows.
    package var type: String
    /// One or more sentences.
    package var detail: String
    /// What the service would only log: the cause of a failed fetch, the end of a worker.
    package var cause: String?

    package init(_ type: String, _ detail: String, cause: String? = nil) {
        self.type = type
        self.detail = detail
        self.cause = cause
    }

    /// A row that cannot be understood.
    static func row(_ detail: String) -> RowError { RowError("invalid-row", detail) }

    /// A result whose path cannot be used.
    static func output(_ detail: String) -> RowError { RowError("output-refused", detail) }

    /// The error of the service with its kind and text.
    init(_ problem: Problem, cause: String? = nil) { self.init(problem.kind.rawValue, problem.detail, cause: cause) }
}
