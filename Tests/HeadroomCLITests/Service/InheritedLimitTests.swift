import TestHTTP
import TestPacing
import TestPrograms
import Testing

@Suite("headroom under hard limits", .limitedConcurrency)
struct InheritedLimitTests {
    @Test func `the service starts under sufficient limits`() async throws {
        let service = try await RunningService(
            ["--port", "0", "--workers", "1"],
            after: "ulimit -v 8000000; ulimit -f 200000; ulimit -t 600",
            in: Folder()
        )
        let client = try TestClient(port: service.port)
        for _ in 0..<2 {
            try await client.send("POST", "/frame?aspect=1:1", body: try Image.encoded())
            #expect(try await client.reply(toHead: false).status == 200)
        }
    }

    @Test func `the service does not start under an insufficient limit, and the error names the limit`() async throws {
        let run = try await Headroom.run(
            ["serve", "--port", "0", "--workers", "1"],
            after: "ulimit -f 1",
            in: Folder()
        )
        #expect(run.status == 1)
        #expect(run.error.contains("ulimit -f"), "\(run.error)")
    }

    @Test func `the doctor names the limit, its value and the required value`() async throws {
        let run = try await Headroom.run(
            ["doctor", "--port", "0", "--workers", "1"],
            after: "ulimit -f 1",
            in: Folder()
        )
        #expect(run.status == 1)
        #expect(run.text.contains(#/fail +workers +No worker can process an image: .*ulimit -f/#), "\(run.text)")
        #expect(
            run.text.contains(#/warn +limits +.*file size \(ulimit -f, LimitFSIZE=\) is 512 bytes, needed 1029 MiB/#),
            "\(run.text)"
        )
    }
}
