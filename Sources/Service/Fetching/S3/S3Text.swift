import UntrustedText
import Encodings

/// Reads elements of S3's XML responses by text search.
///
/// These elements do not contain attributes or comments.
enum S3Text {
    /// Returns the content of the first element with a name; nil if the element is missing.
    static func element(_ name: String, in text: Substring) -> Substring? { elements(name, in: text).first }

    /// Returns the contents of all elements with a name, in document order.
    static func elements(_ name: String, in text: Substring) -> [Substring] {
        var (rest, found) = (text, [Substring]())
        while let start = rest.bytes.firstRange(of: "<\(name)>"),
            let end = rest[start.upperBound...].bytes.firstRange(of: "</\(name)>")
        {
            // bounded: the search for the end begins after the start
            found.append(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return found
    }

    /// Returns the code in an S3 error, `<Error><Code>SignatureDoesNotMatch</Code>…`; nil without a code of 1 to 64
    /// ASCII letters and digits.
    static func errorCode(in body: [UInt8]) -> String? {
        guard let code = element("Code", in: String(decoding: body, as: UTF8.self)[...]),
            1...64 ~= code.utf8.count, code.utf8.allSatisfy(\.isAlphanumeric)
        else { return nil }
        return String(code)
    }

    /// Decodes a key from a response with `encoding-type=url`, where a plus sign may represent a space; nil for other
    /// text.
    static func key(_ text: Substring) -> String? {
        PercentEncoding.decoded(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
    }
}
