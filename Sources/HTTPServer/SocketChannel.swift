import CLinux
import Dispatch
import Glibc

/// A connected socket, and who is told when it can be read or written; the one owner of its descriptor.
///
/// `@unchecked Sendable`: all calls are made on the queue of its poller.
final class SocketChannel: @unchecked Sendable {
    /// Negative after ``close()``, so that nothing reaches another connection with the same number.
    private(set) var descriptor: Int32
    /// Whether the peer is known to send no more.
    ///
    /// No event is going to tell: who reads has to go on to the end.
    private(set) var hasEnded = false
    private let poller: SocketPoller
    private let queue: DispatchQueue
    private var onReadable: (() -> Void)?
    private var onWritable: (() -> Void)?
    private var isReading = false

    /// Closes a socket that nobody watches yet.
    static func discard(_ descriptor: Int32) { Glibc.close(descriptor) }

    /// Takes over a non-blocking socket.
    init(adopting descriptor: Int32, poller: SocketPoller, queue: DispatchQueue) {
        self.descriptor = descriptor
        self.poller = poller
        self.queue = queue
    }

    /// Calls `onReadable` whenever new bytes, the end of the stream, or an error have come; false when that cannot be.
    func startReading(_ onReadable: @escaping () -> Void) -> Bool {
        self.onReadable = onReadable
        isReading = true
        return poller.add(self)
    }

    /// Stops calling back: for a client that sends too much, or after the end of the stream.
    func pauseReading() { isReading = false }

    /// Calls back again, once in any case: what came in the meantime has had its event.
    func resumeReading() {
        guard !isReading else { return }
        isReading = true
        queue.async { self.readIfWanted() }
    }

    /// Calls `onWritable` whenever the socket takes bytes again, until ``stopAwaitingWritable()``.
    func awaitWritable(_ onWritable: @escaping () -> Void) {
        guard self.onWritable == nil else { return }
        self.onWritable = onWritable
        poller.watchWriting(of: self, true)
    }

    func stopAwaitingWritable() {
        guard onWritable != nil else { return }
        onWritable = nil
        poller.watchWriting(of: self, false)
    }

    /// What the poller has to say.
    func tell(_ event: hr_event) {
        if event.has_ended { hasEnded = true }
        if event.is_writable { onWritable?() }
        if event.is_readable { readIfWanted() }
    }

    func close() {
        guard descriptor >= 0 else { return }
        poller.remove(self)
        Glibc.close(descriptor)
        descriptor = -1
        onReadable = nil
        onWritable = nil
    }

    private func readIfWanted() {
        guard isReading else { return }
        onReadable?()
    }
}
