import Foundation
import Imaging
import TestHTTP
import TestPacing
import Testing

@Suite("headroom serve", .limitedConcurrency)
struct ServeTests {
    @Test func `the service logs its address, responds, and stops on a signal`() async throws {
        let service = try await RunningService(["--port", "0"], in: Folder())
        let client = try TestClient(port: service.port)
        try await client.send("GET", "/healthz", headers: [("Connection", "close")])
        let response = try await client.reply()
        #expect(response.status == 200)
        #expect(response.body == Array("ok\n".utf8))
        service.send(signal: SIGINT)
        #expect(await service.line(containing: "stopped") != nil)
        #expect(try await service.status() == 0)
    }

    @Test func `a setting can come from the environment`() async throws {
        let environment = ["HEADROOM_PORT": "0", "HEADROOM_MAX_PIXELS": "1000", "HEADROOM_WORKERS": ""]
        let service = try await RunningService(environment: environment, in: Folder())
        let response = try await post(try Image.encoded(), to: service)
        #expect(response.status == 422)
    }

    @Test func `an option has priority over the environment`() async throws {
        let environment = ["HEADROOM_PORT": "no port", "HEADROOM_MAX_PIXELS": "1000"]
        let options = ["--port", "0", "--max-pixels", "1000000"]
        let service = try await RunningService(options, environment: environment, in: Folder())
        let response = try await post(try Image.encoded(), to: service)
        #expect(response.status == 200)
    }

    @Test func `a graceful shutdown loses no request`() async throws {
        let options = [
            "--port", "0", "--workers", "1", "--drain-timeout", "120", "--header-timeout", "600", "--queue-timeout",
            "600",
        ]
        let service = try await RunningService(options, in: Folder())
        let image = try Image.encoded()
        let clients = try (0..<8).map { _ in try TestClient(port: service.port) }
        for client in clients {
            try await client.send(
                "POST /frame?aspect=1:1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(image.count)\r\n"
                    + "Connection: close\r\nExpect: 100-continue\r\n\r\n"
            )
            // The service has accepted the connection; it is no longer in the kernel's queue.
            #expect(try await client.reply().status == 100)
        }
        for client in clients { try await client.send(image) }
        service.send(signal: SIGTERM)
        for client in clients {
            let response = try await client.reply()
            #expect(response.status == 200)
            #expect(OutputFormat.sniff(response.body) == .jpeg)
        }
        #expect(try await service.status() == 0)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a second signal does not wait for open requests`(number: Int32) async throws {
        let service = try await RunningService(
            ["--port", "0", "--drain-timeout", "3600", "--body-timeout", "3600"],
            in: Folder()
        )
        let client = try TestClient(port: service.port)
        try await client.send(
            "POST /frame HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n"
        )
        // The service has received the header and waits for a body, which the client never sends.
        #expect(try await client.reply().status == 100)
        service.send(signal: SIGTERM)
        #expect(await service.line(containing: " stopping") != nil)
        service.send(signal: number)
        #expect(try await service.status() == 128 + number)
        #expect(try await client.expectEnd() == 0)
    }

    private func post(_ image: [UInt8], to service: RunningService) async throws -> TestClient.Reply {
        let client = try TestClient(port: service.port)
        try await client.send("POST", "/frame?aspect=1:1", headers: [("Connection", "close")], body: image)
        return try await client.reply()
    }
}
