import Glibc

/// A tar archive that grows by the results of one picture after another, hidden until the run is complete.
struct ArchiveOutput {
    private static let chunkBytes = 1 << 20

    private let path: String
    private let hidden: String
    private let file: OpenFile
    /// The bytes that are written.
    private(set) var length: Int

    /// Opens the archive, and cuts off what the journal does not know.
    ///
    /// - Parameters:
    ///   - path: Its path when it is complete.
    ///   - parts: The hidden folder in which it grows.
    ///   - length: Its length according to the journal.
    ///   - isNew: Whether an archive that is there may be replaced.
    /// - Throws: A ``BatchError`` if the archive is not that of the journal, or another file.
    init(_ path: String, parts: String, length: Int, replaces isNew: Bool) throws(BatchError) {
        self.path = path
        self.length = length
        hidden = Self.growing(parts)
        let (hasHidden, hasFinal) = (access(hidden, F_OK) == 0, access(path, F_OK) == 0)
        if length == 0, hasFinal, !hasHidden, !isNew {
            throw BatchError("\(path): the file is there already, and no run to go on with: --restart replaces it")
        }
        // An unfinished archive is not shown under its final name.
        if length > 0, !hasHidden, hasFinal, rename(path, hidden) != 0 { throw .system(path) }
        file = try OpenFile(hidden, O_RDWR | O_CREAT)
        guard let found = file.length, found >= length else {
            throw BatchError("\(path): the archive is shorter than the results say: --restart begins anew")
        }
        try file.truncate(to: length)
    }

    /// The archive before it is complete.
    static func growing(_ parts: String) -> String { "\(parts)/archive.tar" }

    /// Appends results and the members that go with them.
    ///
    /// - Throws: ``OutputWriter/Obstacle`` for a member that cannot be read; a ``BatchError`` if nothing can be written.
    ///   The archive is as before then.
    mutating func append(
        _ results: [OutputWriter.Part],
        companions: [ArchiveMember],
        open: (String) throws(BatchError) -> any InputFile
    ) throws {
        let start = length
        do {
            for result in results {
                let part = try OpenFile(result.file)
                try append(result.name, 0..<result.bytes) { range throws(BatchError) in try Self.read(part, range) }
            }
            for member in companions {
                let source = try Self.member { () throws(BatchError) in try open(member.archive) }
                try append(member.name, member.range) { range in
                    try Self.member { () throws(BatchError) in try Self.read(source, range) }
                }
            }
        } catch {
            length = start
            try file.truncate(to: start)
            throw error
        }
    }

    /// Writes the end and gives the archive its name.
    mutating func finish() throws(BatchError) {
        try file.write(TarWriter.end)
        guard fsync(file.descriptor) == 0, rename(hidden, path) == 0 else { throw .system(path) }
    }

    private mutating func append(
        _ name: String,
        _ range: Range<Int>,
        read: (Range<Int>) throws -> [UInt8]
    ) throws {
        let header = TarWriter.header(name, size: range.count)
        try file.write(header)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let bytes = try read(offset..<min(offset + Self.chunkBytes, range.upperBound))
            try file.write(bytes)
            offset += bytes.count
        }
        let padding = TarWriter.padding(range.count)
        try file.write(padding)
        length += header.count + range.count + padding.count
    }

    /// Reads a part of a range, at least a byte.
    private static func read(_ source: any InputFile, _ range: Range<Int>) throws(BatchError) -> [UInt8] {
        let bytes = try source.read(range)
        guard !bytes.isEmpty else { throw BatchError("\(source.path): the file became shorter") }
        return bytes
    }

    /// A member that cannot be read concerns its row only.
    private static func member<Value>(
        _ body: () throws(BatchError) -> Value
    ) throws(OutputWriter.Obstacle) -> Value {
        do throws(BatchError) { return try body() } catch {
            throw OutputWriter.Obstacle(error: RowError("source-not-found", error.reason))
        }
    }
}
