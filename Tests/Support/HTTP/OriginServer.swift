import Foundation
import Glibc
import Synchronization

/// A server on one loopback address that serves images; a script determines the bytes of each connection.
///
/// ``TestOrigin`` responds to complete requests. Linux accepts connections on all of 127.0.0.0/8, so several origins
/// can share a port.
package final class OriginServer: Sendable {
    package typealias Script = @Sendable (OriginConnection) -> Void

    package let address: String
    package let port: Int
    private let bound: ReservedPort
    private let script: Script
    private let accepted = Atomic<Int>(0)
    private let open = OpenConnections()

    /// Listens, and runs the script for every connection on its own thread.
    package init(address: String = "127.0.0.1", port: Int = 0, script: @escaping Script) throws {
        let bound = try ReservedPort(address: address, port: port)
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
                let open = self.open
                Thread.detachNewThread { script(OriginConnection(descriptor, among: open)) }
            }
        }
    }

    deinit {
        // Wakes the accepting thread, which then closes the port.
        shutdown(bound.descriptor, Int32(SHUT_RDWR))
    }

    /// An origin that sends the same bytes in response to every request, then closes the connection.
    package convenience init(address: String = "127.0.0.1", port: Int = 0, answering response: String) throws {
        try self.init(address: address, port: port) { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(response)
        }
    }

    /// Two origins on the same port of different addresses, like two addresses of one name.
    package static func pair(
        _ first: (address: String, response: String),
        _ second: (address: String, response: String)
    ) throws -> (OriginServer, OriginServer) {
        // The port that the system assigns for one address may be in use on the other.
        for _ in 0..<100 {
            let origin = try OriginServer(address: first.address, answering: first.response)
            if let twin = try? OriginServer(address: second.address, port: origin.port, answering: second.response) {
                return (origin, twin)
            }
        }
        throw POSIXError(.EADDRINUSE)
    }

    /// The number of accepted connections.
    package var connections: Int { accepted.load(ordering: .relaxed) }

    /// The URL of a path.
    package func url(_ path: String = "/a.jpg") -> String { "http://\(address):\(port)\(path)" }

    /// Stops listening and ends all connections.
    package func stop() {
        shutdown(bound.descriptor, Int32(SHUT_RDWR))
        open.end()
    }
}

/// A bound TCP port that refuses connections until it listens, and that no other program can get.
package final class ReservedPort: Sendable {
    package let descriptor: Int32
    package let port: Int

    package init(address: String = "127.0.0.1", port: Int = 0) throws {
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

    deinit { close(descriptor) }
}
