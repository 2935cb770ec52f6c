import Glibc
import Synchronization

/// One connection of an ``OriginServer``; closed when the last reference is released.
package final class OriginConnection {
    private let descriptor: Int32
    private let open: OpenConnections

    init(_ descriptor: Int32, among open: OpenConnections) {
        self.descriptor = descriptor
        self.open = open
        // This timeout is longer than the wait of any test.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        open.add(descriptor)
    }

    deinit {
        // Closing with unread bytes would send a reset, which may overtake the response.
        shutdown(descriptor, Int32(SHUT_WR))
        open.close(descriptor)
    }

    /// The header of the next request; nil if the client has disconnected.
    package func readRequest() -> String? {
        var header: [UInt8] = []
        var byte: UInt8 = 0
        while !header.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
            header.append(byte)
        }
        return String(decoding: header, as: UTF8.self)
    }

    /// The next bytes; nil if the client disconnects first.
    package func readBody(_ count: Int) -> [UInt8]? {
        var body = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < count {
            let more = body[received...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard more > 0 else { return nil }
            received += more
        }
        return body
    }

    /// - Returns: Whether the client is still connected.
    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// - Returns: Whether the client is still connected.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
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

    /// Waits until the client closes.
    package func waitForClose() {
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, 0) == 1 {}
    }

    /// Waits until the client closes, for at most `milliseconds`.
    ///
    /// - Returns: Whether the client has closed.
    package func waitForClose(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}

/// The open connections of an origin.
final class OpenConnections: Sendable {
    private struct State {
        var descriptors: Set<Int32> = []
        var hasEnded = false
    }

    private let state = Mutex(State())

    func add(_ descriptor: Int32) {
        state.withLock { state in
            state.descriptors.insert(descriptor)
            if state.hasEnded { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Called with the lock held, so that ``end()`` never uses a reassigned descriptor number.
    func close(_ descriptor: Int32) {
        state.withLock { state in
            state.descriptors.remove(descriptor)
            _ = Glibc.close(descriptor)
        }
    }

    /// Ends all connections, and also connections that are added later.
    func end() {
        state.withLock { state in
            state.hasEnded = true
            for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }
}
