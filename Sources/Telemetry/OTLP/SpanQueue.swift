import Synchronization

/// Spans that wait for their export; a full queue drops new ones, so that no request waits and memory is bounded.
package final class SpanQueue: Sendable {
    private struct State {
        var spans: [Span] = []
        var dropped = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// An empty queue for at most `limit` spans.
    package init(limit: Int) { self.limit = limit }

    /// Adds spans; those beyond the limit are dropped and counted.
    ///
    /// - Returns: The number of spans that wait now.
    package func add(_ spans: [Span]) -> Int {
        state.withLock { state in
            let room = max(0, limit - state.spans.count)
            state.spans += spans.prefix(room)
            state.dropped += max(0, spans.count - room)
            return state.spans.count
        }
    }

    /// Removes the oldest spans, at most `limit`.
    package func take(atMost limit: Int) -> [Span] {
        state.withLock { state in
            let spans = Array(state.spans.prefix(limit))
            state.spans.removeFirst(spans.count)
            return spans
        }
    }

    /// Counts spans that were dropped after they had been taken.
    package func drop(_ count: Int) { state.withLock { $0.dropped += count } }

    /// The number of spans that wait.
    package var count: Int { state.withLock(\.spans.count) }

    /// The number of spans that were dropped since the process started.
    package var dropped: Int { state.withLock(\.dropped) }
}
