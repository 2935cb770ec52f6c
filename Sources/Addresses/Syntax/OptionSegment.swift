import Encodings
import HeadroomAPI

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
