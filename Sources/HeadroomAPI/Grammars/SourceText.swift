import Encodings
import Fetching
import Imaging
import Requests
import UntrustedText

/// A source's address inside the path of another service's address.
enum SourceText {
    /// Whether a path that begins with an http or https scheme is percent-encoded as a whole; if so, its colon or
    /// slashes are encoded.
    ///
    /// - Returns: Nil for a path without one of these schemes.
    static func isEncoded(_ path: some TextSlice) -> Bool? {
        for scheme in ["http", "https"] where path.bytes.begins(with: scheme) {
            let rest = path.bytes.dropFirst(scheme.utf8.count)
            if rest.bytes.hasPrefix(":/") { return false }
            if rest.bytes.begins(with: ":%2f") || rest.bytes.begins(with: "%3a") { return true }
        }
        return nil
    }

    /// The absolute address that a path holds, as sent or encoded once; nil for another path.
    ///
    /// Proxies that merge slashes make `http:/host` of `http://host`.
    static func address(_ path: some TextSlice) -> String? {
        guard let isEncoded = isEncoded(path) else { return nil }
        return (isEncoded ? PercentEncoding.decoded(Array(path.utf8)) : String(path)).flatMap(unencodedAddress)
    }

    /// The absolute address with exactly two slashes after its scheme; nil for other text.
    static func unencodedAddress(_ text: String) -> String? {
        guard isEncoded(text) == false, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let rest = Substring(text.utf8[colon...].dropFirst().drop { $0 == UInt8(ascii: "/") })
        return escaped(text[..<colon].bytes.lowercased() + "://" + rest)
    }

    /// The text with blanks, control characters and backslashes percent-encoded, as origins expect them.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: isRefused) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            bytes += isRefused(byte) ? Array("%\(Hexadecimal.text([byte]).bytes.uppercased())".utf8) : [byte]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isRefused(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") }
}

/// A part of a path that holds options, and that a client or a proxy may have percent-encoded as a whole.
enum OptionSegment {
    /// The part, decoded once; the part itself if it has no escapes, or is not percent-encoded UTF-8.
    static func decoded(_ part: Substring) -> Substring {
        guard part.utf8.contains(UInt8(ascii: "%")), let text = PercentEncoding.decoded(Array(part.utf8)) else {
            return part
        }
        return Substring(text)
    }

    /// Whether a decoded part is divided like the part as it was sent, and no byte of it has a further meaning.
    ///
    /// Only then is a signature over the decoded text one over the part.
    static func isPlain(_ decoded: Substring) -> Bool {
        decoded.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F
                && ![UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(byte)
        }
    }

    /// Splits at commas, except at those inside of parentheses.
    static func elements(_ text: Substring) -> [Substring] {
        var depth = 0
        return text.utf8.split(omittingEmptySubsequences: false) { byte in
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) }
            return byte == UInt8(ascii: ",") && depth == 0
        }.map { Substring($0) }
    }
}

/// The base address of the pictures of an origin.
package struct OriginBase: Sendable, Hashable {
    /// The address, without a slash at its end.
    private let text: String

    /// Parses an absolute http or https address; nil for other text, and for an address with a query.
    package init?(_ text: String) {
        guard let url = try? SourceURL(text), !url.string.utf8.contains(UInt8(ascii: "?")) else { return nil }
        self.text = url.string.bytes.hasSuffix("/") ? String(url.string.dropLast()) : url.string
    }

    /// The percent-encoded address of a picture below this one; problems name `option`, or the path.
    ///
    /// - Throws: A ``Problem`` with status 400 if the path is empty or is not percent-encoded UTF-8, or if an origin
    ///   could find it outside of the base, however it decodes paths: if it has a backslash or a `.` or `..` segment in
    ///   any encoding.
    func address(of path: some TextSlice, option: String? = nil) throws(Problem) -> String {
        guard !path.isEmpty, PercentEncoding.decoded(Array(path.utf8)) != nil, !PathText.mayLeaveFolder(path.utf8),
            !PathText.hasBackslash(path.utf8)
        else {
            let expected = "a path without . and .. segments and backslashes"
            throw .invalid(option: option ?? String(path), expected: expected)
        }
        return text + (path.bytes.hasPrefix("/") ? "" : "/") + SourceText.escaped(String(path))
    }
}

extension OriginBase: CustomStringConvertible {
    package var description: String { text }
}
