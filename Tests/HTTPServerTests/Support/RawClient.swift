import Dispatch
import Glibc
import HTTPServer

/// A client that sends exactly the bytes it is told to.
///
/// Its calls block, so they run on a queue of their own: a blocked thread of Swift's pool could be the one that a
/// handler needs.
final class RawClient: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ call: String, errno number: Int32) {
            description = "\(call): \(String(cString: strerror(number)))"
        }

        init(_ description: String) { self.description = description }
    }

    /// One answer, or what there was of it.
    struct Reply {
        var status = 0
        /// Lower-case names; the last of repeated ones.
        var headers: [String: String] = [:]
        var body: [UInt8] = []

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "client")
    private let received = Received()

    /// Touched on `queue` only.
    private final class Received: @unchecked Sendable {
        var bytes: [UInt8] = []
    }

    /// Connects to `address`, or to `host` at its port, from the IPv4 address `source`; `receiveBuffer` is the size of the
    /// socket's buffer in bytes.
    init(_ address: BoundAddress, host: String? = nil, from source: String? = nil, receiveBuffer: Int32? = nil) throws {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        switch address {
        case .tcp(let boundHost, let port):
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host ?? boundHost, "\(port)", &hints, &list) == 0, let info = list else {
                throw Failure("no such host \(boundHost)")
            }
            defer { freeaddrinfo(list) }
            descriptor = socket(info.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw Failure("socket", errno: errno) }
            if var receiveBuffer {
                setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
            }
            if let source {
                var local = sockaddr_in()
                local.sin_family = sa_family_t(AF_INET)
                inet_pton(AF_INET, source, &local.sin_addr)
                let status = withUnsafeBytes(of: &local) { bytes in
                    bytes.withMemoryRebound(to: sockaddr.self) {
                        bind(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
                guard status == 0 else { throw Failure("bind", errno: errno) }
            }
            guard connect(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 else {
                throw Failure("connect", errno: errno)
            }
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // A bound address is a real one.
        case .inherited(let number): throw Failure("descriptor \(number) is no address")
        case .unix(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw Failure("socket", errno: errno) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let status = withUnsafeBytes(of: &address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) {
                    connect(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard status == 0 else { throw Failure("connect", errno: errno) }
        }
        // A test that would hang fails instead; long, since all other tests share the processors.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        try await blocking { descriptor in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure("send", errno: errno) }
                sent += count
            }
        }
    }

    /// Sends FIN and goes on reading, as `nc -N` does.
    func finishSending() async throws {
        try await blocking { descriptor in _ = shutdown(descriptor, Int32(SHUT_WR)) }
    }

    /// Leaves with a reset.
    func reset() async throws {
        try await blocking { descriptor in
            // Disconnecting a TCP socket sends RST, and the descriptor stays valid until deinit.
            var nowhere = sockaddr()
            nowhere.sa_family = sa_family_t(AF_UNSPEC)
            guard connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size)) == 0 else {
                throw Failure("disconnect", errno: errno)
            }
        }
    }

    /// The next answer; interim ones (1xx) are answers too.
    func reply(toHead: Bool = false) async throws -> Reply {
        let received = received
        return try await blocking { descriptor in
            while true {
                if let reply = Self.takeReply(&received.bytes, toHead: toHead) { return reply }
                guard try Self.receive(descriptor, into: &received.bytes) else {
                    throw Failure("the connection ended after: \(String(decoding: received.bytes, as: UTF8.self))")
                }
            }
        }
    }

    /// Reads until the server closes, and returns how many bytes came.
    @discardableResult
    func expectEnd() async throws -> Int {
        let received = received
        return try await blocking { descriptor in
            while try Self.receive(descriptor, into: &received.bytes) {}
            return received.bytes.count
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
        guard count >= 0 else { throw Failure("recv", errno: errno) }
        bytes += chunk[..<count]
        return count > 0
    }

    /// Where the empty line begins; with memchr, for hundreds of thousands of answers are looked through in debug.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var start = 0
            while let found = memchr(base + start, 0x0D, buffer.count - start) {
                let end = UnsafeRawPointer(found) - base
                guard buffer.count - end >= 4 else { return nil }
                if memcmp(found, "\r\n\r\n", 4) == 0 { return end }
                start = end + 1
            }
            return nil
        }
    }

    private static func takeReply(_ bytes: inout [UInt8], toHead: Bool) -> Reply? {
        guard let end = endOfHead(bytes) else { return nil }
        var lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        var reply = Reply(status: Int(lines.removeFirst().split(separator: " ")[1]) ?? 0)
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            reply.headers[line[..<colon].lowercased()] = String(value)
        }
        let isBodiless = toHead || reply.status < 200 || reply.status == 204 || reply.status == 304
        let length = isBodiless ? 0 : reply.headers["content-length"].flatMap { Int($0) } ?? 0
        guard bytes.count >= end + 4 + length else { return nil }
        reply.body = Array(bytes[(end + 4)..<(end + 4 + length)])
        bytes.removeFirst(end + 4 + length)
        return reply
    }
}
