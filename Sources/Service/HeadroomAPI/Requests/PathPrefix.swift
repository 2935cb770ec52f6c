import Encodings
import HTTPServer
import UntrustedText

/// The path prefix of a service, such as `/img`.
///
/// Signatures, routes and caches work with paths without the prefix. Only ``PathPrefix/removed(from:)`` removes it.
package struct PathPrefix: Sendable, CustomStringConvertible {
    /// The maximum length of a prefix, in bytes.
    package static let maxBytes = 256

    package static let expected =
        "a path such as /img or /a/img: names of letters, digits and - . _ ~, each after one slash, without . and ..,  "
        + "at most \(maxBytes) bytes"

    /// A slash, followed by segments of unreserved characters (RFC 3986 §2.3) that are separated by slashes.
    package let description: String

    /// Parses a path prefix; nil if the text is not valid.
    package init?(_ text: String) {
        let segments = text.bytes.split(separator: "/", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maxBytes, segments.count > 1, segments[0].isEmpty,
            segments.dropFirst().allSatisfy({ !$0.isEmpty && $0.bytes != "." && $0.bytes != ".." }),
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || PercentEncoding.isUnreserved($0) })
        else { return nil }
        description = text
    }

    /// Returns the path of a route below the prefix.
    func path(_ path: String) -> String { description + path }

    /// Returns the URL of the page at ``description`` plus a slash, if the path of a request is exactly the prefix.
    ///
    /// The URL is relative, because a proxy may have removed another prefix of the path.
    func addressBelow(_ request: ServerRequest) -> String? {
        guard request.path.bytes == description.bytes else { return nil }
        let last = description.bytes.split(separator: "/").last ?? ""
        return "\(last)/\(request.query.map { "?\($0)" } ?? "")"
    }
}
