import Foundation
import HeadroomAPI
import Requests
import Telemetry
import TestPacing
import Testing
import Video

/// Compares documents, dashboard and rules with the service's metrics.
@Suite(.limitedConcurrency) struct MetricsDocumentsTests {
    private static let all = HeadroomService.allMetrics + LiveStreams.allMetrics

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Promtool.repository.appending(path: path), encoding: .utf8)
    }

    @Test func `docs/metrics.md has a row for every metric, with the same description`() throws {
        let rows = try text("docs/metrics.md").split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let expected = Self.all.map { metric in
            let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            let row = "| `\(metric.name)` | \(metric.kind.word) | \(labels) | \(metric.help) |"
            return row.replacing("|  |", with: "| |")
        }
        for row in expected where !rows.contains(row) { Issue.record("docs/metrics.md lacks \(row)") }
        for row in rows where !expected.contains(row) { Issue.record("the service lacks \(row)") }
    }

    @Test func `every metric name follows the naming conventions`() {
        for metric in Self.all {
            #expect(metric.name.hasPrefix("headroom_") || metric.name.hasPrefix("process_"))
            #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter), "\(metric.name)")
            #expect(metric.help.hasSuffix(".") && !metric.help.contains("|"))
        }
        #expect(Set(Self.all.map(\.name)).count == Self.all.count)
    }

    /// The metric names in queries; the suffixes of a histogram are removed.
    private func names(in text: String) -> Set<String> {
        let histograms = Self.all.filter { $0.kind.word == "histogram" }.map(\.name)
        return Set(
            text.matches(of: /\b(?:headroom|process)_[a-z0-9_]+/).map { match in
                let name = String(match.0)
                return histograms.first { ["\($0)_bucket", "\($0)_sum", "\($0)_count"].contains(name) } ?? name
            }
        )
    }

    @Test(arguments: [
        "deploy/grafana/headroom.json", "deploy/prometheus/alerts.yml", "deploy/prometheus/alerts_test.yml",
    ])
    func `every metric in the queries exists`(path: String) throws {
        let names = try names(in: text(path))
        #expect(names.count > 5)
        #expect(names.subtracting(Self.all.map(\.name)) == [])
    }

    @Test func `the dashboard shows every metric`() throws {
        let shown = try names(in: text("deploy/grafana/headroom.json"))
        let deprecated = DeprecatedName.all.filter { $0.kind == .metric }.map(\.old)
        let missing = Set(Self.all.map(\.name)).subtracting(shown)
        #expect(missing.subtracting(deprecated) == ["process_virtual_memory_bytes"])
    }

    @Test func `the dashboard has a valid structure, and its panels do not overlap`() throws {
        let dashboard = try JSONValue(json: Array(text("deploy/grafana/headroom.json").utf8))
        #expect(dashboard["title"] == "Headroom")
        var taken: Set<[Int]> = []
        var identifiers: Set<Int> = []
        for panel in dashboard["panels"].elements {
            #expect(identifiers.insert(try #require(panel["id"].integer)).inserted)
            let place = panel["gridPos"]
            let (x, y) = (try #require(place["x"].integer), try #require(place["y"].integer))
            let (width, height) = (try #require(place["w"].integer), try #require(place["h"].integer))
            #expect(x >= 0 && x + width <= 24)
            for column in x..<x + width {
                for line in y..<y + height { #expect(taken.insert([column, line]).inserted) }
            }
            #expect((panel["type"] == "row") == panel["targets"].elements.isEmpty)
        }
        #expect(identifiers.count > 20)
    }

    @Test(.enabled(if: Promtool.executable != nil, Promtool.advice))
    func `Prometheus can parse every query of the dashboard`() async throws {
        let dashboard = try JSONValue(json: Array(text("deploy/grafana/headroom.json").utf8))
        var rules = "groups:\n- name: dashboard\n  rules:\n"
        for panel in dashboard["panels"].elements {
            for target in panel["targets"].elements {
                let query = try #require(target["expr"].string)
                    .replacing("$__rate_interval", with: "1m").replacing("$job", with: "headroom")
                    .replacing("$instance", with: ".*")
                rules += "  - record: dashboard:query:\(rules.utf8.count)\n    expr: |\n      \(query)\n"
            }
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "queries-\(UUID().uuidString).yml")
        try Data(rules.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (status, output) = try await Promtool.run(["check", "rules", file.path])
        #expect(status == 0, "\(output)")
    }
}
