import Caching
import Synchronization

/// A file of cached detections, as the permanent level of the service's detection cache.
final class FindingsStore: SharedStore {
    private let file: FindingsFile
    private let failed = Mutex<BatchError?>(nil)

    /// Opens, locks and reads a file, or creates it.
    init(_ path: String) throws(BatchError) { file = try FindingsFile(path) }

    /// The first failure to write detections; nil if there was none.
    ///
    /// The run ends with this error, because later runs would search all images again.
    var failure: BatchError? { failed.withLock { $0 } }

    func bytes(for key: String) async -> [UInt8]? {
        file.bytes(for: Self.name(key)).map { SharedRecord(head: $0).framed(for: key) }
    }

    func keep(_ bytes: [UInt8], for key: String, lifetime: Duration) {
        // The records of the file have their own checksums, so they contain only the detections.
        guard let record = SharedRecord(framed: bytes, for: key) else { return }
        do throws(BatchError) {
            try file.add(record.head, for: Self.name(key))
        } catch {
            failed.withLock { $0 = $0 ?? error }
        }
    }

    /// Returns a key without the name of the cache, because the file contains only detections.
    private static func name(_ key: String) -> String { String(key.drop { $0 != ":" }.dropFirst()) }
}
