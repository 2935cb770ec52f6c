import CLinux
import Glibc
import TotalFunctions

/// A connected socket with its readiness callbacks.
///
/// It owns its descriptor.
///
/// `@unchecked Sendable` because all calls are made on the poller's queue.
final class SocketChannel: @unchecked Sendable {
    /// The maximum number of unsent bytes that the kernel buffers.
    ///
    /// This is enough to keep a fast line busy while the loop serves other connections, and much less than the
    /// megabytes that the kernel buffers by default.
    private static let maxUnsentKernelBytes: Int32 = 256 * 1024

    /// The descriptor; negative after ``close()``, so that no call affects another connection with the same number.
    private(set) var descriptor: Int32
    /// Whether the peer has closed its sending side.
    ///
    /// No later event reports this, so the reader must read to the end of the stream.
    private(set) var hasEnded = false
    private let poller: SocketPoller
    private var onReadable: (() -> Void)?
    private var onWritable: (() -> Void)?
    private var isReading = false

    /// Closes an accepted socket that does not have a channel.
    static func discard(_ descriptor: Int32) { Glibc.close(descriptor) }

    init(adopting descriptor: Int32, poller: SocketPoller) {
        self.descriptor = descriptor
        self.poller = poller
    }

    /// Calls `onReadable` for new bytes, the end of the stream, and errors.
    ///
    /// Returns false if polling fails.
    func startReading(_ onReadable: @escaping () -> Void) -> Bool {
        self.onReadable = onReadable
        isReading = true
        return poller.add(self)
    }

    /// Stops the callbacks.
    ///
    /// Used for a client that sends too much, and after the end of the stream.
    func pauseReading() { isReading = false }

    /// Resumes the callbacks, starting with an immediate one, because events during the pause are not repeated.
    func resumeReading() {
        guard !isReading else { return }
        isReading = true
        poller.perform { self.readIfWanted() }
    }

    /// Calls `onWritable` whenever the socket becomes writable, until ``stopAwaitingWritable()``.
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

    func handle(_ event: hr_event) {
        if event.has_ended { hasEnded = true }
        if event.is_writable { onWritable?() }
        if event.is_readable { readIfWanted() }
    }

    /// Returns the number of sent bytes that the peer has not acknowledged.
    func unacknowledgedBytes() -> Int { max(0, Int(hr_unacknowledged(descriptor))) }

    /// Limits the size and the lifetime of the kernel's send buffer for a TCP client.
    func boundSending(timeout: Duration) {
        let milliseconds = min(max(1, timeout / .milliseconds(1)), Double(Int32.max))
        hr_bound_sending(descriptor, Self.maxUnsentKernelBytes, UInt32(clamping: milliseconds))
    }

    /// Makes closing the socket discard unsent bytes.
    func resetOnClose() { hr_reset_on_close(descriptor) }

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
