import Foundation
import Glibc
import Synchronization

/// A tiny origin for tests: plain sockets and threads on one loopback address, answering byte for byte as told.
///
/// Linux answers on all of 127.0.0.0/8, so several origins can share a port on different addresses.
final class LoopbackOrigin: Sendable {
    typealias Script = @Sendable (LoopbackConnection) -> Void

    let address: String
    let port: Int
    private let bound: LoopbackPort
    private let script: Script
    private let accepted = Atomic<Int>(0)

    /// Listens and answers every connection with the script, each on its own thread.
    init(address: String = "127.0.0.1", port: Int = 0, script: @escaping Script) throws {
        let bound = try LoopbackPort(address: address, port: port)
        guard listen(bound.descriptor, 128) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        self.address = address
        self.port = bound.port
        self.bound = bound
        self.script = script
        Thread.detachNewThread { [weak self] in
            while true {
                let descriptor = accept(bound.descriptor, nil, nil)
                guard descriptor >= 0 else { break }
                guard let self else {
                    close(descriptor)
                    break
                }
                accepted.add(1, ordering: .relaxed)
                let script = self.script
                Thread.detachNewThread {
                    let connection = LoopbackConnection(descriptor)
                    script(connection)
                }
            }
        }
    }

    deinit {
        // Wakes the accepting thread, which then lets go of the port.
        shutdown(bound.descriptor, Int32(SHUT_RDWR))
    }

    /// An origin that answers every request on every connection with the same bytes, then closes the connection.
    convenience init(address: String = "127.0.0.1", port: Int = 0, answering response: String) throws {
        try self.init(address: address, port: port) { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(response)
        }
    }

    /// Two origins on the same port of different addresses, as the addresses of one name have it.
    static func pair(
        _ first: (address: String, answer: String),
        _ second: (address: String, answer: String)
    ) throws -> (LoopbackOrigin, LoopbackOrigin) {
        // The port that the system picks for one address may be taken on the other.
        for _ in 0..<100 {
            let origin = try LoopbackOrigin(address: first.address, answering: first.answer)
            if let twin = try? LoopbackOrigin(address: second.address, port: origin.port, answering: second.answer) {
                return (origin, twin)
            }
        }
        throw POSIXError(.EADDRINUSE)
    }

    /// Connections accepted so far.
    var connections: Int {
        accepted.load(ordering: .relaxed)
    }

    func url(_ path: String = "/a.jpg") -> String {
        "http://\(address):\(port)\(path)"
    }
}

/// A TCP port that is taken, so that nobody else gets it, but refuses connections until someone listens.
final class LoopbackPort: Sendable {
    let descriptor: Int32
    let port: Int

    init(address: String = "127.0.0.1", port: Int = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var bound = sockaddr_in()
        bound.sin_family = sa_family_t(AF_INET)
        bound.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, address, &bound.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let isBound = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        self.port = Int(in_port_t(bigEndian: bound.sin_port))
        guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit {
        close(descriptor)
    }
}

/// One accepted connection; closes when it goes away.
final class LoopbackConnection {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        // Unread bytes would turn the close into a reset that overtakes the answer.
        shutdown(descriptor, Int32(SHUT_WR))
        close(descriptor)
    }

    /// The header of the next request; nil when the client has gone.
    func readRequest() -> String? {
        var header: [UInt8] = []
        var byte: UInt8 = 0
        while !header.ends(with: "\r\n\r\n") {
            guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
            header.append(byte)
        }
        return String(decoding: header, as: UTF8.self)
    }

    /// - Returns: Whether the client still listens.
    @discardableResult
    func write(_ text: String) -> Bool {
        write(Array(text.utf8))
    }

    /// - Returns: Whether the client still listens.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Waits for the client to close.
    func waitForClose() {
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, 0) == 1 {}
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool {
        suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
