import BinaryCoding
import Caching
import CZlib
import Cryptography
import Glibc
import Pipeline
import Requests
import Synchronization
import Workers

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

/// Runs jobs and caches their detections, so that a run searches images with equal bytes only once.
///
/// With a file, later runs also reuse the detections.
final class KnownFindings: Sendable {
    private static let cacheBytes = 64 << 20

    private let service: WorkerService
    private let file: FindingsFile?
    private let cache = ByteCache<String, DetectionResult>(budget: cacheBytes)
    private let flights = SingleFlight<String, JobOutcome>()

    /// Opens the file of cached detections at a path; does nothing if the path is nil.
    init(_ service: WorkerService, path: String?) throws(BatchError) {
        self.service = service
        file = if let path { try FindingsFile(path) } else { nil }
    }

    /// Runs a job; `digest` is the digest of the image's bytes.
    ///
    /// - Returns: The result, and whether the detections of an earlier search were reused.
    /// - Throws: A ``BatchError`` if detections cannot be written.
    func run(
        _ job: FrameJob,
        digest: String
    ) async throws -> (result: Result<FrameResult, PipelineError>, isKnown: Bool) {
        guard job.needsFaces else { return (await service.outcome(of: job).result, false) }
        let key = "\(ResponseVersion.current),\(service.detectorName),\(job.searchKey),\(digest)"
        var known = job
        known.findings = findings(for: key)
        if known.findings != nil { return (await service.outcome(of: known).result, true) }
        let arrival = await flights.join(key) { [service, cache, job] in
            var job = job
            // Another job may have finished the search of the same image since the first lookup.
            job.findings = cache.value(for: key)
            let outcome = await service.outcome(of: job)
            if let findings = outcome.findings { cache.store(findings, for: key, bytes: findings.bytes) }
            return outcome
        }
        guard let arrival else { return (.failure(.cancelled), false) }
        guard arrival.isJoined else {
            if let findings = arrival.value.findings { try keep(findings, for: key) }
            return (arrival.value.result, arrival.value.findings == nil)
        }
        // The other job may have had other parameters, so this job runs in any case.
        known.findings = arrival.value.findings ?? cache.value(for: key)
        return (await service.outcome(of: known).result, known.findings != nil)
    }

    private func findings(for key: String) -> DetectionResult? {
        if let findings = cache.value(for: key) { return findings }
        let stored = file?.bytes(for: key).flatMap {
            DetectionResult(decoding: $0, detectorName: service.detectorName, limits: service.limits)
        }
        if let stored { cache.store(stored, for: key, bytes: stored.bytes) }
        return stored
    }

    private func keep(_ findings: DetectionResult, for key: String) throws {
        if let file, let bytes = try? BinaryCoder.bytes(of: findings) { try file.add(bytes, for: key) }
    }
}
