import UntrustedText
import Encodings

/// One page of a list of objects.
package struct ObjectPage: Sendable, Equatable {
    /// The most objects of a page.
    static let maxKeys = 1000

    /// The keys in the order of their bytes.
    package var keys: [String]
    /// Whether there are further objects.
    package var isTruncated: Bool

    /// Parses the body of a response to ListObjectsV2 with `encoding-type=url`.
    ///
    /// - Throws: ``FetchError/invalidResponse(_:)`` for another text, and for keys that do not rise from `last`: a list
    ///   that repeats itself would never end.
    init(_ body: [UInt8], after last: String) throws(FetchError) {
        let text = String(decoding: body, as: UTF8.self)
        guard let result = S3Text.element("ListBucketResult", in: Self.withoutAttributes(text)),
            let truncated = S3Text.element("IsTruncated", in: result), ["true", "false"].contains(truncated.bytes)
        else { throw .invalidResponse("the list of objects is not one of S3") }
        isTruncated = truncated.bytes == "true"
        keys = []
        for content in S3Text.elements("Contents", in: result) {
            guard let key = S3Text.element("Key", in: content).flatMap(S3Text.key) else {
                throw .invalidResponse("a key in the list of objects cannot be read")
            }
            guard (keys.last ?? last).utf8.lexicographicallyPrecedes(key.utf8) else {
                throw .invalidResponse("the list of objects is not sorted")
            }
            keys.append(key)
        }
        guard keys.count <= Self.maxKeys, !(isTruncated && keys.isEmpty) else {
            throw .invalidResponse("the list of objects has \(keys.count) keys on a page")
        }
    }

    /// The text from the root element on, without that element's `xmlns` attribute.
    private static func withoutAttributes(_ text: String) -> Substring {
        guard let start = text.bytes.firstRange(of: "<ListBucketResult"),
            let end = text.utf8[start.upperBound...].firstIndex(of: UInt8(ascii: ">"))
        else { return "" }
        return "<ListBucketResult" + text[end...]
    }
}

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
