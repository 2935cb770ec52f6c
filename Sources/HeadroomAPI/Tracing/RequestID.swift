import Glibc
import HTTPTypes

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
    /// Two digits for each of so many bytes that nobody can foresee, at most 256; they are not all 0.
    static func random(bytes count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        repeat {
            // In one call of the system: Swift's generator makes one for every 8 bytes.
            let status = getentropy(&bytes, count)
            precondition(status == 0, "the system gives no random bytes")
        } while bytes.allSatisfy { $0 == 0 }
        return text(bytes)
    }
}
