/// Writes TIFF files with several directories, which may be nested (TIFF 6.0, section 2; TIFF Technical Note 1).
package struct TIFFTree: Sendable {
    /// An uncompressed image of one colour, with 8 bits each for red, green and blue.
    package struct Directory: Sendable {
        package var width: Int
        package var height: Int
        package var color: (UInt8, UInt8, UInt8)
        /// The value of NewSubfileType; nil to omit it.
        package var kind: Int?
        /// Additional tags, or replacements of the default tags: tag, type (2 text, 3 and 4 numbers) and values.
        package var fields: [(tag: Int, type: Int, values: [Int])] = []
        package var children: [Directory] = []

        package init(_ width: Int, _ height: Int, _ color: (UInt8, UInt8, UInt8), kind: Int? = nil) {
            (self.width, self.height, self.color, self.kind) = (width, height, color, kind)
        }

        /// The same directory with tags added or replaced.
        package func with(_ fields: [(tag: Int, type: Int, values: [Int])]) -> Directory {
            var copy = self
            copy.fields += fields
            return copy
        }

        /// The same directory with other directories nested in it.
        package func containing(_ children: [Directory]) -> Directory {
            var copy = self
            copy.children = children
            return copy
        }
    }

    package var isBigEndian = false
    /// The chain of top-level directories, at least one.
    package var directories: [Directory]
    /// Bytes between the header and the first directory.
    package var prefix: [UInt8] = []

    package init(_ directories: [Directory]) { self.directories = directories }

    /// A full image nested in a reduced one, after a reduced one, and next to a raw photo.
    package static var samples: [TIFFTree] {
        let small = Directory(4, 3, (255, 0, 0), kind: 1)
        let full = Directory(9, 7, (0, 255, 0), kind: 0)
        let raw = full.with([(259, 3, [34713]), (262, 3, [32803])])
        return [[small.containing([full])], [small, full], [small.containing([full, raw])]].map(TIFFTree.init)
    }

    private func ordered(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    /// The bytes of the file.
    package func encode() -> [UInt8] {
        let letters: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
        var bytes = letters + ordered(42, 2) + [0, 0, 0, 0] + prefix
        var place = 4
        for directory in directories {
            // The position of a directory is known once its children are written.
            let start = append(directory, to: &bytes)
            bytes.replaceSubrange(place..<place + 4, with: ordered(start.place, 4))
            place = start.next
        }
        return bytes
    }

    /// Appends a directory with its pixels and children; returns its position, and the position of its link to the next
    /// directory.
    private func append(_ directory: Directory, to bytes: inout [UInt8]) -> (place: Int, next: Int) {
        let pixels = bytes.count
        let (red, green, blue) = directory.color
        bytes += (0..<directory.width * directory.height).flatMap { _ in [red, green, blue] }
        let children = directory.children.map { append($0, to: &bytes).place }
        var fields: [(tag: Int, type: Int, values: [Int])] = [
            (256, 4, [directory.width]), (257, 4, [directory.height]), (258, 3, [8, 8, 8]), (259, 3, [1]),
            (262, 3, [2]), (273, 4, [pixels]), (277, 3, [3]), (278, 4, [directory.height]),
            (279, 4, [3 * directory.width * directory.height]),
        ]
        if let kind = directory.kind { fields.append((254, 4, [kind])) }
        if !children.isEmpty { fields.append((330, 4, children)) }
        fields.removeAll { field in directory.fields.contains { $0.tag == field.tag } }
        fields = (fields + directory.fields).sorted { $0.tag < $1.tag }
        var entries: [UInt8] = []
        for field in fields {
            let width = [2: 1, 3: 2, 4: 4][field.type] ?? 1
            let data = field.values.flatMap { ordered($0, width) }
            entries += ordered(field.tag, 2) + ordered(field.type, 2) + ordered(field.values.count, 4)
            if data.count > 4 {
                entries += ordered(bytes.count, 4)
                bytes += data
            } else {
                entries += data + Array(repeating: 0, count: 4 - data.count)
            }
        }
        let place = bytes.count
        bytes += ordered(fields.count, 2) + entries + [0, 0, 0, 0]
        return (place, bytes.count - 4)
    }
}
