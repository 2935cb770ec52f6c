import Foundation
import Synchronization
import SystemPackage
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// The parent of the service: restarts after crashes, sockets, signals and exit statuses.
@Suite("headroom serve after a crash", .limitedConcurrency)
struct SupervisorTests {
    /// The counts of clients while the service is killed.
    private final class Load: Sendable {
        let failures = Atomic(0)
        let successes = Atomic(0)
        let isOver = Atomic(false)
    }

    /// The status of a request on a new connection.
    private func status(_ target: String = "/healthz", of peer: TestClient.Peer) async throws -> Int {
        let client = try TestClient(to: peer)
        try await client.send("GET", target, headers: [("Connection", "close")])
        return try await client.reply().status
    }

    private func status(_ target: String = "/healthz", of service: RunningService) async throws -> Int {
        try await status(target, of: .tcp(host: "127.0.0.1", port: service.port))
    }

    @Test(arguments: [SIGILL, SIGSEGV, SIGABRT, SIGKILL])
    func `a service that was ended by a signal is replaced`(number: Int32) async throws {
        let service = try await RunningService(["--port", "0", "--workers", "1"], in: Folder())
        let first = try service.processID
        let workers = try ChildProcesses.of(first)
        #expect(!workers.isEmpty)
        kill(first, number)
        #expect(await eventually { ChildProcesses.haveEnded([first]) })
        // The parent holds the socket, so the connection waits for the next process.
        #expect(try await status(of: service) == 200)
        let line = try #require(await service.line(containing: "the service process ended and was restarted"))
        #expect(line.contains("signal \(number) ("))
        #expect(line.contains("restarts=1"))
        #expect(try service.processID != first)
        #expect(await eventually { ChildProcesses.haveEnded(workers) })
        let client = try TestClient(port: service.port)
        try await client.send("GET", "/metrics", headers: [("Connection", "close")])
        #expect(try await client.reply().text.contains("\nheadroom_service_restarts_total 1\n"))
        service.send(signal: SIGTERM)
        #expect(try await service.status() == 0)
    }

    @Test func `waiting connections survive a crash, at every address`() async throws {
        let folder = try Folder()
        let path = folder.url.appending(path: "headroom.sock").path
        let service = try await RunningService(
            ["--port", "0", "--workers", "1", "--unix-socket", path, "--metrics-address", "127.0.0.1:0"],
            in: folder
        )
        let line = try #require(await service.line(containing: "listening for /metrics"))
        let metricsPort = try #require(RunningService.port(in: line))
        let targets: [(TestClient.Peer, String)] = [
            (.tcp(host: "127.0.0.1", port: service.port), "/healthz"), (.unix(path: path), "/healthz"),
            (.tcp(host: "127.0.0.1", port: metricsPort), "/metrics"),
        ]
        for _ in 0..<3 {
            let process = try service.processID
            // A stopped process accepts no connections.
            kill(process, SIGSTOP)
            #expect(await eventually { ChildProcesses.haveStopped(process) })
            let clients = try targets.flatMap { target in
                try (0..<8).map { _ in (try TestClient(to: target.0), target.1) }
            }
            for (client, target) in clients { try await client.send("GET", target, headers: [("Connection", "close")]) }
            kill(process, SIGKILL)
            for (client, _) in clients { #expect(try await client.reply().status == 200) }
        }
        service.send(signal: SIGTERM)
        #expect(try await service.status() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a crash under load refuses no connection and fails only requests in progress`() async throws {
        let (clients, kills) = (8, 3)
        let service = try await RunningService(["--port", "0", "--workers", "1"], in: Folder())
        let load = Load()
        let port = service.port
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The clients also stop if an error ends this closure.
            defer { load.isOver.store(true, ordering: .relaxed) }
            for _ in 0..<clients {
                group.addTask {
                    while !load.isOver.load(ordering: .relaxed) {
                        // The connection is not refused: this throws if it is.
                        let client = try TestClient(port: port)
                        do {
                            try await client.send("GET", "/healthz", headers: [("Connection", "close")])
                            #expect(try await client.reply().status == 200)
                            load.successes.add(1, ordering: .relaxed)
                        } catch {
                            load.failures.add(1, ordering: .relaxed)
                        }
                        await Task.yield()
                    }
                }
            }
            for _ in 0..<kills {
                let count = load.successes.load(ordering: .relaxed)
                #expect(await eventually { load.successes.load(ordering: .relaxed) > count + 50 })
                kill(try service.processID, SIGILL)
                #expect(await service.line(containing: "was restarted") != nil)
            }
            let count = load.successes.load(ordering: .relaxed)
            #expect(await eventually { load.successes.load(ordering: .relaxed) > count + 50 })
            load.isOver.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        #expect(load.failures.load(ordering: .relaxed) <= clients * kills)
    }

    @Test func `a socket of the service manager survives a crash`() async throws {
        let listener = try LoopbackListener()
        let service = try await RunningService(
            ["--workers", "1"],
            after: "exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1; export LISTEN_PID LISTEN_FDS",
            input: FileDescriptor(rawValue: listener.handle.fileDescriptor),
            in: Folder()
        )
        #expect(service.port == listener.port)
        let process = try service.processID
        kill(process, SIGSEGV)
        #expect(await eventually { ChildProcesses.haveEnded([process]) })
        #expect(try await status(of: service) == 200)
    }

    @Test func `settings are reloaded after a crash`() async throws {
        let folder = try Folder()
        try folder.write(Array("0123456789abcdef0123456789abcdef\n".utf8), to: "secrets")
        let path = folder.url.appending(path: "secrets").path
        let service = try await RunningService(["--port", "0", "--bearer-secrets-file", path], in: folder)
        kill(try service.processID, SIGILL)
        #expect(await service.line(containing: "listening") != nil)
        try folder.write(Array("abcdef0123456789abcdef0123456789\n".utf8), to: "secrets")
        service.send(signal: SIGHUP)
        #expect(await service.line(containing: "settings reloaded") != nil)
        #expect(try await status(of: service) == 200)
    }

    @Test func `a successor with invalid settings is restarted`() async throws {
        let folder = try Folder()
        try folder.write(Array("workers: 1\n".utf8), to: "headroom.yaml")
        let path = folder.url.appending(path: "headroom.yaml").path
        let service = try await RunningService(["--port", "0", "--config", path], in: folder)
        try folder.write(Array("workers: many\n".utf8), to: "headroom.yaml")
        kill(try service.processID, SIGILL)
        #expect(await service.line(containing: "workers=many is not valid") != nil)
        try folder.write(Array("workers: 1\n".utf8), to: "headroom.yaml")
        #expect(try await status(of: service) == 200)
    }

    @Test func `the supervisor gives up if the service ends at every start`() async throws {
        let service = try await RunningService(["--port", "0", "--workers", "1"], in: Folder())
        let parent = service.parentID
        // Kills each process long before it is ready. If a process still becomes ready, a new series starts.
        let killing = Task {
            while !Task.isCancelled, FileManager.default.fileExists(atPath: "/proc/\(parent)/exe") {
                for process in try ChildProcesses.of(parent) { kill(process, SIGKILL) }
            }
        }
        let line = try #require(await service.line(containing: "times in a row before it was ready"))
        #expect(
            line == "Error: the service process ended 5 times in a row before it was ready, the last time by "
                + "signal 9 (Killed)"
        )
        #expect(try await service.status() == 1)
        killing.cancel()
    }

    /// The processes that receive SIGTERM.
    enum Target: CaseIterable {
        case parent, service, both
    }

    @Test(arguments: Target.allCases)
    func `SIGTERM completes requests, whichever process receives it`(target: Target) async throws {
        let options = ["--port", "0", "--workers", "1", "--drain-timeout", "120", "--body-timeout", "600"]
        let service = try await RunningService(options, in: Folder())
        let image = try Image.encoded()
        let client = try TestClient(port: service.port)
        try await client.send(
            "POST /frame?aspect=1:1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(image.count)\r\n"
                + "Connection: close\r\nExpect: 100-continue\r\n\r\n"
        )
        #expect(try await client.reply().status == 100)
        let process = try service.processID
        if target != .parent { kill(process, SIGTERM) }
        if target != .service { service.send(signal: SIGTERM) }
        #expect(await service.line(containing: " stopping") != nil)
        // The parent holds no copy of the socket that could queue connections.
        #expect(await eventually { (try? TestClient(port: service.port)) == nil })
        try await client.send(image)
        #expect(try await client.reply().status == 200)
        #expect(try await service.status() == 0)
    }

    @Test func `a crash during shutdown causes no restart`() async throws {
        let service = try await RunningService(["--port", "0", "--drain-timeout", "3600"], in: Folder())
        let client = try TestClient(port: service.port)
        try await client.send(
            "POST /frame HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n"
        )
        #expect(try await client.reply().status == 100)
        let process = try service.processID
        service.send(signal: SIGTERM)
        #expect(await service.line(containing: " stopping") != nil)
        kill(process, SIGKILL)
        #expect(try await service.status() == 128 + SIGKILL)
    }
}
