import Encodings
import HTTPServer
import UntrustedText

/// The path below which a service lives, such as `/img`.
///
/// Signatures, routes and caches work with paths without it: ``PathPrefix/removed(from:)`` is the one place that takes it off.
package struct PathPrefix: Sendable, CustomStringConvertible {
    /// The longest prefix, in bytes.
    package static let maxBytes = 256

    package static let expected =
        "a path such as /img or /a/img: names of letters, digits and - . _ ~, each after one slash, without . and ..,  "
        + "at most \(maxBytes) bytes"

    /// A slash, and segments of unreserved characters (RFC 3986 §2.3) with a slash between them.
    package let description: String

    /// The path of a text; nil if it is not one.
    package init?(_ text: String) {
        let segments = text.bytes.split(separator: "/", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maxBytes, segments.count > 1, segments[0].isEmpty,
            segments.dropFirst().allSatisfy({ !$0.isEmpty && $0.bytes != "." && $0.bytes != ".." }),
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || PercentEncoding.isUnreserved($0) })
        else { return nil }
        description = text
    }

    /// The path of a route below the prefix.
    func path(_ path: String) -> String { description + path }

    /// The address of the page at ``description`` and a slash, if the path of a request is the prefix alone.
    ///
    /// It is relative, because a proxy may have removed another beginning of the path.
    func addressBelow(_ request: ServerRequest) -> String? {
        guard request.path.bytes == description.bytes else { return nil }
        let last = description.bytes.split(separator: "/").last ?? ""
        return "\(last)/\(request.query.map { "?\($0)" } ?? "")"
    }
}
