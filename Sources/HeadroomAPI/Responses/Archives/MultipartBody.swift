/// A multipart body; each part has its own header fields (RFC 2046 §5.1).
struct MultipartBody {
    /// The boundary, which must not occur in any part.
    let boundary: String
    private(set) var bytes: [UInt8] = []

    /// A body without parts.
    init(boundary: String) { self.boundary = boundary }

    /// The media type with the boundary.
    var contentType: String { "multipart/mixed; boundary=\"\(boundary)\"" }

    /// Adds a part.
    ///
    /// - Parameters:
    ///   - fields: Names and values as written in the header, in ASCII and without line breaks.
    ///   - content: The part's bytes, written unchanged.
    mutating func add(_ fields: [(name: String, value: String)], _ content: [UInt8]) {
        bytes += "--\(boundary)\r\n".utf8
        for (name, value) in fields { bytes += "\(name): \(value)\r\n".utf8 }
        bytes += "\r\n".utf8
        bytes += content
        bytes += "\r\n".utf8
    }

    /// Writes the closing delimiter; no part can be added afterwards.
    mutating func close() { bytes += "--\(boundary)--\r\n".utf8 }
}
