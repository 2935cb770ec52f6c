import Cryptography
import HTTPServer
package import HTTPTypes
package import Requests
import UntrustedText

/// The URL syntax of another service.
///
/// Paths and queries are untrusted: arithmetic on their numbers must not trap.
package protocol URLFormat: Sendable {
    /// Whether URLs are signed, and the keys for them.
    ///
    /// There is no default, because a format without its keys would serve unsigned URLs.
    var signing: Signing { get }

    /// The names of all options of the format, supported or rejected; used by tests and fuzzers.
    static var optionNames: [String] { get }

    /// Translates a URL.
    ///
    /// - Throws: A ``Problem`` that names the option: status 501 for an option that this service does not support, and
    ///   the other service's status for an invalid option.
    func translate(_ address: ForeignURL) throws(Problem) -> Translation

    /// Checks the signature of a URL against the configured keys, in constant time.
    ///
    /// Called only if ``Signing/isRequired``.
    ///
    /// - Returns: The position of the matching key in its list, from 1.
    /// - Throws: A ``Problem`` with the other service's status.
    @discardableResult
    func verify(_ address: ForeignURL) throws(Problem) -> Int

    /// Returns a translation without the option that caused a problem, if the other service ignores that option;
    /// otherwise nil. By default, ``Translation/relaxed(after:)``.
    func relaxed(_ translation: Translation, after problem: Problem) -> Translation?

    /// Returns the status that the other service uses for a problem; by default the status of this service.
    func status(of problem: Problem) -> HTTPResponse.Status

    /// Returns the header fields that the other service adds to a problem.
    func headers(of problem: Problem) -> HTTPFields

    /// The problem for an expired URL.
    var expired: Problem { get }
}

extension URLFormat {
    /// Rejects every signature.
    @discardableResult
    package func verify(_ address: ForeignURL) throws(Problem) -> Int { throw .wrongSignature(.forbidden) }

    package func relaxed(_ translation: Translation, after problem: Problem) -> Translation? {
        translation.relaxed(after: problem)
    }

    package func status(of problem: Problem) -> HTTPResponse.Status { problem.status }

    package func headers(of problem: Problem) -> HTTPFields { [:] }

    /// Returns the position, from 1, of the key that verifies a signature.
    ///
    /// The signature is compared with the signatures of all keys, so that timing does not reveal which key matches.
    ///
    /// - Parameters:
    ///   - signature: The decoded signature from the request.
    ///   - expected: For each key, the signatures that are valid.
    ///   - text: The text that the signature must cover, for the log.
    ///   - status: The other service's status for a wrong signature.
    /// - Returns: The position of the first key with an equal signature.
    /// - Throws: A ``Problem`` with `status` if no signature matches.
    package func position(
        of signature: [UInt8],
        among expected: [[[UInt8]]],
        of text: @autoclosure () -> String,
        _ status: HTTPResponse.Status
    ) throws(Problem) -> Int {
        let matches = expected.map { codes in
            codes.reduce(false) { MessageDigest.areEqual(signature, $1) || $0 }
        }
        guard let index = matches.firstIndex(of: true) else {
            var problem = Problem.wrongSignature(status)
            problem.expectedSignedText = Self.visible(text())
            throw problem
        }
        return index + 1
    }

    /// Returns a text without the query and the user name of a source URL, which may be secret.
    private static func visible(_ text: String) -> String {
        let ends = ["?", "%3F", "%3f"].compactMap { text.bytes.firstRange(of: $0)?.lowerBound }
        let start = ends.min().map { text[..<$0] } ?? text[...]
        if let user = start.bytes.firstRange(of: "@") ?? start.bytes.firstRange(of: "%40"),
            start[user.upperBound...].bytes.contains("/")
        {
            return "\(start.bytes.prefix(before: ":@"))…"
        }
        return start.utf8.count == text.utf8.count ? text : "\(start)?…"
    }

    /// The problem has status 404, as with imgproxy and imgix.
    package var expired: Problem { Problem(.expired, .notFound, "The URL has expired. Create a new URL.") }
}
