import Foundation
import Telemetry
import Testing

@Suite struct ProcessTests {
    private static let rest =
        "S 1 2 3 4 5 6 7 8 9 10 150 50 13 14 15 16 17 18 4200 20480000 300 18446744073709551615 1 2"

    @Test(arguments: ["(headroom)", "(a b)", "(a) S 1 (b)", "()", "(a\n)"])
    func `the kernel's statistics of a process are parsed, regardless of the process name`(name: String) throws {
        let text = "17 \(name) \(Self.rest)\n"
        let statistics = try #require(ProcessStatistics(text, ticksPerSecond: 100, pageBytes: 4096))
        #expect(statistics.processorSeconds == 2)
        #expect(statistics.startSeconds == 42)
        #expect(statistics.virtualBytes == 20_480_000)
        #expect(statistics.residentBytes == 300 * 4096)
    }

    @Test(arguments: ["", "17 (headroom)", "17 headroom S 1", "17 (headroom) S 1 2 3"])
    func `malformed statistics are rejected`(text: String) {
        #expect(ProcessStatistics(text, ticksPerSecond: 100, pageBytes: 4096) == nil)
    }

    @Test func `a process that does not exist has no statistics`() {
        #expect(ProcessStatistics(of: -1) == nil)
    }

    @Test func `this process has used time and memory, and started in the past`() throws {
        let registry = PrometheusRegistry()
        registry.read(ProcessMetrics.table) { ProcessMetrics() }
        let lines = registry.exposition().split(separator: "\n").filter { !$0.hasPrefix("#") }
        let values = lines.reduce(into: [String: Double]()) { values, line in
            let words = line.split(separator: " ")
            values[String(words[0])] = Double(words[1])
        }
        #expect(Set(values.keys) == Set(ProcessMetrics.table.map(\.description.name)))
        let start = try #require(values["process_start_time_seconds"])
        let age = Date.now.timeIntervalSince1970 - start
        #expect((-2...86_400).contains(age))
        #expect(try #require(values["process_cpu_seconds_total"]) > 0)
        #expect(try #require(values["process_resident_memory_bytes"]) > 1_048_576)
        let files = try #require(values["process_open_fds"])
        #expect(files >= 3 && files <= (values["process_max_fds"] ?? 0))
    }
}
