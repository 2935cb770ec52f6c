import Encodings
import HTTPServer
package import HTTPTypes
package import Requests

/// The URLs of another service.
///
/// Paths and queries are untrusted: no arithmetic on their numbers may trap.
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

    /// The status of a problem at the other service; by default that of this service.
    func status(of problem: Problem) -> HTTPResponse.Status

    /// The header fields that the other service adds to a problem.
    func headers(of problem: Problem) -> HTTPFields

    /// The problem of an address whose expiry has passed.
    var expired: Problem { get }
}

extension URLGrammar {
    package var hasKeys: Bool { false }

    /// Refuses every signature.
    package func verify(_ address: GrammarAddress) throws(Problem) { throw .wrongSignature(.forbidden) }

    package func status(of problem: Problem) -> HTTPResponse.Status { problem.status }

    package func headers(of problem: Problem) -> HTTPFields { [:] }

    /// Checks that a signature equals one of the expected ones.
    ///
    /// - Throws: A ``Problem`` with `status`.
    ///
    /// It is compared with all of them, so that timing does not reveal which key matches.
    package func check(
        _ signature: [UInt8],
        isOneOf expected: [[UInt8]],
        _ status: HTTPResponse.Status
    ) throws(Problem) {
        let matches = expected.map { MessageDigest.areEqual(signature, $0) }
        guard matches.contains(true) else { throw .wrongSignature(status) }
    }

    /// A problem with status 404, as at imgproxy and imgix.
    package var expired: Problem { Problem(.forbidden, .notFound, "The address has expired.") }
}

extension Problem {
    /// The problem of another service's option that this one does not have: status 501.
    package static func unsupported(option: String, _ advice: String = "") -> Problem {
        let name = ParameterError.shortened(option)
        let ending = advice.isEmpty ? "" : " \(advice)"
        return Problem(.unsupportedOption, .notImplemented, "The option \(name) is not supported here.\(ending)")
    }

    /// The problem of an invalid option of another service; its detail names the option and what is expected.
    ///
    /// - Parameters:
    ///   - option: The subject of the sentence: what was sent, such as `c_fill`, or "the signature". A long one is shortened.
    ///   - expected: The end of the sentence, without its full stop: "a whole number".
    ///   - status: The other service's status for such an option.
    /// - Returns: A problem with that status.
    package static func invalid(
        option: String,
        expected: String,
        _ status: HTTPResponse.Status = .badRequest
    ) -> Problem {
        Problem(.invalidParameter, status, "\(ParameterError.shortened(option)) is not valid: expected \(expected).")
    }

    /// The problem of a missing or wrong signature.
    package static func wrongSignature(_ status: HTTPResponse.Status) -> Problem {
        Problem(.forbidden, status, "The signature does not fit this address.")
    }

    /// The problem of an address of a grammar without keys, while the service requires credentials.
    static func unsignedGrammar(_ name: GrammarName, _ policy: AccessPolicy, hasToken: Bool) -> Problem {
        var problem = missingCredentials(policy, hasToken: hasToken)
        if !policy.takesBearerTokens {
            problem.detail =
                "This service accepts signed requests only, and has no keys for addresses of \(name.rawValue)."
        }
        return problem
    }
}
