import Synchronization

/// An OpenTelemetry span: a part of a trace, with a start and an end.
package struct Span: Sendable {
    /// The kind of a span; OTLP defines the raw values.
    package enum Kind: Int, Sendable {
        /// Work within the process.
        case inner = 1
        /// A request that was received.
        case server = 2
        /// A request that was sent.
        case client = 3
    }

    package typealias Value = LogValue

    /// The ID of the trace, 32 hexadecimal digits.
    package let traceID: String
    /// The ID of the span, 16 hexadecimal digits.
    package let spanID: String
    /// The ID of the parent span; nil for the first span of a trace.
    package let parentID: String?
    /// A low-cardinality name, such as `GET /frame`.
    package let name: String
    package let kind: Kind
    /// The start, in nanoseconds since 1970.
    package let start: Int
    /// The end, in nanoseconds since 1970.
    package let end: Int
    /// The attributes, with unique names.
    package var attributes: [(name: String, value: Value)] = []
    /// The error message; nil without an error.
    ///
    /// It is exported as the status of the span and as an `exception` event at the end of the span.
    package var error: String?
    /// A low-cardinality name for the kind of the error, exported as the attribute `exception.type`; nil if unknown.
    package var errorType: String?

    /// Creates a span without attributes.
    ///
    /// - Parameters:
    ///   - traceID: The ID of the trace, 32 hexadecimal digits.
    ///   - spanID: The ID of the span, 16 hexadecimal digits.
    ///   - parentID: The ID of the parent span; nil for the first span of a trace.
    ///   - name: A low-cardinality name, such as `GET /frame`.
    ///   - kind: The role of this service in the operation.
    ///   - start: The start, in nanoseconds since 1970.
    ///   - end: The end, in nanoseconds since 1970. A time before `start` counts as `start`.
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

/// Spans that are waiting for export.
///
/// A full queue drops new spans, so that requests do not wait and memory is bounded.
package final class SpanQueue: Sendable {
    private struct State {
        var spans: [Span] = []
        var dropped = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates an empty queue for at most `limit` spans.
    package init(limit: Int) { self.limit = limit }

    /// Adds spans, up to the limit.
    ///
    /// Spans beyond the limit are dropped and counted. Returns the number of waiting spans.
    package func add(_ spans: [Span]) -> Int {
        state.withLock { state in
            let room = max(0, limit - state.spans.count)
            state.spans += spans.prefix(room)
            state.dropped += max(0, spans.count - room)
            return state.spans.count
        }
    }

    /// Removes and returns the oldest spans, at most `limit`.
    ///
    /// They do not count as dropped.
    package func take(atMost limit: Int) -> [Span] {
        state.withLock { state in
            let spans = Array(state.spans.prefix(limit))
            state.spans.removeFirst(spans.count)
            return spans
        }
    }

    /// Counts spans that were dropped after they had been taken from the queue.
    package func drop(_ count: Int) { state.withLock { $0.dropped += count } }

    /// The number of waiting spans.
    package var count: Int { state.withLock(\.spans.count) }

    /// The number of spans dropped since the process started.
    package var dropped: Int { state.withLock(\.dropped) }
}
