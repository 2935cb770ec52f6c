import Synchronization

/// A span of OpenTelemetry: a part of a trace with a start and an end.
package struct Span: Sendable {
    /// The kind; the raw values are defined by OTLP.
    package enum Kind: Int, Sendable {
        /// Work within the process.
        case inner = 1
        /// A request that was received.
        case server = 2
        /// A request that was sent.
        case client = 3
    }

    package typealias Value = LogValue

    /// The trace, 32 hexadecimal digits.
    package let traceID: String
    /// The span, 16 hexadecimal digits.
    package let spanID: String
    /// The span that caused this span; nil for the first span of a trace.
    package let parentID: String?
    /// A name of low cardinality, such as `GET /frame`.
    package let name: String
    package let kind: Kind
    /// The start, in nanoseconds since 1970.
    package let start: Int
    /// The end, in nanoseconds since 1970.
    package let end: Int
    /// Attributes with different names.
    package var attributes: [(name: String, value: Value)] = []
    /// The error message; nil without an error.
    ///
    /// It is exported as the status of the span, and as an event `exception` at its end.
    package var error: String?
    /// The kind of the error, of low cardinality, as the attribute `exception.type`; nil if it is unknown.
    package var errorType: String?

    /// Creates a span without attributes.
    ///
    /// - Parameters:
    ///   - traceID: 32 hexadecimal digits.
    ///   - spanID: 16 hexadecimal digits.
    ///   - parentID: The span that caused this span; nil for the first span of a trace.
    ///   - name: A name of low cardinality, such as `GET /frame`.
    ///   - kind: The role of this service in the operation.
    ///   - start: Nanoseconds since 1970.
    ///   - end: Nanoseconds since 1970; an earlier time than `start` counts as `start`.
    package init(traceID: String, spanID: String, parentID: String?, name: String, kind: Kind, start: Int, end: Int) {
        self.traceID = traceID
        self.spanID = spanID
        self.parentID = parentID
        self.name = name
        self.kind = kind
        self.start = start
        self.end = max(start, end)
    }
}

/// Spans that wait for their export; a full queue drops new spans, so that requests do not wait and memory is bounded.
package final class SpanQueue: Sendable {
    private struct State {
        var spans: [Span] = []
        var dropped = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates an empty queue for at most `limit` spans.
    package init(limit: Int) { self.limit = limit }

    /// Adds spans; drops and counts spans beyond the limit; returns the number of spans that wait now.
    package func add(_ spans: [Span]) -> Int {
        state.withLock { state in
            let room = max(0, limit - state.spans.count)
            state.spans += spans.prefix(room)
            state.dropped += max(0, spans.count - room)
            return state.spans.count
        }
    }

    /// Removes and returns the oldest spans, at most `limit`; they are not counted as dropped.
    package func take(atMost limit: Int) -> [Span] {
        state.withLock { state in
            let spans = Array(state.spans.prefix(limit))
            state.spans.removeFirst(spans.count)
            return spans
        }
    }

    /// Counts spans that were dropped after they had been taken.
    package func drop(_ count: Int) { state.withLock { $0.dropped += count } }

    /// The number of waiting spans.
    package var count: Int { state.withLock(\.spans.count) }

    /// The number of spans dropped since the process started.
    package var dropped: Int { state.withLock(\.dropped) }
}
