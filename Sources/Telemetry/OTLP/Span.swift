/// A span of OpenTelemetry: a part of a trace with a beginning and an end.
package struct Span: Sendable {
    /// The kind; the raw values are those of OTLP.
    package enum Kind: Int, Sendable {
        /// Work within the process.
        case inner = 1
        /// A request that was received.
        case server = 2
        /// A request that was sent.
        case client = 3
    }

    /// The value of an attribute.
    package enum Value: Hashable, Sendable {
        case text(String)
        case integer(Int)
        case number(Double)
        case flag(Bool)
    }

    /// The trace, 32 hexadecimal digits.
    package let traceID: String
    /// The span, 16 hexadecimal digits.
    package let spanID: String
    /// The span that caused this one; nil for the first of a trace.
    package let parentID: String?
    /// A name of low cardinality, such as `GET /frame`.
    package let name: String
    /// The kind.
    package let kind: Kind
    /// The beginning, in nanoseconds since 1970.
    package let start: Int
    /// The end, in nanoseconds since 1970.
    package let end: Int
    /// Attributes with different names.
    package var attributes: [(name: String, value: Value)] = []
    /// What failed; nil if nothing did.
    package var error: String?

    /// A span without attributes.
    package init(
        traceID: String,
        spanID: String,
        parentID: String?,
        name: String,
        kind: Kind,
        start: Int,
        end: Int
    ) {
        self.traceID = traceID
        self.spanID = spanID
        self.parentID = parentID
        self.name = name
        self.kind = kind
        self.start = start
        self.end = max(start, end)
    }
}
