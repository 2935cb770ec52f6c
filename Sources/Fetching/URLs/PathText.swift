import Encodings

/// Percent-encoded paths whose meaning must not depend on who decodes or shortens them.
enum PathText {
    /// Decodes a path once.
    ///
    /// - Parameters:
    ///   - text: The path, percent-encoded.
    ///   - limit: The largest number of decoded bytes.
    /// - Returns: The decoded path.
    /// - Throws: ``FetchError/invalidURL(_:)`` if the path is empty or too long, is not UTF-8, contains a NUL, or has a
    ///   segment `.` or `..`, also if these are percent-encoded.
    static func decoded(_ text: Substring, atMost limit: Int) throws(FetchError) -> String {
        guard let path = PercentEncoding.decoded(Array(text.utf8)) else {
            throw .invalidURL("the path is not percent-encoded UTF-8: write % as %25")
        }
        guard !path.isEmpty else { throw .invalidURL("the path is empty") }
        guard path.utf8.count <= limit else { throw .invalidURL("the path has more than \(limit) bytes") }
        guard !path.utf8.contains(0) else { throw .invalidURL("the path contains a NUL") }
        let segments = path.utf8.split(separator: UInt8(ascii: "/"))
        guard !segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
            throw .invalidURL("the path contains . or .. as a segment")
        }
        return path
    }
}
