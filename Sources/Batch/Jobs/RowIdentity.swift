import Encodings
import Synchronization

/// 128 bits of a digest that identify a key, a row, or a path of a result.
struct RowIdentity: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    init(key: String) { self.init("k", key) }

    init(row: String) { self.init("r", row) }

    init(output: String) { self.init("o", output) }

    private init(_ kind: String, _ text: String) {
        self.init(digest: SHA256.digest(of: Array("\(kind)\(text)".utf8)))
    }

    /// The first bits of a digest of at least 16 bytes.
    init(digest: [UInt8]) {
        high = digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The paths of results of this run and earlier ones.
///
/// Thread-safe.
final class TakenPaths: Sendable {
    private let paths = Mutex<Set<RowIdentity>>([])

    /// Whether a result has a path.
    func contains(_ path: String) -> Bool { paths.withLock { $0.contains(RowIdentity(output: path)) } }

    /// Takes a path; false if it is taken.
    @discardableResult
    func take(_ path: String) -> Bool { paths.withLock { $0.insert(RowIdentity(output: path)).inserted } }

    /// Takes all paths of a row, or none of them.
    ///
    /// - Returns: The first path that is taken or repeated; nil if all were taken for the row.
    func takeAll(_ names: [String]) -> String? {
        paths.withLock { paths in
            var taken: [RowIdentity] = []
            for name in names {
                let identity = RowIdentity(output: name)
                guard paths.insert(identity).inserted else {
                    for each in taken { paths.remove(each) }
                    return name
                }
                taken.append(identity)
            }
            return nil
        }
    }

    /// Gives back the paths of a row that has no result.
    func release(_ names: [String]) {
        paths.withLock { paths in for name in names { paths.remove(RowIdentity(output: name)) } }
    }
}
