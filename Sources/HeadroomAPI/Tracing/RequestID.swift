import Glibc
import HTTPTypes
import Synchronization

/// What one request is called in logs and in its answer.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The longest that is taken from a client, in characters.
    package static let maxLength = 128

    /// The client's `X-Request-Id`, or 32 hexadecimal digits.
    package let description: String

    /// Takes the client's, or that of the proxy in front, if there is one and it is 1 to ``maxLength`` visible ASCII
    /// characters; else draws one.
    init(_ headers: HTTPFields) {
        let given = headers[values: .requestID]
        if given.count == 1, let id = given.first, (1...Self.maxLength).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
        {
            description = id
        } else {
            description = Hexadecimal.random(bytes: 16)
        }
    }
}

extension Hexadecimal {
    /// Bytes of the system that nobody was given yet: a call for each name costs more than all else of it.
    private static let reserve = Mutex<[UInt8]>([])

    /// The most that `getentropy` gives at once.
    private static let mostReserved = 256

    /// Two digits for each of so many bytes that nobody can foresee, at most 256; they are not all 0.
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
