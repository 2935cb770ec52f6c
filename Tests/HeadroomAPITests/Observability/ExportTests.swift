import HTTPServer
import HTTPTypes
import HeadroomAPI
import Telemetry
import TestHTTP
import TestPacing
import Testing

/// Traces and metrics at a collector.
@Suite(.limitedConcurrency) struct ExportTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00f067aa0ba902b7"

    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    private func options(_ address: String, _ variables: [String: String] = [:]) throws -> TestService.Options {
        var problems: [String] = []
        let environment = [
            "OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_BSP_SCHEDULE_DELAY": "20",
            "OTEL_METRIC_EXPORT_INTERVAL": "20", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=abc",
        ]
        var options = TestService.Options()
        options.export = OTLPSettings.read(
            environment.merging(variables) { $1 },
            name: "headroom",
            version: "1",
            &problems
        )
        #expect(problems == [])
        return options
    }

    /// The spans that the collector received.
    private func spans(_ origin: TestOrigin) -> [JSONValue] {
        origin.requests.filter { $0.path == "/v1/traces" }.flatMap { request -> [JSONValue] in
            guard let body = try? JSONValue(json: request.body) else { return [] }
            return body["resourceSpans"].elements.flatMap { $0["scopeSpans"].elements }.flatMap { $0["spans"].elements }
        }
    }

    private func attribute(_ name: String, of span: JSONValue) -> JSONValue? {
        span["attributes"].elements.first { $0["key"].string == name }?["value"]
    }

    @Test func `a trace continues with spans of the request, the fetch and the stages, and at the origin`()
        async throws
    {
        let log = LogRecorder()
        let image = image
        let origin = TestOrigin { $0.path == "/a.jpg" ? .file(image) : .init(status: .ok) }
        try await origin.running { address in
            var options = try options(address)
            options.log = log
            try await TestService.running(ScriptedDetector(), options) { service in
                let target = "/frame?width=20&url=\(percentEncoded("\(address)/a.jpg"))"
                let headers = [("traceparent", "00-\(Self.trace)-\(Self.parent)-01"), ("X-Request-Id", "mine")]
                let response = try await service.request("GET", target, headers: headers)
                #expect(response.status == 200)
                #expect(await eventually { spans(origin).count { $0["traceId"].string == Self.trace } >= 6 })
                // The resource of the metrics.
                #expect(await eventually { origin.requests.contains { $0.path == "/v1/metrics" } })
            }
        }
        let sent = spans(origin).filter { $0["traceId"].string == Self.trace }
        #expect(
            sent.compactMap { $0["name"].string }.sorted()
                == ["GET /frame", "decode", "detect", "encode", "fetch", "frame", "queue"].sorted()
        )
        let root = try #require(sent.first { $0["kind"].integer == 2 })
        #expect(root["parentSpanId"].string == Self.parent)
        #expect(attribute("http.route", of: root)?["stringValue"] == "/frame")
        #expect(attribute("http.response.status_code", of: root)?["intValue"] == "200")
        #expect(attribute("headroom.request_id", of: root)?["stringValue"] == "mine")
        let rootID = try #require(root["spanId"].string)
        func time(_ span: JSONValue, _ name: String) -> Int { span[name].string.flatMap { Int($0) } ?? 0 }
        for span in sent where span["kind"].integer != 2 {
            #expect(span["parentSpanId"].string == rootID)
            #expect(time(span, "startTimeUnixNano") <= time(span, "endTimeUnixNano"))
            #expect(time(span, "endTimeUnixNano") <= time(root, "endTimeUnixNano") + 1_000_000)
        }
        // The origin's spans have the fetch as parent, and the log contains the span of the request.
        let fetch = try #require(sent.first { $0["name"].string == "fetch" })
        let fetchID = try #require(fetch["spanId"].string)
        let request = try #require(origin.requests.first { $0.path == "/a.jpg" })
        let name = try #require(HTTPField.Name("traceparent"))
        #expect(request.headers[name] == "00-\(Self.trace)-\(fetchID)-01")
        #expect(log.lines.contains { $0.contains("trace_id=\(Self.trace)") && $0.contains("span_id=\(rootID)") })
        let export = try #require(origin.requests.first { $0.path == "/v1/traces" })
        #expect(export.method == "POST" && export.headers[.contentType] == "application/json")
        #expect(try export.headers[#require(HTTPField.Name("api-key"))] == "abc")
    }

    @Test func `a request without a trace starts one, unless sampling excludes it`() async throws {
        let image = image
        for (variables, isSampled) in [
            ([:], true), (["OTEL_TRACES_SAMPLER": "always_off"], false),
            (["OTEL_TRACES_SAMPLER": "parentbased_always_off"], false),
        ] {
            let origin = TestOrigin { $0.path == "/a.jpg" ? .file(image) : .init(status: .ok) }
            try await origin.running { address in
                try await TestService.running(ScriptedDetector(), options(address, variables)) { service in
                    let target = "/frame?width=20&url=\(percentEncoded("\(address)/a.jpg"))"
                    let response = try await service.request("GET", target)
                    #expect(response.status == 200)
                    let taken = "headroom_otlp_spans_total"
                    if isSampled {
                        #expect(await eventually { (service.metric(taken) ?? 0) > 0 })
                    } else {
                        // The export of metrics continues.
                        #expect(await eventually { origin.requests.count { $0.path == "/v1/metrics" } > 1 })
                        #expect(service.metric(taken) == 0)
                    }
                }
            }
            let name = try #require(HTTPField.Name("traceparent"))
            let sent = origin.requests.first { $0.path == "/a.jpg" }?.headers[name]
            #expect(
                sent?.wholeMatch(of: isSampled ? /00-[0-9a-f]{32}-[0-9a-f]{16}-03/ : /00-[0-9a-f]{32}-[0-9a-f]{16}-02/)
                    != nil
            )
            #expect(spans(origin).isEmpty == !isSampled)
        }
    }

    @Test func `a silent or full collector fails no request, and dropped spans are counted`() async throws {
        let image = image
        for path in ["/silence", "/full"] {
            let origin = TestOrigin { request in
                request.path == "/a.jpg" ? .file(image) : .init(status: .serviceUnavailable)
            }
            try await origin.running { address in
                let variables = [
                    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "\(address)\(path)", "OTEL_METRICS_EXPORTER": "none",
                    "OTEL_BSP_MAX_QUEUE_SIZE": "4", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "2",
                ]
                try await TestService.running(ScriptedDetector(), options(address, variables)) { service in
                    for width in 1...10 {
                        let target = "/frame?width=\(width)&url=\(percentEncoded("\(address)/a.jpg"))"
                        let response = try await service.request("GET", target)
                        #expect(response.status == 200)
                    }
                    #expect(await eventually { (service.metric("headroom_otlp_spans_dropped_total") ?? 0) > 0 })
                    #expect((service.metric("headroom_otlp_spans_waiting") ?? 99) <= 6)
                    #expect(service.metric("headroom_otlp_spans_total") == 0)
                }
            }
        }
    }

    @Test func `Prometheus gets exemplars with the trace if it accepts OpenMetrics`() async throws {
        try await TestOrigin.running(["/v1/traces": .init(status: .ok), "/v1/metrics": .init(status: .ok)]) { address in
            try await TestService.running(ScriptedDetector(), options(address)) { service in
                let headers = [("traceparent", "00-\(Self.trace)-\(Self.parent)-01")]
                let response = try await service.request("GET", "/healthz", headers: headers)
                #expect(response.status == 200)
                let plain = try await service.request("GET", "/metrics")
                #expect(plain["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
                #expect(!plain.text.contains(Self.trace))
                let accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3"
                let open = try await service.request("GET", "/metrics", headers: [("Accept", accept)])
                #expect(open["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
                #expect(open.text.hasSuffix("# EOF\n"))
                let bucket = open.text.split(separator: "\n").first { $0.contains("trace_id=\"\(Self.trace)\"") }
                #expect(bucket?.hasPrefix("headroom_http_request_duration_seconds_bucket{route=\"healthz\"") == true)
            }
        }
    }
}
