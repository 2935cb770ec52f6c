import Foundation
import TestHTTP
import TestPacing
import TestPrograms
import Testing

@Suite("Logs and metrics of headroom serve", .limitedConcurrency)
struct ObservabilityTests {
    @Test func `a JSON log contains one object per line`() async throws {
        let service = try await RunningService(["--port", "0", "--log-format", "json"], in: Folder())
        let client = try TestClient(port: service.port)
        let headers = [("Connection", "close"), ("X-Request-Id", "\"one\"")]
        try await client.send("POST", "/frame?aspect=1:1", headers: headers, body: [1, 2, 3])
        #expect(try await client.reply().status == 415)
        let line = try #require(await service.line(containing: "\"request\""))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["message"] as? String == "request" && object["level"] as? String == "info")
        #expect(object["request_id"] as? String == "\"one\"")
        #expect(object["status"] as? Int == 415)
        #expect(object["route"] as? String == "frame" && object["problem"] as? String == "unsupported-image")
        #expect((object["total_ms"] as? Double ?? -1) >= 0)
        let time = try #require(object["time"] as? String)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        service.send(signal: SIGTERM)
        let last = try #require(await service.line(containing: "\"stopped\""))
        for line in service.startLines + [last] {
            #expect((try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["time"] != nil)
        }
        #expect(try await service.status() == 0)
    }

    @Test(arguments: [([], true), (["--playground", "off"], false)])
    func `the log contains the URL of the playground for a browser`(options: [String], hasPage: Bool) async throws {
        let environment = ["HEADROOM_WORKERS": "1"]
        let service = try await RunningService(["--port", "0"] + options, environment: environment, in: Folder())
        service.send(signal: SIGTERM)
        let line = await service.line(containing: hasPage ? "open http" : "stopped")
        #expect(line?.contains("open http://localhost:\(service.port) in a browser") == hasPage)
        #expect(try await service.status() == 0)
    }

    @Test func `metrics can have a separate address`() async throws {
        let environment = ["HEADROOM_METRICS_ADDRESS": "127.0.0.1:0", "HEADROOM_WORKERS": "1"]
        let service = try await RunningService(["--port", "0"], environment: environment, in: Folder())
        let line = try #require(await service.line(containing: "listening for /metrics"))
        let port = try #require(RunningService.port(in: line))
        let here = try TestClient(port: service.port)
        try await here.send("GET", "/metrics", headers: [("Connection", "close")])
        #expect(try await here.reply().status == 404)
        let there = try TestClient(port: port)
        try await there.send("GET", "/metrics", headers: [("Connection", "close")])
        let response = try await there.reply()
        #expect(response.status == 200)
        let text = response.text
        #expect(text.contains("\nheadroom_workers_alive 1\n"))
        #expect(text.contains("\nheadroom_http_requests_total{route=\"none\",method=\"GET\",status=\"404\"} 1\n"))
        #expect(text.contains("\nprocess_resident_memory_bytes "))
        service.send(signal: SIGTERM)
        #expect(try await service.status() == 0)
    }

    @Test func `an address in use is reported before the service starts`() async throws {
        let service = try await RunningService(["--port", "0", "--workers", "1"], in: Folder())
        let run = try await Headroom.run(
            ["serve", "--port", "0", "--workers", "1", "--metrics-address", "127.0.0.1:\(service.port)"],
            in: Folder()
        )
        #expect(run.status == 1)
        #expect(run.error.contains("cannot listen on 127.0.0.1:\(service.port)"))
    }
}
