package import Imaging
import Synchronization

/// The newest frame of a stream that is not shown yet: a further one replaces it.
package final class FrameInbox: Sendable {
    /// A frame and the time at which its last byte came.
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

    /// Why the stream ended; nil before.
    package var end: StreamEnd? { state.withLock(\.end) }

    /// Frames that were replaced by newer ones.
    package var dropped: Int { state.withLock(\.dropped) }

    /// Puts a frame in, in place of one that was not taken.
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
    /// Only the first reason counts. A frame that was put in before can still be taken, unless the service stops.
    package func finish(_ end: StreamEnd) {
        let waiter = state.withLock { state in
            if state.end == nil { state.end = end }
            if case .shutdown = end { state.newest = nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// Takes the newest frame, and waits for one if necessary; nil at the end.
    ///
    /// One task may wait at a time.
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
