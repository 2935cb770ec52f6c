import CZlib
import Cryptography
import Glibc
import Synchronization

/// An append-only file with detections that later runs reuse.
///
/// A record consists of a mark, a key of 32 bytes, the length of its content, the CRC-32 of its content (both 4 bytes,
/// little-endian), and the content. A damaged record is skipped: reading continues at the next mark. An incomplete
/// record at the end is removed.
final class FindingsFile: Sendable {
    /// The maximum content in bytes.
    static let maxBytes = 1 << 20

    private static let mark = Array("HRFINDS1".utf8)
    private static let headerBytes = mark.count + SHA256.byteCount + 8

    private struct State {
        var ranges: [RowIdentity: Range<Int>] = [:]
        var end = 0
    }

    private let file: OpenFile
    private let state: Mutex<State>

    /// Opens, locks and reads a file, or creates it.
    init(_ path: String) throws(BatchError) {
        let folder = RelativePath.folder(of: path)
        if !folder.isEmpty { try PartsFolder.create(String(folder)) }
        file = try OpenFile(path, O_RDWR | O_CREAT)
        guard file.lock() else { throw BatchError("\(path) is in use by another run") }
        guard let length = file.length else { throw BatchError(usage: "--findings=\(path) must be a regular file") }
        let state = try Self.read(file, length: length)
        // A file may also contain only the start of its first record.
        let isBegun = try Self.mark.starts(with: file.read(0..<min(length, Self.mark.count)))
        guard state.end > 0 || !state.ranges.isEmpty || isBegun && length < Self.headerBytes else {
            throw BatchError(
                "\(path) exists but was not written by headroom batch --findings; choose another file, or delete it"
            )
        }
        self.state = Mutex(state)
        try file.truncate(to: state.end)
    }

    /// The content for a key; nil if it is missing or damaged.
    func bytes(for key: String) -> [UInt8]? {
        let digest = Self.digest(key)
        guard let range = state.withLock({ $0.ranges[RowIdentity(digest: digest)] }),
            let record = try? file.read(range), record.count == range.count,
            record.starts(with: Self.mark + digest)
        else { return nil }
        let content = Array(record[Self.headerBytes...])
        return Self.number(record[(Self.headerBytes - 4)...]) == Self.checksum(digest, content) ? content : nil
    }

    /// Adds a record, unless its content is too large.
    ///
    /// - Throws: A ``BatchError`` if it cannot be written; a partly written record is removed.
    func add(_ content: [UInt8], for key: String) throws(BatchError) {
        guard content.count <= Self.maxBytes else { return }
        let digest = Self.digest(key)
        var record = Self.mark + digest
        for number in [UInt32(content.count), Self.checksum(digest, content)] {
            withUnsafeBytes(of: number.littleEndian) { record.append(contentsOf: $0) }
        }
        record += content
        let identity = RowIdentity(digest: digest)
        let failure: BatchError? = state.withLock { state -> BatchError? in
            do throws(BatchError) {
                try file.write(record)
                state.ranges[identity] = state.end..<(state.end + record.count)
                state.end += record.count
                return nil
            } catch {
                try? file.truncate(to: state.end)
                return error
            }
        }
        if let failure { throw failure }
    }

    private static func read(_ file: OpenFile, length: Int) throws(BatchError) -> State {
        var state = State()
        var offset = 0
        while offset + headerBytes <= length {
            let header = try file.read(offset..<(offset + headerBytes))
            let size = Int(number(header[(headerBytes - 8)...]))
            let end = offset + headerBytes + size
            // A record beyond the end is incomplete, unless its length is damaged and another record follows.
            guard header.starts(with: mark), size <= maxBytes, end <= length else {
                guard let next = try nextMark(file, from: offset + 1, length: length) else { return state }
                offset = next
                continue
            }
            let digest = Array(header[mark.count..<(mark.count + SHA256.byteCount)])
            state.ranges[RowIdentity(digest: digest)] = offset..<end
            state.end = end
            offset = end
        }
        return state
    }

    private static func nextMark(_ file: OpenFile, from start: Int, length: Int) throws(BatchError) -> Int? {
        var start = start
        while start < length {
            let chunk = try file.read(start..<min(start + (1 << 16), length))
            var place = chunk.startIndex
            while let found = chunk[place...].firstIndex(of: mark[0]) {
                if chunk[found...].starts(with: mark) { return start + found }
                place = found + 1
            }
            guard chunk.count >= mark.count else { return nil }
            // A mark may span two chunks.
            start += chunk.count - mark.count + 1
        }
        return nil
    }

    private static func digest(_ key: String) -> [UInt8] { SHA256.digest(of: Array(key.utf8)) }

    private static func checksum(_ digest: [UInt8], _ content: [UInt8]) -> UInt32 {
        var sum = crc32_z(0, nil, 0)
        for part in [digest, content] { sum = crc32_z(sum, part, part.count) }
        return UInt32(truncatingIfNeeded: sum)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
