/// Character classes of RFC 9110 and RFC 3986.
extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")

    static let lineFeed = UInt8(ascii: "\n")

    static let space = UInt8(ascii: " ")

    static let tab = UInt8(ascii: "\t")

    static let colon = UInt8(ascii: ":")

    static let comma = UInt8(ascii: ",")

    static let semicolon = UInt8(ascii: ";")

    static let quote = UInt8(ascii: "\"")

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Whether the byte is an ASCII letter or a digit.
    private var isAlphanumeric: Bool {
        let lower = self | 0x20
        return isDigit || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z"))
    }

    /// The value of a hexadecimal digit; nil for other bytes.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whether the byte is a `tchar`, RFC 9110 §5.6.2.
    var isToken: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: isAlphanumeric
        }
    }

    /// Whether the byte is whitespace (`OWS`), RFC 9110 §5.6.3.
    var isWhitespace: Bool { self == .space || self == .tab }

    /// Whether a field value can contain the byte: `field-vchar`, space or tab, RFC 9110 §5.5.
    var isFieldContent: Bool { (self >= 0x20 && self != 0x7F) || self == .tab }

    /// Whether the byte is accepted in a request target.
    ///
    /// RFC 3986 allows fewer characters, but clients send `|` and `"` unencoded. A fragment (`#`) is never sent (RFC
    /// 9112 §3.2).
    var isTarget: Bool { self > 0x20 && self < 0x7F && self != UInt8(ascii: "#") }

    /// Whether the byte is `unreserved / sub-delims`, RFC 3986 §2: the characters of a registered name in addition to
    /// percent-encoded bytes.
    var isRegisteredName: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
            UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: isAlphanumeric
        }
    }
}
