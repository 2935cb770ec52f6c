import Encodings
import HeadroomAPI

/// A part of a path with options, which a client or a proxy may have percent-encoded as a whole.
enum OptionSegment {
    /// The part, decoded once; the part itself if it contains no escapes, or is not percent-encoded UTF-8.
    static func decoded(_ part: Substring) -> Substring {
        guard part.utf8.contains(UInt8(ascii: "%")), let text = PercentEncoding.decoded(Array(part.utf8)) else {
            return part
        }
        return Substring(text)
    }

    /// Whether a decoded part is split like the received part, and contains no byte with another meaning.
    ///
    /// Only then is a signature of the decoded text also a signature of the part.
    static func isPlain(_ decoded: Substring) -> Bool {
        decoded.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F
                && ![UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(byte)
        }
    }

    /// Splits at commas, except inside parentheses.
    static func elements(_ text: Substring) -> [Substring] {
        var depth = 0
        return text.utf8.split(omittingEmptySubsequences: false) { byte in
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) }
            return byte == UInt8(ascii: ",") && depth == 0
        }.map { Substring($0) }
    }
}
