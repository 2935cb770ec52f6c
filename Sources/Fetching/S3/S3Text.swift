import Encodings

/// The contents of elements in a response of S3, whose XML has no attributes and no comments where they are read.
enum S3Text {
    /// The content of the first element with a name; nil if there is none.
    static func element(_ name: String, in text: Substring) -> Substring? {
        elements(name, in: text).first
    }

    /// The contents of all elements with a name, in their order.
    static func elements(_ name: String, in text: Substring) -> [Substring] {
        var (rest, found) = (text, [Substring]())
        while let start = rest.firstRange(of: "<\(name)>"),
            let end = rest[start.upperBound...].firstRange(of: "</\(name)>")
        {
            found.append(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return found
    }

    /// A key that was sent with `encoding-type=url`, in which a plus sign may stand for a blank; nil for other text.
    static func key(_ text: Substring) -> String? {
        PercentEncoding.decoded(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
    }
}
