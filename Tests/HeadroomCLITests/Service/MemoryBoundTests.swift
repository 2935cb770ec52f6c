import Foundation
import Framing
import TestHTTP
import Geometry
import Imaging
import TestImages
import TestPacing
import Testing

/// Fills three memory budgets that clients can fill, all at the same time.
///
/// `scripts/soak/bounds.py` also fills the other budgets, which takes half a minute.
@Suite("Memory that clients fill", .limitedConcurrency)
struct MemoryBoundTests {
    private static let mebibyte = 1 << 20
    /// The size of each of the three budgets, in MiB.
    private static let budget = 24
    /// The memory that allocators and connections use in addition to the budgets.
    private static let allowance = 24 * mebibyte

    /// The private memory of a process, in bytes.
    private func memory(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let lines = status.split(separator: "\n").filter { $0.hasPrefix("RssAnon:") || $0.hasPrefix("RssShmem:") }
        return lines.compactMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) }.reduce(0, +) * 1024
    }

    private func gauge(_ name: String, _ port: UInt16) async throws -> Int {
        let client = try TestClient(port: port)
        try await client.send("GET", "/metrics")
        let line = try await client.reply().text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }.map { Int($0) } ?? 0
    }

    /// A JPEG of about 2 MiB for a lossless crop.
    private func noise() throws -> [UInt8] {
        var generator = SeededGenerator(seed: 1)
        let image = try TestImage.gray(PixelSize(width: 1500, height: 1500)) { _, _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        return try ImageEncoder.encode(image, as: .jpeg, quality: 100)
    }

    @Test func `uploads, unsent responses and sources together stay within their budgets`() async throws {
        let budget = "\(Self.budget)"
        let long = ["--header-timeout", "--body-timeout", "--write-timeout", "--fetch-timeout", "--queue-timeout"]
        let service = try await RunningService(
            [
                "--port", "0", "--workers", "1", "--allow-private-sources", "--fetch-slots-per-host", "0",
                "--max-upload-memory", budget, "--max-body-bytes", "4194304", "--max-unsent-memory", budget,
                "--max-source-memory", budget, "--max-source-bytes", "4194304",
                "--cache-sources", "0", "--cache-detections", "0", "--cache-results", "0",
            ] + long.flatMap { [$0, "600"] },
            in: Folder()
        )
        let image = try noise()
        let before = try memory(of: try service.processID)
        let full = Self.budget * Self.mebibyte
        var clients: [TestClient] = []

        // Responses that the client does not read.
        for number in 0..<(full / image.count + 2) {
            let peer = TestClient.Peer.tcp(host: "127.0.0.1", port: service.port)
            let client = try TestClient(to: peer, receiveBuffer: 4096)
            // Each body is different, so that no two requests share a response.
            let body = image + Array("\(number)".utf8)
            let target = "/frame?aspect=1:1&gravity=center&losslessCrop=true"
            try await client.send("POST", target, body: body)
            // Reads the start of the response, so that the upload no longer counts when the next upload is sent.
            try await client.receive(atLeast: 1)
            clients.append(client)
        }
        #expect(try await eventually { try await gauge("headroom_http_unsent_bytes", service.port) >= full * 3 / 4 })

        // Sources that never end.
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(4 * Self.mebibyte)\r\n\r\n"
        let part = [UInt8](repeating: 1, count: 3 * Self.mebibyte)
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil, connection.write(Array(head.utf8) + part) else { return }
            connection.waitForClose()
        }
        defer { origin.stop() }
        for number in 0..<8 {
            let client = try TestClient(port: service.port)
            try await client.send("GET", "/frame?url=http%3A%2F%2F127.0.0.1%3A\(origin.port)%2F\(number).jpg")
            clients.append(client)
        }
        // One client may use three quarters of the budget, rounded down to whole sources.
        #expect(try await eventually { try await gauge("headroom_source_bytes", service.port) >= full / 2 })

        // Uploads that never end; one address may use three quarters of the budget.
        for _ in 0..<8 {
            let client = try TestClient(port: service.port)
            // Some requests are rejected under this load.
            let upload = "POST /frame HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194304\r\n\r\n"
            try? await client.send(Array(upload.utf8) + part)
            clients.append(client)
        }
        #expect(try await eventually { try await gauge("headroom_http_body_bytes", service.port) >= full / 2 })

        let grown = try memory(of: try service.processID) - before
        #expect(grown <= 3 * full + Self.allowance, "grew by \(grown / Self.mebibyte) MiB")
        withExtendedLifetime((clients, origin)) {}
    }
}
