import FoundationEssentials

/// The request of an export in the JSON form of OTLP: names in lower camel case, identifiers in hexadecimal digits, and
/// integers of 64 bits as text.
///
/// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
enum OTLPDocument {
    /// The media type.
    static let contentType = "application/json"

    /// The scope of all spans and metrics.
    private static let scope = Scope(name: "headroom")

    /// Spans as an `ExportTraceServiceRequest`.
    static func bytes(of spans: [Span], _ resource: [(name: String, value: String)]) -> [UInt8] {
        let spans = spans.map(SpanDocument.init)
        return encode(
            TraceRequest(resourceSpans: [
                .init(resource: .init(resource), scopeSpans: [.init(scope: scope, spans: spans)])
            ])
        )
    }

    /// Metrics as an `ExportMetricsServiceRequest`.
    ///
    /// - Parameters:
    ///   - families: The metrics.
    ///   - resource: The attributes of the resource.
    ///   - start: The start of the counters, in nanoseconds since 1970.
    ///   - now: The time of the values, in nanoseconds since 1970.
    /// - Returns: The request's body.
    static func bytes(
        of families: [MetricFamily],
        _ resource: [(name: String, value: String)],
        start: Int,
        now: Int
    ) -> [UInt8] {
        let metrics = families.map { MetricDocument($0, start: "\(start)", now: "\(now)") }
        return encode(
            MetricsRequest(
                resourceMetrics: [
                    .init(resource: .init(resource), scopeMetrics: [.init(scope: scope, metrics: metrics)])
                ]
            )
        )
    }

    /// The number of spans that a collector rejected, in the body of its response.
    static func rejectedSpans(in body: [UInt8]) -> Int {
        struct Response: Decodable {
            struct Partial: Decodable {
                let rejectedSpans: Rejected?
            }

            /// An integer of 64 bits: text, or a number.
            enum Rejected: Decodable {
                case count(Int)

                init(from decoder: any Decoder) throws {
                    let value = try decoder.singleValueContainer()
                    if let text = try? value.decode(String.self) {
                        self = .count(Int(text) ?? 0)
                    } else {
                        self = .count(try value.decode(Int.self))
                    }
                }
            }

            let partialSuccess: Partial?
        }
        guard body.count <= 65_536, let response = try? JSONDecoder().decode(Response.self, from: Data(body)),
            case .count(let count) = response.partialSuccess?.rejectedSpans
        else { return 0 }
        return max(0, count)
    }

    private static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        // Numbers are finite, so encoding cannot fail.
        return (try? encoder.encode(value)).map(Array.init) ?? []
    }
}

private struct TraceRequest: Encodable {
    struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
    }

    struct ScopeSpans: Encodable {
        let scope: Scope
        let spans: [SpanDocument]
    }

    let resourceSpans: [ResourceSpans]
}

private struct MetricsRequest: Encodable {
    struct ResourceMetrics: Encodable {
        let resource: Resource
        let scopeMetrics: [ScopeMetrics]
    }

    struct ScopeMetrics: Encodable {
        let scope: Scope
        let metrics: [MetricDocument]
    }

    let resourceMetrics: [ResourceMetrics]
}

struct Scope: Encodable {
    let name: String
}

struct Resource: Encodable {
    let attributes: [Attribute]

    init(_ attributes: [(name: String, value: String)]) {
        self.attributes = attributes.map { Attribute(key: $0.name, value: .init(.text($0.value))) }
    }
}

struct Attribute: Encodable {
    struct Value: Encodable {
        private enum Key: String, CodingKey {
            case stringValue, intValue, doubleValue, boolValue
        }

        let value: Span.Value

        init(_ value: Span.Value) { self.value = value }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Key.self)
            switch value {
            case .text(let text): try members.encode(text, forKey: .stringValue)
            case .integer(let number): try members.encode("\(number)", forKey: .intValue)
            case .number(let number): try members.encode(number.isFinite ? number : 0, forKey: .doubleValue)
            case .flag(let flag): try members.encode(flag, forKey: .boolValue)
            }
        }
    }

    let key: String
    let value: Value
}

private struct SpanDocument: Encodable {
    struct Status: Encodable {
        /// STATUS_CODE_ERROR.
        var code = 2
        let message: String
    }

    let traceId: String
    let spanId: String
    let parentSpanId: String?
    let name: String
    let kind: Int
    let startTimeUnixNano: String
    let endTimeUnixNano: String
    let attributes: [Attribute]
    let status: Status?

    init(_ span: Span) {
        traceId = span.traceID
        spanId = span.spanID
        parentSpanId = span.parentID
        name = span.name
        kind = span.kind.rawValue
        startTimeUnixNano = "\(span.start)"
        endTimeUnixNano = "\(span.end)"
        attributes = span.attributes.map { Attribute(key: $0.name, value: .init($0.value)) }
        status = span.error.map { Status(message: $0) }
    }
}
