import UntrustedText
import Encodings

/// Percent-encoded paths, whose meaning must not depend on the program that decodes or shortens them.
package enum PathText {
    /// Decodes a path once.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` if the path is empty, exceeds `limit` bytes, is not UTF-8, or may leave
    ///   its folder (``mayLeaveFolder(_:)``).
    static func decoded(_ text: Substring, atMost limit: Int) throws(FetchError) -> String {
        guard let path = PercentEncoding.decoded(Array(text.utf8)) else {
            throw .invalidURL("the path is not percent-encoded UTF-8: write % as %25")
        }
        guard !path.isEmpty else { throw .invalidURL("the path is empty") }
        guard path.utf8.count <= limit else { throw .invalidURL("the path has more than \(limit) bytes") }
        guard !path.utf8.contains(0) else { throw .invalidURL("the path contains a NUL") }
        guard !mayLeaveFolder(text.utf8) else {
            throw .invalidURL("the path contains . or .. as a segment, or an encoding of them")
        }
        return path
    }

    /// Whether a server could resolve a relative path to a location outside its base folder.
    ///
    /// Servers decode paths once, twice or leniently, treat backslashes as slashes, cut segments at `;`, `?`, `#` or a
    /// NUL, drop control characters and spaces, and accept overlong UTF-8. The path is therefore decoded until nothing
    /// is left to decode. No segment of the result may mean `.` or `..` to any of these servers. A NUL, and bytes that
    /// start overlong UTF-8, are refused anywhere. Other invalid UTF-8 is allowed.
    ///
    /// - Parameter path: The path of the URL, percent-encoded any number of times.
    /// - Returns: Also true for a path that cannot be checked.
    package static func mayLeaveFolder(_ path: some Sequence<UInt8>) -> Bool {
        let bytes = PercentEncoding.fullyDecoded(path)
        return bytes.contains(0) || hasOverlongForm(bytes)
            || bytes.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
                .contains(where: isStep)
    }

    /// Whether a path contains a backslash in any of its encodings.
    package static func hasBackslash(_ path: some Sequence<UInt8>) -> Bool {
        PercentEncoding.fullyDecoded(path).contains(UInt8(ascii: "\\"))
    }

    /// Returns the names of the folders and of the file in a path as a lenient server reads them: decoded completely,
    /// in lower case, and without empty names.
    static func lenientSegments(_ path: some Sequence<UInt8>) -> [[UInt8]] {
        let bytes = PercentEncoding.fullyDecoded(path)
        return bytes.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
            .map { lenientName($0).map(\.lowercasedASCII) }
            .filter { !$0.isEmpty }
    }

    /// Whether a lenient server treats a segment as `.` or `..`.
    private static func isStep(_ segment: ArraySlice<UInt8>) -> Bool {
        let name = lenientName(segment)
        return name == Array(".".utf8) || name == Array("..".utf8)
    }

    /// Returns a decoded segment without the bytes that a lenient server drops.
    private static func lenientName(_ segment: ArraySlice<UInt8>) -> [UInt8] {
        segment.prefix { !";?#".utf8.contains($0) }.filter { $0 > 0x20 && $0 != 0x7F }
    }

    /// Whether bytes could start an overlong encoding of a character (RFC 3629 §3), such as `C0 AE` for a dot.
    private static func hasOverlongForm(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { index in
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            return switch bytes[index] {
            case 0xC0, 0xC1: true
            case 0xE0: (0x80..<0xA0).contains(next)
            case 0xF0: (0x80..<0x90).contains(next)
            case 0xF8: (0x80..<0x88).contains(next)
            case 0xFC: (0x80..<0x84).contains(next)
            default: false
            }
        }
    }
}
