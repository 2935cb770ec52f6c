import Foundation
import TestHTTP
import TestPacing
import Testing

/// A service that logs to a pipe without a reader.
@Suite(.limitedConcurrency) struct UnreadLogTests {
    @Test func `requests get responses and the service stops even if its log is not read`() async throws {
        let folder = try Folder()
        let socket = folder.url.appending(path: "s").path
        let pipe = Pipe()
        let process = Process()
        process.executableURL = try Headroom.executable()
        process.arguments = ["serve", "--unix-socket", socket, "--isolation", "thread", "--workers", "1"]
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("HEADROOM_") }
        process.standardError = pipe
        try process.run()
        defer { process.terminate() }
        #expect(await eventually { (try? TestClient(to: .unix(path: socket))) != nil })
        let client = try TestClient(to: .unix(path: socket))
        // The pipe's buffer has 64 KiB, the log's buffer 1 MiB, and a line at least 100 bytes.
        let many = 100
        for _ in 0..<120 {
            try await client.send(String(repeating: "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n", count: many))
            for _ in 0..<many { #expect(try await client.reply().status == 200) }
        }
        try await client.send("GET", "/metrics")
        let metrics = try await client.reply().text
        let line = metrics.split(separator: "\n").first { $0.hasPrefix("headroom_log_lines_dropped_total ") }
        #expect(line.flatMap { Double($0.split(separator: " ")[1]) } ?? 0 > 0)
        process.terminate()
        #expect(await eventually { !process.isRunning })
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        withExtendedLifetime(pipe) {}
    }
}
