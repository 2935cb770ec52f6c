import Cryptography

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
