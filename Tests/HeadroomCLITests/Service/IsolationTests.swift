import Foundation
import Imaging
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// Worker processes of the headroom executable.
@Suite("headroom serve --isolation", .limitedConcurrency)
struct IsolationTests {
    private func post(_ image: [UInt8], to service: RunningService) async throws -> TestClient.Reply {
        let client = try TestClient(port: service.port)
        try await client.send("POST", "/frame?aspect=1:1", headers: [("Connection", "close")], body: image)
        return try await client.reply()
    }

    @Test func `workers are processes unless threads are requested`() async throws {
        let service = try await RunningService(["--port", "0", "--workers", "2"], in: Folder())
        #expect(try ChildProcesses.of(service.processID).count >= 2)
        let threads = try await RunningService(["--port", "0", "--isolation", "thread"], in: Folder())
        #expect(try ChildProcesses.of(threads.processID).isEmpty)
        let responses = try await (post(Image.encoded(), to: service), post(Image.encoded(), to: threads))
        #expect(responses.0.status == 200)
        #expect(responses.0.body == responses.1.body)
    }

    @Test func `a killed worker is replaced, and the service continues`() async throws {
        let service = try await RunningService(["--port", "0", "--workers", "1"], in: Folder())
        let first = try #require(try ChildProcesses.of(service.processID).first)
        kill(first, SIGKILL)
        let line = try #require(await service.line(containing: "a worker process ended"))
        #expect(line.contains("cause=killed"))
        #expect(try await post(Image.encoded(), to: service).status == 200)
        #expect(try ChildProcesses.of(service.processID) != [first])
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func `no worker outlives the service`(number: Int32) async throws {
        let service = try await RunningService(["--port", "0", "--workers", "2"], in: Folder())
        let process = try service.processID
        // A second after the start, the spare worker is added.
        let workers = try ChildProcesses.of(process)
        #expect(workers.count >= 2)
        // Service managers may send SIGTERM to the whole process group; workers ignore the signal and exit with the
        // service.
        for worker in workers { kill(worker, SIGTERM) }
        #expect(try await post(Image.encoded(), to: service).status == 200)
        let remaining = try ChildProcesses.of(service.processID)
        #expect(Set(remaining).isSuperset(of: workers))
        service.send(signal: number)
        _ = try await service.status()
        #expect(await eventually { ChildProcesses.haveEnded(remaining + [process]) })
    }

    @Test func `users cannot run the workers' command`() async throws {
        let run = try await Headroom.run(["worker-process", "hog"], in: Folder())
        #expect(run.status == 64)
        #expect(run.error == "Error: a worker process can only be started by headroom serve\n")
    }
}
