package import HTTPTypes

/// The URLs of another service.
///
/// Paths and queries come from strangers: no arithmetic on their numbers may trap.
package protocol URLGrammar: Sendable {
    /// Whether addresses must be signed.
    var hasKeys: Bool { get }

    /// Translates an address.
    ///
    /// - Throws: A ``Problem`` that names the option: status 501 for an option that this service does not have, and the
    ///   other service's status for an invalid one.
    func translate(_ address: GrammarAddress) throws(Problem) -> Translation

    /// Checks the signature of an address with the configured keys, in constant time; called only if ``hasKeys``.
    ///
    /// - Throws: A ``Problem`` with the other service's status.
    func verify(_ address: GrammarAddress) throws(Problem)

    /// The status of a problem, where the other service has its own.
    func status(of problem: Problem) -> HTTPResponse.Status

    /// The header fields that the other service adds to a problem.
    func headers(of problem: Problem) -> HTTPFields

    /// The problem of an address whose expiry has passed.
    var expired: Problem { get }
}

extension URLGrammar {
    /// The same status.
    package func status(of problem: Problem) -> HTTPResponse.Status { problem.status }

    /// None.
    package func headers(of problem: Problem) -> HTTPFields { [:] }

    /// Status 404, as imgproxy and imgix have it.
    package var expired: Problem { Problem(.forbidden, .notFound, "The address has expired.") }
}
