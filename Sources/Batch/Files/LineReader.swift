import Glibc

/// Reads the lines of a file with bounded memory.
struct LineReader {
    /// One line without its line feed.
    enum Line: Equatable {
        case text([UInt8])
        /// A line longer than the limit, which was skipped.
        case tooLong
    }

    /// The length of a read in bytes.
    private static let chunkBytes = 1 << 16

    private let file: any InputFile
    private let limit: Int
    private var chunk: ArraySlice<UInt8> = []
    /// The offset after the last line.
    private(set) var offset = 0
    /// Whether the last line ended with a line feed.
    private(set) var isTerminated = false

    /// Reads from the file's position; lines of more than `limit` bytes are skipped.
    init(_ file: any InputFile, limit: Int) {
        self.file = file
        self.limit = limit
    }

    /// The next line; nil at the end.
    ///
    /// The end of the file ends a line that is not empty.
    mutating func next() throws(BatchError) -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        isTerminated = false
        while !isTerminated {
            if chunk.isEmpty { chunk = try file.read(upTo: Self.chunkBytes)[...] }
            if chunk.isEmpty { break }
            let end = chunk.firstIndex(of: 0x0A)
            let part = chunk[..<(end ?? chunk.endIndex)]
            isTooLong = isTooLong || line.count + part.count > limit
            if isTooLong { line = [] } else { line += part }
            isTerminated = end != nil
            let taken = part.count + (isTerminated ? 1 : 0)
            offset += taken
            chunk = chunk.dropFirst(taken)
        }
        if isTooLong { return .tooLong }
        return isTerminated || !line.isEmpty ? .text(line) : nil
    }
}

extension [UInt8] {
    /// Removes the byte order mark that some programs write at the beginning of UTF-8.
    mutating func removeByteOrderMark() {
        if starts(with: [0xEF, 0xBB, 0xBF]) { removeFirst(3) }
    }
}
