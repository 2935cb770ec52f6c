import CLinux
import Dispatch
import Glibc
import Synchronization

/// Notifies the sockets of an event loop when they are ready.
///
/// With one Dispatch source per socket, a separate thread rearms the source after every event. This took a fourth of
/// the time of a small response. Therefore Dispatch monitors a single epoll descriptor, which monitors all sockets in
/// edge-triggered mode. While events are pending, they are read without Dispatch. After the last event, the queue's
/// thread itself waits for the next event for up to ``maxWait``, because Dispatch would need two thread switches.
///
/// `@unchecked Sendable` because all calls are made on the queue, except ``perform(_:)``.
final class SocketPoller: @unchecked Sendable {
    private let queue: DispatchQueue
    /// The epoll descriptor; a negative error number if it could not be created.
    private let descriptor: Int32
    private let source: (any DispatchSourceRead)?
    private let events: UnsafeMutablePointer<hr_event>
    private var channels: [Int32: SocketChannel] = [:]
    /// The callbacks of the listening sockets.
    private var listeners: [Int32: () -> Void] = [:]
    /// An eventfd that wakes the queue's thread from its wait.
    ///
    /// It is negative if it could not be created. In this case, the thread does not wait.
    private let waker: Int32
    /// The number of blocks passed to ``perform(_:)`` that have not started.
    private let pending = Atomic<Int>(0)
    /// Whether the queue's thread is waiting for events or is about to wait.
    private let isWaiting = Atomic<Bool>(false)

    /// The maximum wait of the queue's thread, in milliseconds.
    ///
    /// Timers of the queue can be delayed by this time, and by the events of up to ``maxPolls`` polls.
    private static let maxWait: Int32 = 1
    /// The maximum number of consecutive polls.
    ///
    /// Then the queue's thread returns to the queue.
    ///
    /// Returning takes about as long as a poll.
    private static let maxPolls = 8

    /// The error number if sockets cannot be polled, otherwise 0.
    var failure: Int32 { descriptor < 0 ? -descriptor : 0 }

    init(queue: DispatchQueue) {
        self.queue = queue
        let descriptor = hr_open_poller()
        self.descriptor = descriptor
        events = .allocate(capacity: Int(HR_POLL_CAPACITY))
        guard descriptor >= 0 else {
            source = nil
            waker = -1
            return
        }
        let waker = hr_open_waker(descriptor)
        self.waker = waker
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        self.source = source
        source.setCancelHandler {
            Glibc.close(descriptor)
            if waker >= 0 { Glibc.close(waker) }
        }
        source.setEventHandler { [weak self] in self?.wake() }
        source.activate()
    }

    deinit {
        source?.cancel()
        events.deallocate()
    }

    /// Runs a block on the queue; can be called from any thread.
    ///
    /// Blocks that are submitted directly to the queue may be delayed by ``maxWait``.
    func perform(_ work: @escaping @Sendable () -> Void) {
        pending.add(1, ordering: .sequentiallyConsistent)
        queue.async {
            self.pending.subtract(1, ordering: .sequentiallyConsistent)
            work()
        }
        if isWaiting.load(ordering: .sequentiallyConsistent) { hr_wake(waker) }
    }

    /// Adds a channel; returns false if epoll fails.
    func add(_ channel: SocketChannel) -> Bool {
        guard hr_watch(descriptor, channel.descriptor) == 0 else { return false }
        channels[channel.descriptor] = channel
        return true
    }

    /// Calls `onConnection` while connections wait at a listening socket, until ``removeListener(_:)``.
    ///
    /// Several pollers can watch the same socket. The callbacks of one of them, or of a few, are called.
    ///
    /// - Returns: False if epoll fails because memory is exhausted.
    func addListener(_ descriptor: Int32, _ onConnection: @escaping () -> Void) -> Bool {
        guard listeners[descriptor] != nil || hr_watch_listener(self.descriptor, descriptor) == 0 else { return false }
        listeners[descriptor] = onConnection
        return true
    }

    /// Removes a listening socket, if it was added, before it is closed.
    func removeListener(_ descriptor: Int32) {
        guard listeners.removeValue(forKey: descriptor) != nil else { return }
        hr_unwatch(self.descriptor, descriptor)
    }

    func watchWriting(of channel: SocketChannel, _ isOn: Bool) {
        // This fails only if memory is exhausted. In this case, the response times out.
        _ = hr_watch_writing(descriptor, channel.descriptor, isOn)
    }

    /// Removes a channel before its socket is closed.
    func remove(_ channel: SocketChannel) {
        guard channels.removeValue(forKey: channel.descriptor) != nil else { return }
        hr_unwatch(descriptor, channel.descriptor)
    }

    private func wake() {
        source?.suspend()
        processEvents()
    }

    /// Handles events until none arrive within ``maxWait``.
    ///
    /// Returns to the queue from time to time, so that blocks on the queue can run.
    private func processEvents() {
        for _ in 0..<Self.maxPolls {
            let count = wait()
            guard count > 0 || hasPending else {
                source?.resume()
                return
            }
            // bounded: an Int32 that is not negative
            for index in 0..<Int(max(0, count)) { handle(events[index]) }
            if hasPending { break }
        }
        // Queued after the blocks that handle these events, so that no connection waits for the next requests of other
        // connections.
        queue.async { self.processEvents() }
    }

    private func handle(_ event: hr_event) {
        if let channel = channels[event.socket] {
            channel.handle(event)
        } else {
            listeners[event.socket]?()
        }
    }

    private var hasPending: Bool { pending.load(ordering: .sequentiallyConsistent) > 0 }

    /// Waits up to ``maxWait`` for an event, unless blocks are pending.
    ///
    /// Returns the number of events, or a negative error number.
    private func wait() -> Int32 {
        guard waker >= 0 else { return hr_poll(descriptor, events, 0) }
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        defer { isWaiting.store(false, ordering: .sequentiallyConsistent) }
        // A block that is added after this check ends the wait.
        return hr_poll(descriptor, events, hasPending ? 0 : Self.maxWait)
    }
}
