import Dispatch
import Glibc

/// A client on 127.0.0.1 that sends exactly the bytes it is told to, and understands as much of HTTP/1.1 as tests need.
///
/// Its calls block, so they run on a queue of their own: a blocked thread of Swift's pool could be the one that a
/// server's handler needs.
package final class LoopbackClient: Sendable {
    /// What went wrong on the connection.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// One answer.
    package struct Reply: Sendable {
        package var status: Int
        /// Names as they came, in their order.
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]

        /// The body as text.
        package var text: String { String(decoding: body, as: UTF8.self) }

        /// The value of the first field of that name; nil when there is none.
        package subscript(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "headroom.testing.client")

    /// Connects to a port of 127.0.0.1.
    package init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure("socket") }
        // A test that would hang fails instead; long, since all other tests share the processors.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard LoopbackAddress(port: port).with({ connect(descriptor, $0, $1) }) == 0 else {
            // The deinit of a class whose init throws runs once everything is set, and closes the descriptor.
            throw Self.failure("connect")
        }
    }

    deinit { close(descriptor) }

    /// A port of 127.0.0.1 that nobody listens on at the moment, for a program that cannot choose one by itself.
    ///
    /// It is below those that Linux gives to connections (32768 to 60999, ip(7)), so that none takes it meanwhile.
    package static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure("socket") }
        defer { close(descriptor) }
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<32_768)
            if LoopbackAddress(port: port).with({ bind(descriptor, $0, $1) }) == 0 { return port }
        }
        throw failure("bind")
    }

    /// Sends a request with `Host` and, when there is a body or the method has one, `Content-Length`.
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

    /// Sends bytes.
    package func send(_ bytes: [UInt8]) async throws {
        try await blocking { descriptor in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Self.failure("send") }
                sent += count
            }
        }
    }

    /// Leaves with a reset, as a client that is killed does.
    package func reset() async throws {
        try await blocking { descriptor in
            // Disconnecting a TCP socket sends RST, and the descriptor stays valid until deinit.
            var nowhere = sockaddr()
            nowhere.sa_family = sa_family_t(AF_UNSPEC)
            guard connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size)) == 0 else {
                throw Self.failure("disconnect")
            }
        }
    }

    /// The next answer; the next one has to be asked for after it.
    ///
    /// - Parameter toHead: Whether it answers a HEAD, and so has no body whatever its length says.
    /// - Returns: The whole answer.
    /// - Throws: ``Failure`` when the connection ends before it does.
    package func reply(toHead: Bool = false) async throws -> Reply {
        try await blocking { descriptor in
            var bytes: [UInt8] = []
            var bodyStart: Int?
            while true {
                if bodyStart == nil { bodyStart = Self.endOfHead(bytes) }
                if let bodyStart {
                    var reply = try Self.head(bytes[..<bodyStart])
                    let isBodiless = toHead || reply.status == 204 || reply.status == 304
                    let length = isBodiless ? 0 : reply["Content-Length"].flatMap { Int($0) } ?? 0
                    if bytes.count >= bodyStart + length {
                        reply.body = Array(bytes[bodyStart..<(bodyStart + length)])
                        return reply
                    }
                }
                var chunk = [UInt8](repeating: 0, count: 64 * 1024)
                let count = recv(descriptor, &chunk, chunk.count, 0)
                guard count > 0 else {
                    throw count < 0 ? Self.failure("recv") : Failure(description: "closed after \(bytes.count) bytes")
                }
                bytes += chunk[..<count]
            }
        }
    }

    private func blocking<Result: Sendable>(
        _ body: @escaping @Sendable (Int32) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body(self.descriptor) }) }
        }
    }

    private static func failure(_ call: String) -> Failure {
        let number = errno
        return Failure(description: "\(call): \(String(cString: strerror(number)))")
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) }.map { $0 + 4 }
    }

    private static func head(_ bytes: ArraySlice<UInt8>) throws -> Reply {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let words = lines.isEmpty ? [] : lines.removeFirst().split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { throw Failure(description: "no status line") }
        let headers = lines.map { line in
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(sides[0]), value: String((sides.last ?? "").drop { $0 == " " }))
        }
        return Reply(status: status, headers: headers, body: [])
    }
}
