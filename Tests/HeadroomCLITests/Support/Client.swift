import Foundation
import HeadroomTesting

/// A connection to a service on 127.0.0.1, over which a test says HTTP byte by byte.
final class Client: Sendable {
    struct Failure: Error { let call: String, number: Int32 }

    private let descriptor: Int32
    // Calls block, so they are made on a queue of their own and never on Swift's threads.
    private let queue = DispatchQueue(label: "client")

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let status = LoopbackAddress(port: port).with { [descriptor] in connect(descriptor, $0, $1) }
        guard status == 0 else { throw Failure(call: "connect", number: errno) }
        // A test that would hang fails instead.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends a request's header, with `Host` and the lines given.
    func send(_ requestLine: String, _ fields: [String] = [], body: [UInt8] = []) async throws {
        let head = ([requestLine, "Host: localhost"] + fields).map { "\($0)\r\n" }.joined() + "\r\n"
        try await send(Array(head.utf8) + body)
    }

    func send(_ bytes: [UInt8]) async throws {
        try await blocking { descriptor in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(call: "send", number: errno) }
                sent += count
            }
        }
    }

    /// The next bytes, at least one; none when the service has closed the connection.
    func receive() async throws -> [UInt8] {
        try await blocking { descriptor in
            var chunk = [UInt8](repeating: 0, count: 64 * 1024)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count >= 0 else { throw Failure(call: "recv", number: errno) }
            return Array(chunk[..<count])
        }
    }

    /// Everything until the service closes the connection: the answer to a request with `Connection: close`.
    func answer() async throws -> (head: String, body: [UInt8]) {
        var bytes: [UInt8] = []
        while case let more = try await receive(), !more.isEmpty { bytes += more }
        let end = bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) } ?? bytes.endIndex
        return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[end...].dropFirst(4)))
    }

    private func blocking<Result: Sendable>(
        _ body: @escaping @Sendable (Int32) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body(self.descriptor) }) }
        }
    }
}
