import Caching
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// Checks the metrics, the rules and their tests with promtool.
@Suite(.limitedConcurrency, .enabled(if: Promtool.executable != nil, Promtool.advice))
struct PromtoolTests {
    @Test func `promtool accepts the metrics of a service under load`() async throws {
        let image = try Images.blankPNG.get()
        let text = try await TestService.running { service in
            service.metrics.readCaches {
                [("sources", CacheStatistics(hits: 1, misses: 2, stores: 2, evictions: 0, bytes: 10, budget: 20))]
            }
            service.metrics.readRedis { RedisStatistics() }
            service.metrics.readResultStore { StoreStatistics() }
            try await service.request("POST", "/frame?aspect=1:1", body: image)
            try await service.request("GET", "/frame")
            try await service.request("GET", "/nothing")
            return try await service.request("GET", "/metrics").text
        }
        let (status, output) = try await Promtool.run(["check", "metrics"], input: text)
        #expect(status == 0 && output == "", "\(output)")
    }

    @Test func `promtool reports invalid metrics`() async throws {
        let (status, _) = try await Promtool.run(["check", "metrics"], input: "# TYPE a counter\na 1\n")
        #expect(status != 0)
    }

    @Test func `promtool accepts the rules and the configuration`() async throws {
        for (kind, file) in [("rules", "alerts.yml"), ("config", "prometheus.yml")] {
            let (status, output) = try await Promtool.run(["check", kind, "deploy/prometheus/\(file)"])
            #expect(status == 0 && output.contains("SUCCESS"), "\(output)")
        }
    }

    @Test func `alerts fire only when their conditions hold`() async throws {
        let (status, output) = try await Promtool.run(["test", "rules", "deploy/prometheus/alerts_test.yml"])
        #expect(status == 0, "\(output)")
    }
}
