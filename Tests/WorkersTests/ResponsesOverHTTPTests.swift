import Fetching
import Foundation
import HTTPServer
import HeadroomAPI
import Imaging
import Logging
import Pipeline
import TestHTTP
import TestPacing
import Testing
import Workers

/// The service's responses when a worker process ends.
@Suite(.limitedConcurrency, .serialized) struct ResponsesOverHTTPTests {
    private func running(
        _ arguments: [String] = ["faulty"],
        _ body: (HeadroomService, UInt16) async throws -> Void
    ) async throws {
        var settings = HeadroomService.Configuration(
            addresses: [.tcp(host: "127.0.0.1", port: 0)],
            server: ServerConfiguration(),
            fetching: FetchConfiguration(userAgent: "Headroom/test"),
            limits: PipelineLimits(),
            pool: PoolConfiguration(workers: 2, queueLimit: 64, maxBytesInFlight: 256 << 20)
        )
        settings.isUnreadyWhenFull = true
        let service = try HeadroomService(
            settings,
            processes: try FaultyService.configuration(arguments),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        async let run: Void = service.run()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(service, service.addresses[0].port ?? 0))
        } catch {
            result = .failure(error)
        }
        service.shutdown()
        await run
        try result.get()
    }

    private func request(
        _ method: String,
        _ target: String,
        _ body: [UInt8] = [],
        port: UInt16
    ) async throws -> TestClient.Reply {
        let client = try TestClient(port: port)
        try await client.send(method, target, body: body)
        return try await client.reply(toHead: false)
    }

    @Test func `the request that ended a worker gets 500, the same image 422, and any other image its response`()
        async throws
    {
        try await running { _, port in
            let bad = try FaultyService.image(200)
            let first = try await request("POST", "/faces?accuracy=low", bad, port: port)
            #expect(first.status == 500)
            #expect(first["Content-Type"] == "application/problem+json")
            #expect(first.text.contains("urn:headroom:problem:internal-error"))
            #expect(!first.text.contains("SIGSEGV"))
            for target in ["/faces", "/frame?gravity=center&width=10"] {
                let again = try await request("POST", target, bad, port: port)
                #expect(again.status == 422)
                #expect(again.text.contains("urn:headroom:problem:unreadable-image"))
            }
            let good = try await request("POST", "/frame?accuracy=low", FaultyService.goodImage(), port: port)
            #expect(good.status == 200)
            #expect(OutputFormat.sniff(good.body) == .png)
        }
    }

    @Test func `a service without a running worker is not ready`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "headroom-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try await running(["unless", file.path]) { service, port in
            #expect(try await request("GET", "/readyz", port: port).text == "ready\n")
            #expect(await eventually { service.workers.processIDs.count == 2 })
            try Data().write(to: file)
            for id in service.workers.processIDs { kill(id, SIGKILL) }
            #expect(await eventually { !service.workers.hasWorkers })
            let reply = try await request("GET", "/readyz", port: port)
            #expect(reply.status == 503)
            #expect(reply.text == "no worker\n")
            // Metrics are available and contain the causes after both processes have ended.
            #expect(await eventually { service.workers.processCounters?.ends[.killed] == 2 })
            let metrics = try await request("GET", "/metrics", port: port).text
            #expect(metrics.contains("\nheadroom_workers 2\n"))
            #expect(metrics.contains("\nheadroom_workers_alive 0\n"))
            #expect(metrics.contains("\nheadroom_ready 0\n"))
            #expect(metrics.contains("\nheadroom_worker_ends_total{cause=\"crash\"} 0\n"))
            #expect(metrics.contains("\nheadroom_worker_ends_total{cause=\"killed\"} 2\n"))
            #expect(try await request("GET", "/healthz", port: port).status == 200)
            try FileManager.default.removeItem(at: file)
            #expect(try await eventually { try await request("GET", "/readyz", port: port).status == 200 })
            #expect(await eventually { service.workers.processIDs.count == 2 })
            let after = try await request("GET", "/metrics", port: port).text
            #expect(after.contains("\nheadroom_workers_alive 2\n"))
            #expect(after.contains("\nheadroom_worker_restarts_total 2\n"))
            for worker in 0..<2 {
                // Processor time in seconds, and memory in bytes.
                #expect(after.contains("\nheadroom_worker_cpu_seconds_total{worker=\"\(worker)\"} "))
                let memory = "\nheadroom_worker_resident_memory_bytes{worker=\"\(worker)\"} "
                let value = after.firstRange(of: memory).map { after[$0.upperBound...].prefix { $0 != "\n" } }
                #expect((value.flatMap { Int($0) } ?? 0) > 1_048_576)
            }
        }
    }

    @Test func `a service that is not ready for several reasons reports all of them`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "headroom-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try await running(["unless", file.path]) { service, port in
            #expect(await eventually { service.workers.processIDs.count == 2 })
            try Data().write(to: file)
            for id in service.workers.processIDs { kill(id, SIGKILL) }
            #expect(await eventually { !service.workers.hasWorkers })
            // Fills the queue with requests while there is no worker.
            var clients: [TestClient] = []
            for index in 0..<64 {
                let client = try TestClient(port: port)
                try await client.send("POST", "/faces", body: FaultyService.goodImage(variant: index))
                clients.append(client)
            }
            #expect(await eventually { service.workers.isSaturated })
            #expect(try await request("GET", "/readyz", port: port).text == "queue full\nno worker\n")
            // A request on an open connection gets a response during the shutdown.
            let watcher = try TestClient(port: port)
            try await watcher.send("GET", "/readyz")
            #expect(try await watcher.reply(toHead: false).status == 503)
            try await watcher.send(Array("GET /readyz HTTP/1.1\r\nHost: h\r\n".utf8))
            service.shutdown()
            try await watcher.send(Array("\r\n".utf8))
            #expect(try await watcher.reply(toHead: false).text == "draining\nqueue full\nno worker\n")
            try FileManager.default.removeItem(at: file)
            for client in clients { #expect(try await client.reply(toHead: false).status == 200) }
        }
    }
}
