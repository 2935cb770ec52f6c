package import Admission
import HTTPServer
import Synchronization

/// The bytes of a stream: splits them into frames, stores the frames in an inbox, and ends the stream at its limits.
package final class StreamInput: BodyReceiver {
    private struct State {
        var splitter: MJPEGSplitter
        var bytes = 0
        /// The start of the current window in which bytes are counted.
        var windowStart: ContinuousClock.Instant
        var windowBytes = 0
        var lastFrame: ContinuousClock.Instant
        /// Consecutive frames that could not be decoded.
        var failures = 0
    }

    /// Maximum number of consecutive undecodable frames; one more ends the stream.
    static let maxFailures = 100

    package let inbox = FrameInbox()
    private let configuration: StreamConfiguration
    private let maxBytes: Int
    private let time: QueueTime
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    /// Creates a stream that starts now.
    ///
    /// - Parameters:
    ///   - configuration: The limits of the stream.
    ///   - limits: The limits of its frames.
    ///   - maxBytes: The maximum number of bytes of the stream, if this is less than the configured maximum; nil for
    ///     the configured maximum.
    ///   - time: The clock and the timer; tests replace it.
    package init(
        _ configuration: StreamConfiguration,
        limits: MJPEGSplitter.Limits,
        maxBytes: Int? = nil,
        time: QueueTime = .system
    ) {
        self.configuration = configuration
        self.maxBytes = min(maxBytes ?? .max, configuration.maxBytes)
        self.time = time
        start = time.now()
        state = Mutex(State(splitter: MJPEGSplitter(limits: limits), windowStart: start, lastFrame: start))
        watch()
    }

    /// Frames that were skipped because they are damaged.
    package var damaged: Int { state.withLock(\.splitter.damaged) }

    var age: Duration { time.now() - start }

    /// The maximum time that a frame may wait for a worker.
    var maxDelay: Duration { configuration.maxDelay }

    /// The maximum size of an output frame in bytes.
    var maxResultBytes: Int { configuration.maxResultBytes }

    /// The time when the stream must end.
    var deadline: ContinuousClock.Instant { start + configuration.maxTime }

    package func receive(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes(receive) }

    /// Receives the next bytes.
    ///
    /// - Returns: Whether the stream accepts more bytes.
    package func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard inbox.end == nil else { return false }
        let now = time.now()
        let failure: StreamEnd? = state.withLock { state in
            guard bytes.count <= maxBytes - state.bytes else { return .tooManyBytes(maxBytes) }
            state.bytes += bytes.count
            state.windowBytes += bytes.count
            state.splitter.append(bytes)
            do throws(VideoError) {
                while let frame = try state.splitter.next() {
                    state.lastFrame = now
                    inbox.put(FrameInbox.Arrival(frame: frame, time: now))
                }
            } catch {
                return .invalid("\(error)")
            }
            return nil
        }
        if let failure { inbox.finish(failure) }
        return failure == nil
    }

    package func end(isComplete: Bool) {
        state.withLock { $0.splitter.finish() }
        inbox.finish(isComplete ? .finished : .incomplete)
    }

    /// Records whether a frame could be decoded; ends the stream after more than ``maxFailures`` failures in a row.
    package func note(isDecodable: Bool) {
        let failures = state.withLock { state in
            state.failures = isDecodable ? 0 : state.failures + 1
            return state.failures
        }
        if failures > Self.maxFailures { inbox.finish(.invalid("\(failures) frames cannot be decoded")) }
    }

    /// Ends the stream when it is idle for too long, too slow, or too old.
    private func watch() {
        let now = time.now()
        let idleEnd = state.withLock(\.lastFrame) + configuration.idleTime
        if now >= deadline { return inbox.finish(.tooLong(configuration.maxTime)) }
        if now >= idleEnd { return inbox.finish(.idle(configuration.idleTime)) }
        guard let windowEnd = windowEnd(at: now) else {
            return inbox.finish(.tooSlow(bytesPerSecond: configuration.minBytesPerSecond))
        }
        time.call(min(idleEnd, windowEnd, deadline)) { [weak self] in
            guard let self, inbox.end == nil else { return }
            watch()
        }
    }

    /// The end of the current window for counting bytes; nil if too few bytes arrived in the last window.
    private func windowEnd(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let pace = Pace(bytesPerSecond: configuration.minBytesPerSecond, window: configuration.window)
        guard configuration.minBytesPerSecond > 0 else { return deadline }
        return state.withLock { state in
            guard now >= state.windowStart + pace.window else { return state.windowStart + pace.window }
            guard state.windowBytes >= pace.bytesPerWindow else { return nil }
            (state.windowStart, state.windowBytes) = (now, 0)
            return now + pace.window
        }
    }
}

/// Stores the newest frame of a stream until it is taken; a newer frame replaces it.
package final class FrameInbox: Sendable {
    /// A frame and the arrival time of its last byte.
    package struct Arrival: Sendable {
        package let frame: MJPEGSplitter.Frame
        package let time: ContinuousClock.Instant
    }

    private struct State {
        var newest: Arrival?
        var waiter: CheckedContinuation<Arrival?, Never>?
        var end: StreamEnd?
        var dropped = 0
    }

    private let state = Mutex(State())

    /// The reason why the stream ended; nil until then.
    package var end: StreamEnd? { state.withLock(\.end) }

    /// Frames that were replaced by newer ones.
    package var dropped: Int { state.withLock(\.dropped) }

    /// Stores a frame; replaces a waiting frame.
    func put(_ arrival: Arrival) {
        let waiter: CheckedContinuation<Arrival?, Never>? = state.withLock { state in
            guard state.end == nil else { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            if state.newest != nil { state.dropped += 1 }
            state.newest = arrival
            return nil
        }
        waiter?.resume(returning: arrival)
    }

    /// Ends the stream.
    ///
    /// Only the first reason counts. A waiting frame can still be taken, unless the service stops.
    package func finish(_ end: StreamEnd) {
        let waiter = state.withLock { state in
            if state.end == nil { state.end = end }
            if case .shutdown = end { state.newest = nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// Takes the newest frame; waits if there is none yet.
    ///
    /// Returns nil at the end of the stream. One task may wait at a time.
    package func next() async -> Arrival? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Arrival?? = state.withLock { state in
                    if let newest = state.newest {
                        state.newest = nil
                        return .some(newest)
                    }
                    guard state.end == nil, !Task.isCancelled else { return .some(nil) }
                    state.waiter = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            finish(.left)
        }
    }
}
