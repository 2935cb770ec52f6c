import Dispatch
import Glibc

/// A client with one connection.
///
/// It sends the bytes of a test unchanged, and reads HTTP/1.1 responses. Its calls block, so they run on a separate
/// queue. On Swift's pool, a blocked call could occupy the thread that a server's handler needs.
package final class TestClient: Sendable {
    /// The address of the server.
    package enum Peer: Sendable {
        case tcp(host: String, port: UInt16)
        case unix(path: String)
    }

    /// An error of the connection.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }

        /// A failed system call, with the value of `errno`.
        init(call: String) {
            let number = errno
            description = "\(call): \(String(cString: strerror(number)))"
        }
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "headroom.test.client")
    private let received = Received()

    /// Accessed on `queue` only.
    private final class Received: @unchecked Sendable {
        var bytes: [UInt8] = []
    }

    /// Connects to a port of 127.0.0.1.
    package convenience init(port: UInt16) throws { try self.init(to: .tcp(host: "127.0.0.1", port: port)) }

    /// Connects.
    ///
    /// - Parameters:
    ///   - peer: The address of the server.
    ///   - source: The IPv4 source address of the connection; nil lets the system choose.
    ///   - receiveBuffer: The size of the socket's buffer in bytes; nil for the system's default.
    /// - Throws: ``Failure`` if the host does not exist or does not accept the connection.
    package init(to peer: Peer, from source: String? = nil, receiveBuffer: Int32? = nil) throws {
        switch peer {
        case .tcp(let host, let port):
            descriptor = try Self.connect(toHost: host, port: port, from: source, receiveBuffer: receiveBuffer)
        case .unix(let path):
            descriptor = try Self.connect(toPath: path)
        }
        // The timeout makes a test fail instead of hanging; it is long because all tests share the processors.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends a request with `Host`, and with `Content-Length` if it has a body or if requests with its method usually
    /// have one.
    package func send(
        _ method: String,
        _ target: String,
        headers: [(String, String)] = [],
        body: [UInt8] = []
    ) async throws {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !body.isEmpty || method == "POST" { head += "Content-Length: \(body.count)\r\n" }
        try await send(Array("\(head)\r\n".utf8) + body)
    }

    /// Sends text unchanged.
    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Sends bytes unchanged.
    package func send(_ bytes: [UInt8]) async throws {
        try await blocking { descriptor in try Self.send(bytes, to: descriptor) }
    }

    /// Sends a few bytes on the calling thread, for callers that cannot wait.
    package func sendAtOnce(_ text: String) throws { try Self.send(Array(text.utf8), to: descriptor) }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(call: "send") }
            sent += count
        }
    }

    /// Sends FIN and continues to read, like `nc -N`.
    package func finishSending() async throws {
        try await blocking { descriptor in _ = shutdown(descriptor, Int32(SHUT_WR)) }
    }

    /// Closes with a reset, like a killed client.
    package func reset() async throws {
        try await blocking { descriptor in
            // Disconnecting a TCP socket sends RST, and the descriptor stays valid until deinit.
            var nowhere = sockaddr()
            nowhere.sa_family = sa_family_t(AF_UNSPEC)
            guard Glibc.connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size)) == 0 else {
                throw Failure(call: "disconnect")
            }
        }
    }

    /// Returns the next response, which may be an interim response (1xx).
    ///
    /// - Parameter toHead: Whether this is the response to HEAD, which has no body regardless of its length field.
    /// - Returns: The complete response.
    /// - Throws: ``Failure`` if the connection ends before the response.
    package func reply(toHead: Bool = false) async throws -> Reply {
        let received = received
        return try await blocking { descriptor in
            while true {
                if let reply = try Reply(takenFrom: &received.bytes, toHead: toHead) { return reply }
                guard try Self.receive(descriptor, into: &received.bytes) else {
                    throw Failure("the connection ended after: \(String(decoding: received.bytes, as: UTF8.self))")
                }
            }
        }
    }

    /// Reads until at least `count` bytes have arrived that belong to no returned response.
    package func receive(atLeast count: Int) async throws {
        let received = received
        try await blocking { descriptor in
            while received.bytes.count < count {
                guard try Self.receive(descriptor, into: &received.bytes) else { throw Failure("the connection ended") }
            }
        }
    }

    /// Reads until the server closes the connection.
    ///
    /// - Returns: The number of bytes that belong to no returned response.
    @discardableResult
    package func expectEnd() async throws -> Int {
        let received = received
        return try await blocking { descriptor in
            while try Self.receive(descriptor, into: &received.bytes) {}
            return received.bytes.count
        }
    }

    /// Reads until the server closes the connection.
    ///
    /// - Returns: The bytes that belong to no returned response.
    package func rest() async throws -> [UInt8] {
        let received = received
        return try await blocking { descriptor in
            while try Self.receive(descriptor, into: &received.bytes) {}
            return received.bytes
        }
    }

    private func blocking<Result: Sendable>(
        _ body: @escaping @Sendable (Int32) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body(self.descriptor) }) }
        }
    }

    private static func receive(_ descriptor: Int32, into bytes: inout [UInt8]) throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count >= 0 else { throw Failure(call: "recv") }
        bytes += chunk[..<count]
        return count > 0
    }
}
