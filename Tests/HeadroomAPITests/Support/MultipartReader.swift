/// Parses a multipart body according to RFC 2046 §5.1.1.
///
/// It does not use the code that writes such bodies, so that both do not have the same errors.
struct MultipartReader {
    struct Part {
        /// The parts, in their order.
        var fields: [(name: String, value: String)]
        var content: [UInt8]

        /// The value of a field, with a case-insensitive name; nil unless it occurs exactly once.
        subscript(_ name: String) -> String? {
            let found = fields.filter { $0.name.lowercased() == name.lowercased() }
            return found.count == 1 ? found[0].value : nil
        }
    }

    enum Failure: Error {
        case contentType, opening, delimiter, header, closing, trailing
    }

    let parts: [Part]

    /// - Parameters:
    ///   - body: The whole body, from the first delimiter to the closing one.
    ///   - contentType: The header value, which contains the boundary.
    /// - Throws: A ``Failure`` for the first violated rule.
    init(_ body: [UInt8], contentType: String) throws {
        let pieces = contentType.split(separator: "boundary=\"", omittingEmptySubsequences: false)
        guard pieces.count == 2, pieces[0] == "multipart/mixed; ", pieces[1].hasSuffix("\"") else {
            throw Failure.contentType
        }
        let boundary = pieces[1].dropLast()
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'()+_,-./:=?")
        guard (1...70).contains(boundary.count), boundary.allSatisfy(allowed.contains) else {
            throw Failure.contentType
        }
        // The line break before a delimiter belongs to the delimiter.
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var rest = ([13, 10] + body)[...]
        guard rest.starts(with: delimiter) else { throw Failure.opening }
        rest = rest.dropFirst(delimiter.count)
        var parts: [Part] = []
        while !rest.starts(with: "--".utf8) {
            guard rest.starts(with: "\r\n".utf8) else { throw Failure.delimiter }
            guard let end = Self.first(delimiter, in: rest) else { throw Failure.closing }
            parts.append(try Self.part(rest[rest.startIndex..<end]))
            rest = rest[(end + delimiter.count)...]
        }
        guard Array(rest.dropFirst(2)) == [13, 10] else { throw Failure.trailing }
        self.parts = parts
    }

    private static func part(_ bytes: ArraySlice<UInt8>) throws -> Part {
        // Each header line here follows a line break; an empty line ends the header.
        guard let end = first(Array("\r\n\r\n".utf8), in: bytes) else { throw Failure.header }
        let lines = String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: true)
        let fields = try lines.map { line in
            let sides = line.split(separator: ": ", maxSplits: 1)
            guard sides.count == 2, line.utf8.allSatisfy({ (32...126).contains($0) }) else { throw Failure.header }
            return (name: String(sides[0]), value: String(sides[1]))
        }
        return Part(fields: fields, content: Array(bytes[(end + 4)...]))
    }

    private static func first(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= wanted.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - wanted.count)).first { start in
            bytes[start] == wanted[0] && bytes[start...].starts(with: wanted)
        }
    }
}
