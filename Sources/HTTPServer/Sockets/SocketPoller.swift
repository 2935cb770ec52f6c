import CLinux
import Dispatch
import Glibc

/// Notifies an event loop's sockets of readiness.
///
/// A Dispatch source per socket is rearmed after every event by a separate thread, which took a fourth of the time of
/// a small response. Therefore Dispatch monitors one epoll descriptor, which monitors all sockets edge-triggered;
/// while events are pending, they are read without Dispatch.
///
/// `@unchecked Sendable`: all calls are made on the queue.
final class SocketPoller: @unchecked Sendable {
    private let queue: DispatchQueue
    /// Negative error number if the epoll descriptor could not be created.
    private let descriptor: Int32
    private let source: (any DispatchSourceRead)?
    private let events: UnsafeMutablePointer<hr_event>
    private var channels: [Int32: SocketChannel] = [:]

    /// The error number if sockets cannot be polled, else 0.
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

    /// Adds a channel; returns false if epoll fails.
    func add(_ channel: SocketChannel) -> Bool {
        guard hr_watch(descriptor, channel.descriptor) == 0 else { return false }
        channels[channel.descriptor] = channel
        return true
    }

    /// Starts or stops events for writability.
    func watchWriting(of channel: SocketChannel, _ isOn: Bool) {
        // This fails only without memory; the response then times out.
        _ = hr_watch_writing(descriptor, channel.descriptor, isOn)
    }

    /// Removes a channel whose socket is about to be closed.
    func remove(_ channel: SocketChannel) {
        guard channels.removeValue(forKey: channel.descriptor) != nil else { return }
        hr_unwatch(descriptor, channel.descriptor)
    }

    private func wake() {
        source?.suspend()
        processEvents()
    }

    private func processEvents() {
        let count = hr_poll(descriptor, events)
        guard count > 0 else {
            source?.resume()
            return
        }
        for index in 0..<Int(count) { channels[events[index].socket]?.handle(events[index]) }
        // Queued behind the work of these events, so that no connection waits for others' next requests.
        queue.async { self.processEvents() }
    }
}
