package import Fetching

/// A failed request of a program: its problem, and the cause that a service would only log.
package struct ImageFailure: Error, Sendable {
    /// The problem, as in a response.
    package let problem: Problem
    /// The internal cause; nil if the problem contains all details.
    package let cause: String?

    /// Creates the failure of a job.
    init(_ problem: Problem, cause: String?) { (self.problem, self.cause) = (problem, cause) }

    /// Creates the failure of a fetch.
    package init(_ error: FetchError) { self.init(Problem(error), cause: "\(error)") }
}
