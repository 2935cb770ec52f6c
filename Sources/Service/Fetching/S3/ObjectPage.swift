import UntrustedText

/// One page of a list of objects.
package struct ObjectPage: Sendable, Equatable {
    /// The maximum number of objects on a page.
    static let maxKeys = 1000

    /// The keys, sorted by their bytes.
    package var keys: [String]
    /// Whether there are more objects.
    package var isTruncated: Bool

    /// Parses the body of a response to ListObjectsV2 with `encoding-type=url`.
    ///
    /// - Throws: ``FetchError/invalidResponse(_:)`` for another text, and if the keys do not increase from `last`,
    ///   because a list that repeats itself would never end.
    init(_ body: [UInt8], after last: String) throws(FetchError) {
        let text = String(decoding: body, as: UTF8.self)
        guard let result = S3Text.element("ListBucketResult", in: Self.withoutAttributes(text)),
            let truncated = S3Text.element("IsTruncated", in: result), ["true", "false"].contains(truncated.bytes)
        else { throw .invalidResponse("the list of objects is not an S3 response") }
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

    /// Returns the text from the root element, without the `xmlns` attribute of this element.
    private static func withoutAttributes(_ text: String) -> Substring {
        guard let start = text.bytes.firstRange(of: "<ListBucketResult"),
            let end = text.utf8[start.upperBound...].firstIndex(of: UInt8(ascii: ">"))
        else { return "" }
        return "<ListBucketResult" + text[end...]
    }
}
