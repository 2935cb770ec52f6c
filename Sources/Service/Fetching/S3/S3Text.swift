import UntrustedText
import Encodings

/// Reads elements of S3's XML responses by text search; the elements that are read have no attributes or comments.
enum S3Text {
    /// The content of the first element with a name; nil if there is none.
    static func element(_ name: String, in text: Substring) -> Substring? { elements(name, in: text).first }

    /// The contents of all elements with a name, in their order.
    static func elements(_ name: String, in text: Substring) -> [Substring] {
        var (rest, found) = (text, [Substring]())
        while let start = rest.bytes.firstRange(of: "<\(name)>"),
            let end = rest[start.upperBound...].bytes.firstRange(of: "</\(name)>")
        {
            // bounded: the end is searched behind the start
            found.append(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return found
    }

    /// The code in an error of S3, `<Error><Code>SignatureDoesNotMatch</Code>…`, of 1 to 64 ASCII letters and digits; nil
    /// if there is none.
    static func errorCode(in body: [UInt8]) -> String? {
        guard let code = element("Code", in: String(decoding: body, as: UTF8.self)[...]),
            1...64 ~= code.utf8.count, code.utf8.allSatisfy(\.isAlphanumeric)
        else { return nil }
        return String(code)
    }

    /// A key that was sent with `encoding-type=url`, in which a plus sign may stand for a blank; nil for other text.
    static func key(_ text: Substring) -> String? {
        PercentEncoding.decoded(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
    }
}
