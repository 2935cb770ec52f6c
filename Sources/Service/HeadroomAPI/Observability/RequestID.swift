import Encodings
import HTTPServer
import HTTPTypes

/// The ID of a request in logs and in its response.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length of an ID accepted from a client, in characters.
    package static let maxLength = 128

    /// The client's `X-Request-Id`, or 32 hexadecimal digits.
    package let description: String

    /// Uses the `X-Request-Id` of the client or proxy if it has 1 to ``maxLength`` visible ASCII characters; otherwise
    /// generates a random ID.
    init(_ headers: HTTPFields) {
        // Several values are joined with spaces.
        if let id = headers.value(of: .requestID), (1...Self.maxLength).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
        {
            description = id
        } else {
            description = Hexadecimal.random(bytes: 16)
        }
    }
}
