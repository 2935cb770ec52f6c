import Encodings
import Glibc
import Synchronization

extension Hexadecimal {
    /// Unused random bytes, because one system call per ID costs more than the rest of it.
    private static let reserve = Mutex<[UInt8]>([])

    /// The largest request that `getentropy` accepts.
    private static let mostReserved = 256

    /// Random hexadecimal digits, two for each of `count` bytes (at most 256); never all 0.
    static func random(bytes count: Int) -> String {
        let bytes = reserve.withLock { reserve in
            if reserve.count < count {
                reserve = Array(repeating: 0, count: mostReserved)
                let status = getentropy(&reserve, mostReserved)
                precondition(status == 0, "the system gives no random bytes")
            }
            defer { reserve.removeLast(count) }
            return Array(reserve.suffix(count))
        }
        return bytes.allSatisfy { $0 == 0 } ? random(bytes: count) : text(bytes)
    }
}
