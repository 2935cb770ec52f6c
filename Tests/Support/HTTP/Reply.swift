import Glibc

extension TestClient {
    /// One response.
    package struct Reply: Sendable {
        package var status: Int
        /// The fields in the order in which they were received.
        package var headers: [(name: String, value: String)]
        package var body: [UInt8] = []

        /// The body as text.
        package var text: String { String(decoding: body, as: UTF8.self) }

        /// The value of the first field with the name, which is case-insensitive; nil if there is none.
        package subscript(_ name: String) -> String? {
            let name = name.lowercased()
            return headers.first { $0.name.lowercased() == name }?.value
        }
    }
}

extension TestClient.Reply {
    /// Removes the first response from `bytes`; nil if it is incomplete.
    ///
    /// - Throws: ``TestClient/Failure`` if there is no status line.
    init?(takenFrom bytes: inout [UInt8], toHead: Bool) throws {
        guard let end = Self.endOfHead(bytes) else { return nil }
        var lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.isEmpty ? [] : lines.removeFirst().split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { throw TestClient.Failure("no status line") }
        self.status = status
        headers = lines.map { line in
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides[0]), sides.count > 1 ? String(sides[1].drop { $0 == " " }) : "")
        }
        let isBodiless = toHead || status < 200 || status == 204 || status == 304
        let length = isBodiless ? 0 : self["content-length"].flatMap { Int($0) } ?? 0
        guard bytes.count >= end + 4 + length else { return nil }
        body = Array(bytes[(end + 4)..<(end + 4 + length)])
        bytes.removeFirst(end + 4 + length)
    }

    /// The position of the empty line, found with memchr, because debug builds search hundreds of thousands of
    /// responses.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var start = 0
            while let found = memchr(base + start, 0x0D, buffer.count - start) {
                let end = UnsafeRawPointer(found) - base
                guard buffer.count - end >= 4 else { return nil }
                if memcmp(found, "\r\n\r\n", 4) == 0 { return end }
                start = end + 1
            }
            return nil
        }
    }
}
