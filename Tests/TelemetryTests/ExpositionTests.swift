import Metrics
import Synchronization
import Telemetry
import Testing

@Suite struct ExpositionTests {
    private static let requests = MetricDescription(
        "requests_total",
        .counter,
        labels: ["route", "status"],
        help: "Requests \\ answers,\n\"all\"."
    )
    private static let length = MetricDescription("queue_length", .gauge, help: "What waits.")
    private static let time = MetricDescription(
        "stage_duration_seconds",
        .histogram(bounds: [0.001, 0.5, 2]),
        labels: ["stage"],
        help: "Time."
    )
    private let registry = PrometheusRegistry([requests, length, time])

    @Test func `a metric without a value does not appear in the exposition`() {
        #expect(registry.exposition() == "")
    }

    @Test func `a family contains its help, its type, and its series sorted by label`() {
        registry.counter(Self.requests, ["frame", "200"]).increment(by: 2)
        registry.counter(Self.requests, ["faces", "503"]).increment()
        registry.counter(Self.requests, ["frame", "200"]).increment()
        #expect(
            registry.exposition() == #"""
                # HELP requests_total Requests \\ answers,\n"all".
                # TYPE requests_total counter
                requests_total{route="faces",status="503"} 1
                requests_total{route="frame",status="200"} 3

                """#
        )
    }

    @Test(arguments: [
        ("plain", "plain"), ("", ""), (#"a"b"#, #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#),
        ("a\r\nb", "a\r\\nb"), ("é", "é"), (#"\n"#, #"\\n"#),
    ])
    func `label values are escaped`(value: String, escaped: String) {
        registry.counter(Self.requests, [value, "1"]).increment()
        #expect(registry.exposition().hasSuffix("\nrequests_total{route=\"\(escaped)\",status=\"1\"} 1\n"))
    }

    @Test func `a histogram bucket includes its upper bound`() {
        let timer = registry.timer(Self.time, ["decode"])
        for milliseconds in [0.5, 1, 1.5, 500, 2001] {
            timer.recordNanoseconds(Int64(milliseconds * 1_000_000))
        }
        #expect(
            registry.exposition() == """
                # HELP stage_duration_seconds Time.
                # TYPE stage_duration_seconds histogram
                stage_duration_seconds_bucket{stage="decode",le="0.001"} 2
                stage_duration_seconds_bucket{stage="decode",le="0.5"} 4
                stage_duration_seconds_bucket{stage="decode",le="2"} 4
                stage_duration_seconds_bucket{stage="decode",le="+Inf"} 5
                stage_duration_seconds_sum{stage="decode"} 2.504
                stage_duration_seconds_count{stage="decode"} 5

                """
        )
    }

    @Test func `a gauge can rise and fall`() {
        let gauge = registry.gauge(Self.length)
        gauge.increment(by: 3)
        gauge.decrement(by: 1)
        #expect(registry.exposition().hasSuffix("\nqueue_length 2\n"))
        gauge.set(-0.25)
        #expect(registry.exposition().hasSuffix("\nqueue_length -0.25\n"))
    }

    @Test(
        arguments: [
            (0, "0"), (1, "1"), (1.5, "1.5"), (1e300, "1e+300"), (-1, "-1"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
            (.nan, "NaN"), (1_732_000_000.25, "1732000000.25"), (20_971_520, "20971520"),
        ] as [(Double, String)]
    )
    func `numbers have a format that Go can parse`(value: Double, text: String) {
        registry.read([ReadMetric<Double>.gauge("queue_length", help: "What waits.") { $0 }]) { value }
        #expect(registry.exposition().hasSuffix("\nqueue_length \(text)\n"))
    }

    @Test func `sources are read for every scrape`() {
        withExtendedLifetime(Turns()) { box in
            registry.read([ReadMetric<Int>.gauge("queue_length", help: "What waits.") { $0 }]) { box.next() }
            #expect(registry.exposition().hasSuffix("queue_length 1\n"))
            #expect(registry.exposition().hasSuffix("queue_length 2\n"))
        }
    }

    @Test func `concurrent increments are all counted`() async {
        let counter = registry.counter(Self.requests, ["frame", "200"])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [registry] in
                    let timer = registry.timer(Self.time, ["decode"])
                    for _ in 0..<1000 {
                        counter.increment()
                        timer.recordNanoseconds(1_000_000_000)
                    }
                }
            }
        }
        let text = registry.exposition()
        #expect(text.contains("requests_total{route=\"frame\",status=\"200\"} 8000\n"))
        #expect(text.contains("stage_duration_seconds_count{stage=\"decode\"} 8000\n"))
        #expect(text.contains("stage_duration_seconds_sum{stage=\"decode\"} 8000\n"))
    }

    @Test func `metrics created with swift-metrics are the same metrics`() {
        Counter(label: "requests_total", dimensions: [("route", "frame"), ("status", "200")], factory: registry)
            .increment(by: 4)
        Metrics.Timer(label: "stage_duration_seconds", dimensions: [("stage", "queue")], factory: registry)
            .record(duration: .milliseconds(250))
        registry.counter(Self.requests, ["frame", "200"]).increment()
        let text = registry.exposition()
        #expect(text.contains("requests_total{route=\"frame\",status=\"200\"} 5\n"))
        #expect(text.contains("stage_duration_seconds_sum{stage=\"queue\"} 0.25\n"))
    }
}

/// Counts the number of times that it is sampled.
private final class Turns: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
