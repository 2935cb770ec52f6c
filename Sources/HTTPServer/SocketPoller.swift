import CLinux
import Dispatch
import Glibc

/// Tells the sockets of one queue when they can be read or written.
///
/// Dispatch could watch each socket by itself, but it arms a source anew after every event, through a thread of its own:
/// that was a fourth of what a small answer cost. So it watches one descriptor, which watches all sockets and tells of
/// each change once; and as long as there are changes, they are asked for without Dispatch.
///
/// `@unchecked Sendable`: all calls are made on the queue.
final class SocketPoller: @unchecked Sendable {
    private let queue: DispatchQueue
    /// Negative, an error number, when there is none.
    private let descriptor: Int32
    private let source: (any DispatchSourceRead)?
    private let events: UnsafeMutablePointer<hr_event>
    private var channels: [Int32: SocketChannel] = [:]

    /// The error number when sockets cannot be watched, else 0.
    var failure: Int32 { descriptor < 0 ? -descriptor : 0 }

    init(queue: DispatchQueue) {
        self.queue = queue
        let descriptor = hr_open_poller()
        self.descriptor = descriptor
        events = .allocate(capacity: Int(HR_POLL_CAPACITY))
        guard descriptor >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        self.source = source
        source.setCancelHandler { Glibc.close(descriptor) }
        source.setEventHandler { [weak self] in self?.wake() }
        source.activate()
    }

    deinit {
        source?.cancel()
        events.deallocate()
    }

    /// Begins to tell a channel of its socket; false when the system refuses.
    func add(_ channel: SocketChannel) -> Bool {
        guard hr_watch(descriptor, channel.descriptor) == 0 else { return false }
        channels[channel.descriptor] = channel
        return true
    }

    /// Tells a channel also when its socket takes bytes, or no longer.
    func watchWriting(of channel: SocketChannel, _ isOn: Bool) {
        // Where this fails, which it does only without memory, the answer's time runs out.
        _ = hr_watch_writing(descriptor, channel.descriptor, isOn)
    }

    /// Forgets a channel, whose socket is about to be closed.
    func remove(_ channel: SocketChannel) {
        guard channels.removeValue(forKey: channel.descriptor) != nil else { return }
        hr_unwatch(descriptor, channel.descriptor)
    }

    private func wake() {
        source?.suspend()
        turn()
    }

    private func turn() {
        let count = hr_poll(descriptor, events)
        guard count > 0 else {
            source?.resume()
            return
        }
        for index in 0..<Int(count) { channels[events[index].socket]?.tell(events[index]) }
        // Behind what these events have put into the queue, so that nobody waits for others' next requests.
        queue.async { self.turn() }
    }
}
