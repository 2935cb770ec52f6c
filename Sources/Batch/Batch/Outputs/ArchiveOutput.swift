import Encodings
import Fetching
import Glibc

/// A tar archive for appending results.
struct ArchiveOutput {
    private static let chunkBytes = 1 << 20

    private let path: String
    private let hidden: String
    private let file: OpenFile
    private(set) var length: Int

    /// Opens the archive, which grows in the hidden folder `parts`, and truncates it to the length in the journal.
    ///
    /// - Throws: A ``BatchError`` if the archive is shorter than in the journal, or if it would replace a file that is
    ///   not from this run.
    init(_ path: String, parts: String, length: Int, replaces isNew: Bool) throws(BatchError) {
        self.path = path
        self.length = length
        hidden = Self.growing(parts)
        let (hasHidden, hasFinal) = (access(hidden.systemPath, F_OK) == 0, access(path.systemPath, F_OK) == 0)
        if length == 0, hasFinal, !hasHidden, !isNew {
            throw BatchError("\(path) exists but there is no run to resume; use --restart to replace it")
        }
        // A resumed run makes the archive incomplete again, so the archive is hidden.
        if length > 0, !hasHidden, hasFinal, rename(path.systemPath, hidden.systemPath) != 0 { throw .system(path) }
        file = try OpenFile(hidden, O_RDWR | O_CREAT)
        guard let found = file.length, found >= length else {
            throw BatchError("\(path) is shorter than the results require; use --restart to start again")
        }
        try file.truncate(to: length)
    }

    /// The path of the archive before it is complete.
    static func growing(_ parts: String) -> String { "\(parts)/archive.tar" }

    /// Appends results and their companions: other members of the source archive with the same key.
    ///
    /// - Parameters:
    ///   - results: Finished results.
    ///   - companions: Members that are copied.
    ///   - sources: Opens the archives of the companions.
    ///   - textOnly: Whether only members that are ``PlainText`` are copied.
    /// - Returns: The names of the members that were not copied.
    /// - Throws: A ``RowError`` for a member that cannot be read; a ``BatchError`` if nothing can be written. In both
    ///   cases the archive is unchanged.
    mutating func append(
        _ results: [OutputWriter.Part],
        companions: [ArchiveMember],
        from sources: MemberFiles,
        textOnly: Bool
    ) throws -> [String] {
        let start = length
        var leftOut: [String] = []
        do {
            for result in results {
                let part = try OpenFile(result.file)
                try append(result.name, 0..<result.bytes) { range throws(BatchError) in try Self.read(part, range) }
            }
            for member in companions {
                let source = try Self.member { () throws(BatchError) in try sources.open(member.archive) }
                if textOnly, !(try Self.isText(source, member.range)) {
                    leftOut.append(member.name)
                    continue
                }
                try append(member.name, member.range) { range in
                    try Self.member { () throws(BatchError) in try Self.read(source, range) }
                }
            }
        } catch {
            length = start
            try file.truncate(to: start)
            throw error
        }
        return leftOut
    }

    /// Writes the end of the archive and renames it to its final path.
    mutating func finish() throws(BatchError) {
        try file.write(TarWriter.end)
        guard fsync(file.descriptor) == 0, rename(hidden.systemPath, path.systemPath) == 0 else { throw .system(path) }
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

    /// Whether a range of an archive is plain text.
    private static func isText(_ source: any InputFile, _ range: Range<Int>) throws -> Bool {
        var text = PlainText()
        var offset = range.lowerBound
        while offset < range.upperBound {
            let next = offset..<min(offset + chunkBytes, range.upperBound)
            let bytes = try member { () throws(BatchError) in try read(source, next) }
            guard text.add(bytes) else { return false }
            offset += bytes.count
        }
        return text.isText
    }

    /// Reads a range, or its first bytes; at least one.
    private static func read(_ source: any InputFile, _ range: Range<Int>) throws(BatchError) -> [UInt8] {
        let bytes = try source.read(range)
        guard !bytes.isEmpty else { throw BatchError("\(source.path): the file became shorter") }
        return bytes
    }

    /// Converts a failure to read a member into an error of its row, so that the run continues.
    private static func member<Value>(
        _ body: () throws(BatchError) -> Value
    ) throws(RowError) -> Value {
        do throws(BatchError) { return try body() } catch {
            throw RowError("source-not-found", detail: error.reason)
        }
    }
}

/// Opens archives whose members are copied.
///
/// The last archive in a bucket stays open, so that neighbouring members share one request.
final class MemberFiles {
    private let buckets: ObjectReader?
    private var last: (path: String, file: ObjectFile)?

    init(_ buckets: ObjectReader?) { self.buckets = buckets }

    func open(_ path: String) throws(BatchError) -> any InputFile {
        guard BatchInputs.isObject(path), let buckets else { return try OpenFile(path) }
        if let last, last.path == path { return last.file }
        guard let place = try? ObjectPlace(path) else { throw BatchError("\(path): not the URL of an object") }
        let file = ObjectFile(place, buckets)
        last = (path, file)
        return file
    }
}

/// Headers and padding of the tar archives that are written: ustar, with a pax header for long names and large files.
enum TarWriter {
    /// The end of an archive.
    static let end = [UInt8](repeating: 0, count: 2 * TarHeader.blockBytes)

    /// The header of a file; its owner, time and mode are fixed, so that equal results lead to equal archives.
    static func header(_ name: String, size: Int) -> [UInt8] {
        guard FileName.bytes(of: name).count > 100 || size >= 1 << 33 else { return ustar(name, size: size, type: "0") }
        let records = record("path", FileName.bytes(of: name)) + record("size", Array("\(size)".utf8))
        let short = String(decoding: name.utf8.prefix(99).map { $0 < 0x80 ? $0 : 0x5F }, as: UTF8.self)
        return ustar("PaxHeader", size: records.count, type: "x") + records + padding(records.count)
            + ustar(short, size: min(size, (1 << 33) - 1), type: "0")
    }

    /// The zeros after the content of a member.
    static func padding(_ size: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (TarHeader.blockBytes - size % TarHeader.blockBytes) % TarHeader.blockBytes)
    }

    private static func record(_ keyword: String, _ value: [UInt8]) -> [UInt8] {
        // The length includes its own digits.
        let rest = keyword.utf8.count + value.count + 3
        var length = rest
        while length != rest + "\(length)".utf8.count { length = rest + "\(length)".utf8.count }
        return Array("\(length) \(keyword)=".utf8) + value + [0x0A]
    }

    private static func ustar(_ name: String, size: Int, type: Character) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: TarHeader.blockBytes)
        func put(_ text: String, at offset: Int) {
            put(Array(text.utf8), at: offset)
        }
        func put(_ bytes: [UInt8], at offset: Int) {
            for (index, byte) in bytes.enumerated() { block[offset + index] = byte }
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(FileName.bytes(of: name), at: 0)
        put("0000644", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(octal(size, 11), at: 124)
        put(octal(0, 11), at: 136)
        put("\(type)", at: 156)
        put("ustar\u{0}00", at: 257)
        put(octal(TarHeader.checksum(block), 6) + "\u{0} ", at: 148)
        return block
    }
}
