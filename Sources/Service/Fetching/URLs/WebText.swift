import Encodings
import UntrustedText

/// Converts the http or https URL of an image, as written by people, programs and proxies, to a URL of RFC 3986.
///
/// The path and the query follow the same rules as in browsers. Every character that could move the boundary between
/// host and path is refused.
enum WebText {
    /// Returns the URL with an explicit scheme, and with percent-encoded raw characters in its path and query.
    ///
    /// Spaces and control characters at both ends are removed, and `//host/path` means https. A URL with another
    /// scheme, or without a scheme, is left to the parser.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` for a control character inside the text, and for a space or a backslash
    ///   before the path.
    static func url(_ text: String) throws(FetchError) -> String {
        try URLText.checkLength(text)
        var bytes = trimmed(text)
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .invalidURL("the URL contains a control character: percent-encode it")
        }
        bytes = withScheme(bytes)
        let scheme = bytes.prefix { $0.isAlphanumeric || "+-.".utf8.contains($0) }
        let slashes = bytes[scheme.endIndex...].dropFirst().prefix { $0 == UInt8(ascii: "/") }
        let host = bytes[slashes.endIndex...].prefix { !"/?#".utf8.contains($0) }
        guard !bytes[..<host.endIndex].contains(where: { $0 == 0x20 || $0 == UInt8(ascii: "\\") }) else {
            throw .invalidURL("the URL contains a space or a backslash before its path")
        }
        return String(decoding: bytes[..<host.endIndex] + escaped(bytes[host.endIndex...]), as: UTF8.self)
    }

    /// Returns the reason why a text that is not a web URL cannot work, as the end of a message; nil for other texts.
    static func mistake(in text: String) -> String? {
        let bytes = Array(trimmed(text).prefix(8))
        let start = String(decoding: bytes, as: UTF8.self).bytes
        let remedy = "upload the image, or use an http or https URL"
        if start.begins(with: "http%") || start.begins(with: "https%") {
            return "the URL is percent-encoded twice: encode it only once"
        }
        if start.begins(with: "blob:") { return "a blob: URL is valid only inside one browser: \(remedy)" }
        if start.begins(with: "data:") { return "a data: URL is not accepted here: \(remedy)" }
        if start.begins(with: "file:") { return "a file: URL is not accepted: \(remedy)" }
        // bounded: the count is checked first
        let isDrive =
            bytes.count > 2 && bytes[0].isAlphanumeric && bytes[1] == UInt8(ascii: ":") && "\\/".utf8.contains(bytes[2])
        return isDrive || start.begins(with: "\\\\") ? "a Windows path is not a URL: \(remedy)" : nil
    }

    /// Returns the text without spaces and control characters at both ends; `//host/path` gets the scheme https.
    static func withScheme(_ text: String) -> String { String(decoding: withScheme(trimmed(text)), as: UTF8.self) }

    private static func withScheme(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: "//".utf8) ? Array("https:".utf8) + bytes : bytes
    }

    /// Percent-encodes every ASCII character that RFC 3986 does not allow in paths and queries, and every percent sign
    /// that is not part of an encoding.
    ///
    /// As in browsers, brackets are not encoded. Non-ASCII characters are left to libcurl.
    static func escaped(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            let next = bytes.index(after: index)
            let isEscape = bytes[next...].prefix(2).count { Hexadecimal.value($0) != nil } == 2
            if byte >= 0x80 || byte.isAlphanumeric || kept.contains(byte) || byte == UInt8(ascii: "%") && isEscape {
                result.append(byte)
            } else {
                result += "%\(Hexadecimal.text([byte]).uppercased())".utf8
            }
            index = next
        }
        return result
    }

    /// The characters that are allowed in paths, queries and fragments in addition to letters and digits (§3.3 to
    /// §3.5), and brackets.
    private static let kept = Array("-._~!$&'()*+,;=:@/?#[]".utf8)

    private static func trimmed(_ text: String) -> [UInt8] {
        let start = text.utf8.drop { $0 <= 0x20 }
        guard let last = start.lastIndex(where: { $0 > 0x20 }) else { return [] }
        return Array(start[...last])
    }
}
