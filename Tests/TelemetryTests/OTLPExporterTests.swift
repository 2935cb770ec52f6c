import Foundation
import Logging
import Metrics
import Synchronization
import Telemetry
import Testing

@Suite struct OTLPExporterTests {
    /// A collector that records its requests and replies as the test requires.
    private final class Collector: Sendable {
        private let state: Mutex<(messages: [OTLPExporter.Message], replies: [OTLPExporter.Reply])>

        init(_ replies: [OTLPExporter.Reply] = []) { state = Mutex(([], replies)) }

        var messages: [OTLPExporter.Message] { state.withLock(\.messages) }

        /// The names of the spans in each message.
        var names: [[String]] {
            messages.map { message in
                String(decoding: message.body, as: UTF8.self).matches(of: /"name":"(span-[0-9]+)"/).map { String($0.1) }
            }
        }

        func reply(_ message: OTLPExporter.Message) -> OTLPExporter.Reply {
            state.withLock { state in
                state.messages.append(message)
                return state.replies.isEmpty ? .status(200, body: []) : state.replies.removeFirst()
            }
        }
    }

    private static let requests = MetricDescription("requests_total", .counter, labels: ["route"], help: "Requests.")
    private static let length = MetricDescription("queue_bytes", .gauge, help: "Bytes.")
    private static let time = MetricDescription(
        "stage_duration_seconds",
        .histogram(bounds: [0.5, 2]),
        labels: ["stage"],
        help: "Time."
    )
    private let registry = PrometheusRegistry([requests, length, time])
    private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    private func exporter(_ collector: Collector, _ variables: [String: String] = [:]) throws -> OTLPExporter {
        var problems: [String] = []
        let environment = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_HEADERS": "key=value"]
        let settings = OTLPSettings.read(
            environment.merging(variables) { $1 },
            name: "headroom",
            version: "1",
            &problems
        )
        #expect(problems == [])
        return OTLPExporter(
            try #require(settings),
            registry: registry,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            send: { collector.reply($0) }
        )
    }

    private func spans(_ numbers: Range<Int>) -> [Span] {
        numbers.map { number in
            Span(
                traceID: trace,
                spanID: "00f067aa0ba902b7",
                parentID: nil,
                name: "span-\(number)",
                kind: .server,
                start: 1_700_000_000_000_000_000,
                end: 1_700_000_000_250_000_001
            )
        }
    }

    @Test func `spans are sent in batches in OTLP's JSON encoding`() throws {
        let collector = Collector()
        let exporter = try exporter(collector, ["OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "2"])
        var span = spans(0..<1)[0]
        span.attributes = [
            ("text", .text("a\"b")), ("integer", .integer(-7)), ("number", .number(0.5)), ("flag", .flag(true)),
        ]
        span.error = "failed"
        span.errorType = "busy"
        exporter.add([span] + spans(1..<5))
        exporter.exportSpans()
        #expect(collector.names == [["span-0", "span-1"], ["span-2", "span-3"], ["span-4"]])
        let message = try #require(collector.messages.first)
        #expect(message.endpoint.url == "http://c/v1/traces" && message.contentType == "application/json")
        #expect(message.endpoint.headers.map(\.name) == ["key"])
        let body = String(decoding: message.body, as: UTF8.self)
        let json = try #require(JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
        let resource = try #require((json["resourceSpans"] as? [[String: Any]])?.first)
        let scope = try #require((resource["scopeSpans"] as? [[String: Any]])?.first)
        let first = try #require((scope["spans"] as? [[String: Any]])?.first)
        #expect(first["traceId"] as? String == trace && first["spanId"] as? String == "00f067aa0ba902b7")
        #expect(first["parentSpanId"] == nil && first["kind"] as? Int == 2)
        // 64-bit integers are strings.
        #expect(first["startTimeUnixNano"] as? String == "1700000000000000000")
        #expect(first["endTimeUnixNano"] as? String == "1700000000250000001")
        #expect((first["status"] as? [String: Any])?["code"] as? Int == 2)
        let event = try #require((first["events"] as? [[String: Any]])?.first)
        #expect(event["name"] as? String == "exception" && event["timeUnixNano"] as? String == "1700000000250000001")
        let attributes = try #require(event["attributes"] as? [[String: Any]])
        #expect(attributes.compactMap { $0["key"] as? String } == ["exception.message", "exception.type"])
        let values = attributes.compactMap { ($0["value"] as? [String: Any])?["stringValue"] as? String }
        #expect(values == ["failed", "busy"])
        // A span without an error has neither a status nor events.
        let second = try #require((scope["spans"] as? [[String: Any]])?.last)
        #expect(second["events"] == nil && second["status"] == nil)
        for part in [
            #""key":"service.name""#, #"{"stringValue":"a\"b"}"#, #"{"intValue":"-7"}"#, #"{"doubleValue":0.5}"#,
            #"{"boolValue":true}"#,
        ] {
            #expect(body.contains(part), "\(part)")
        }
        #expect(exporter.statistics.spans == 5 && exporter.statistics.waitingSpans == 0)
        #expect(exporter.statistics.exports[.init(signal: "traces", isTaken: true)] == 3)
    }

    @Test func `a full queue drops new spans and counts them`() throws {
        let collector = Collector()
        let exporter = try exporter(collector, ["OTEL_BSP_MAX_QUEUE_SIZE": "1000000"])
        let small = SpanQueue(limit: 3)
        #expect(small.add(spans(0..<2)) == 2)
        #expect(small.add(spans(2..<5)) == 3)
        #expect(small.dropped == 2 && small.take(atMost: 10).map(\.name) == ["span-0", "span-1", "span-2"])
        #expect(small.take(atMost: 1).isEmpty && small.count == 0)
        exporter.add([])
        exporter.exportSpans()
        #expect(collector.messages.isEmpty && exporter.statistics.droppedSpans == 0)
    }

    @Test func `spans are kept if a collector is busy, and dropped if it rejects them`() throws {
        let collector = Collector([
            .status(503, body: []), .status(400, body: []), .status(200, body: []),
        ])
        let exporter = try exporter(collector, ["OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "1"])
        exporter.add(spans(0..<2))
        exporter.exportSpans()
        #expect(collector.names == [["span-0"]] && exporter.statistics.waitingSpans == 2)
        // Nothing is sent before the end of the pause.
        exporter.exportSpans()
        #expect(collector.names.count == 1)
        // At the end, the exporter does not pause.
        exporter.stop(within: .seconds(60))
        #expect(Array(collector.names.prefix(3)) == [["span-0"], ["span-0"], ["span-1"]])
        let statistics = exporter.statistics
        #expect(statistics.spans == 1 && statistics.droppedSpans == 1 && statistics.waitingSpans == 0)
        #expect(statistics.exports[.init(signal: "traces", isTaken: false)] == 2)
    }

    @Test func `at the end a failing collector gets only one attempt`() throws {
        let collector = Collector([.failed("no connection"), .failed("no connection"), .failed("no connection")])
        let exporter = try exporter(collector, ["OTEL_METRICS_EXPORTER": "none"])
        exporter.add(spans(0..<2))
        exporter.stop(within: .seconds(60))
        #expect(collector.names == [["span-0", "span-1"]])
        #expect(exporter.statistics.droppedSpans == 2 && exporter.statistics.waitingSpans == 0)
    }

    @Test(arguments: [
        (#"{"partialSuccess":{"rejectedSpans":"1"}}"#, 1), (#"{"partialSuccess":{"rejectedSpans":2}}"#, 2),
        (#"{"partialSuccess":{"rejectedSpans":"99"}}"#, 3), (#"{"partialSuccess":{"rejectedSpans":-5}}"#, 0),
        (#"{"partialSuccess":{}}"#, 0), ("{}", 0), ("", 0), ("nonsense", 0),
    ])
    func `spans that a collector rejects are counted as dropped`(body: String, rejected: Int) throws {
        let collector = Collector([.status(200, body: Array(body.utf8))])
        let exporter = try exporter(collector)
        exporter.add(spans(0..<3))
        exporter.exportSpans()
        #expect(exporter.statistics.droppedSpans == rejected && exporter.statistics.spans == 3 - rejected)
    }

    @Test func `metrics are sums, gauges and histograms with exemplars`() throws {
        registry.counter(Self.requests, ["frame"]).increment(by: 3)
        registry.gauge(Self.length).set(2.5)
        let timer = registry.tracedTimer(Self.time, ["decode"])
        timer.record(.milliseconds(250), trace: (trace, "00f067aa0ba902b7"))
        timer.record(.seconds(1))
        let collector = Collector()
        try exporter(collector).exportMetrics()
        let message = try #require(collector.messages.first)
        #expect(message.endpoint.url == "http://c/v1/metrics")
        let json = try #require(JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
        let resource = try #require((json["resourceMetrics"] as? [[String: Any]])?.first)
        let metrics = try #require(
            ((resource["scopeMetrics"] as? [[String: Any]])?.first)?["metrics"] as? [[String: Any]]
        )
        #expect(metrics.map { $0["name"] as? String } == ["requests_total", "queue_bytes", "stage_duration_seconds"])
        #expect(metrics.map { $0["unit"] as? String } == ["1", "By", "s"])
        let sum = try #require(metrics[0]["sum"] as? [String: Any])
        #expect(sum["isMonotonic"] as? Bool == true && sum["aggregationTemporality"] as? Int == 2)
        #expect((sum["dataPoints"] as? [[String: Any]])?.first?["asDouble"] as? Double == 3)
        let gauge = try #require(metrics[1]["gauge"] as? [String: Any])
        #expect((gauge["dataPoints"] as? [[String: Any]])?.first?["asDouble"] as? Double == 2.5)
        let points = try #require((metrics[2]["histogram"] as? [String: Any])?["dataPoints"] as? [[String: Any]])
        #expect(points[0]["count"] as? String == "2" && points[0]["bucketCounts"] as? [String] == ["1", "1", "0"])
        #expect(points[0]["explicitBounds"] as? [Double] == [0.5, 2] && points[0]["sum"] as? Double == 1.25)
        let exemplars = try #require(points[0]["exemplars"] as? [[String: Any]])
        #expect(exemplars.count == 1 && exemplars[0]["traceId"] as? String == trace)
        #expect(exemplars[0]["asDouble"] as? Double == 0.25)
    }

    @Test func `OpenMetrics contains exemplars, an end marker, and counter families without a suffix`() throws {
        registry.counter(Self.requests, ["frame"]).increment()
        let timer = registry.tracedTimer(Self.time, ["decode"])
        timer.record(.milliseconds(250), trace: (trace, "00f067aa0ba902b7"))
        let lines = registry.exposition(.openMetrics).split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE requests counter") && lines.contains(#"requests_total{route="frame"} 1"#))
        #expect(lines.last == "# EOF")
        let bucket = try #require(
            lines.first { $0.hasPrefix(#"stage_duration_seconds_bucket{stage="decode",le="0.5"} 1"#) }
        )
        let expected =
            #/.* 1 # \{trace_id="4bf92f3577b34da6a3ce929d0e0e4736",span_id="00f067aa0ba902b7"\} 0.25 [0-9]+\.[0-9]{3}/#
        #expect(bucket.wholeMatch(of: expected) != nil, "\(bucket)")
        #expect(lines.count { $0.contains("trace_id") } == 1)
        #expect(!registry.exposition().contains("trace_id") && !registry.exposition().contains("# EOF"))
    }
}
