import FoundationEssentials

/// The body of an export request in the JSON encoding of OTLP.
///
/// Names are in lower camel case, identifiers are hexadecimal digits, and 64-bit integers are text.
///
/// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
enum OTLPDocument {
    static let contentType = "application/json"

    /// Returns spans as an `ExportTraceServiceRequest`.
    static func bytes(of spans: [Span], _ resource: [OTLPSettings.Pair]) -> [UInt8] {
        request("Spans", spans.map(object), resource)
    }

    /// Returns metrics as an `ExportMetricsServiceRequest`.
    ///
    /// - Parameters:
    ///   - families: The metrics.
    ///   - resource: The resource attributes.
    ///   - start: The time when the counters started, in nanoseconds since 1970.
    ///   - now: The time of the values, in nanoseconds since 1970.
    /// - Returns: The body of the request.
    static func bytes(of families: [MetricFamily], _ resource: [OTLPSettings.Pair], start: Int, now: Int) -> [UInt8] {
        request("Metrics", families.map { object($0, start: "\(start)", now: "\(now)") }, resource)
    }

    /// Returns the number of rejected spans that a collector reports in the body of its response.
    static func rejectedSpans(in body: [UInt8]) -> Int {
        struct Response: Decodable {
            struct Partial: Decodable {
                let rejectedSpans: Rejected?
            }

            /// A 64-bit integer, which may be text or a number.
            struct Rejected: Decodable {
                let count: Int

                init(from decoder: any Decoder) throws {
                    let value = try decoder.singleValueContainer()
                    let text = try? value.decode(String.self)
                    count = try text.map { Int($0) ?? 0 } ?? value.decode(Int.self)
                }
            }

            let partialSuccess: Partial?
        }
        guard body.count <= 65_536, let response = try? JSONDecoder().decode(Response.self, from: Data(body)) else {
            return 0
        }
        return max(0, response.partialSuccess?.rejectedSpans?.count ?? 0)
    }

    private static func request(_ signal: String, _ items: [JSONObject], _ resource: [OTLPSettings.Pair]) -> [UInt8] {
        let scope: JSONObject = ["name": "headroom"]
        let scoped: JSONObject = ["scope": scope, signal.lowercased(): items]
        let attributes: JSONObject = ["attributes": resource.map { attribute($0.name, .text($0.value)) }]
        let whole: JSONObject = ["resource": attributes, "scope\(signal)": [scoped]]
        let request: JSONObject = ["resource\(signal)": [whole]]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        // Numbers are finite, so encoding cannot fail.
        return (try? encoder.encode(request)).map(Array.init) ?? []
    }

    private static func attribute(_ name: String, _ value: Span.Value) -> JSONObject {
        let typed: JSONObject =
            switch value {
            case .text(let text): ["stringValue": text]
            case .integer(let number): ["intValue": "\(number)"]
            case .number(let number): ["doubleValue": number.isFinite ? number : 0]
            case .flag(let flag): ["boolValue": flag]
            }
        return ["key": name, "value": typed]
    }

    private static func object(_ span: Span) -> JSONObject {
        // 2 means STATUS_CODE_ERROR.
        let status = span.error.map { ["code": 2, "message": $0] as JSONObject }
        return [
            "traceId": span.traceID,
            "spanId": span.spanID,
            "parentSpanId": span.parentID,
            "name": span.name,
            "kind": span.kind.rawValue,
            "startTimeUnixNano": "\(span.start)",
            "endTimeUnixNano": "\(span.end)",
            "attributes": span.attributes.map { attribute($0.name, $0.value) },
            "events": span.error.map { [exception($0, of: span)] },
            "status": status,
        ]
    }

    /// Returns the event for an error.
    ///
    /// Its names follow OpenTelemetry's semantic conventions for exceptions.
    private static func exception(_ message: String, of span: Span) -> JSONObject {
        var attributes = [attribute("exception.message", .text(message))]
        if let type = span.errorType { attributes.append(attribute("exception.type", .text(type))) }
        return ["timeUnixNano": "\(span.end)", "name": "exception", "attributes": attributes]
    }

    private static func object(_ family: MetricFamily, start: String, now: String) -> JSONObject {
        let description = family.description
        let points = family.series.compactMap { series -> JSONObject? in
            let attributes = zip(description.labels, series.labelValues).map { attribute($0, .text($1)) }
            switch (series.value, description.kind) {
            case (.histogram(let histogram), .histogram(let bounds)):
                let exemplars = histogram.exemplars.compactMap { $0.map(object) }
                return [
                    "attributes": attributes,
                    "startTimeUnixNano": start,
                    "timeUnixNano": now,
                    "count": "\(histogram.counts.reduce(0, +))",
                    "sum": histogram.sum,
                    "bucketCounts": histogram.counts.map { "\($0)" },
                    "explicitBounds": bounds,
                    "exemplars": exemplars.isEmpty ? nil : exemplars,
                ]
            case (.number(let value), .counter) where value.isFinite:
                return ["attributes": attributes, "startTimeUnixNano": start, "timeUnixNano": now, "asDouble": value]
            case (.number(let value), .gauge) where value.isFinite:
                return ["attributes": attributes, "timeUnixNano": now, "asDouble": value]
            default: return nil
            }
        }
        // 2 means AGGREGATION_TEMPORALITY_CUMULATIVE.
        let (kind, data): (String, JSONObject) =
            switch description.kind {
            case .counter: ("sum", ["dataPoints": points, "aggregationTemporality": 2, "isMonotonic": true])
            case .gauge: ("gauge", ["dataPoints": points])
            case .histogram: ("histogram", ["dataPoints": points, "aggregationTemporality": 2])
            }
        let name = description.name
        let unit = name.contains("_seconds") ? "s" : name.contains("_bytes") ? "By" : "1"
        return ["name": name, "description": description.help, "unit": unit, kind: data]
    }

    private static func object(_ exemplar: Exemplar) -> JSONObject {
        [
            "timeUnixNano": "\(exemplar.time)",
            "asDouble": exemplar.value,
            "spanId": exemplar.spanID,
            "traceId": exemplar.traceID,
        ]
    }
}

/// A JSON object, without members that are nil.
private struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    private let members: [(name: String, value: (any Encodable)?)]

    init(dictionaryLiteral members: (String, (any Encodable)?)...) { self.members = members }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members {
            if let value { try container.encode(value, forKey: Name(stringValue: name)) }
        }
    }
}
