import HTTPServer
import HTTPTypes
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Bodies that are produced while they are sent, and bodies that are passed on while they arrive.
@Suite(.limitedConcurrency) struct StreamingTests {
    /// A stream that counts its pieces.
    private final class Pieces: Sendable {
        let made = Atomic(0)
        let isFinished = Atomic(false)
        let closed = Atomic(0)
        private let size: Int
        private let maximum: Int

        init(_ maximum: Int, size: Int = 1000) {
            self.maximum = maximum
            self.size = size
        }

        var count: Int { made.load(ordering: .sequentiallyConsistent) }

        var response: ServerResponse {
            var response = ServerResponse(status: .ok, headers: [.contentType: "text/plain"])
            response.stream = ResponseStream(
                next: {
                    if self.isFinished.load(ordering: .sequentiallyConsistent) || self.count >= self.maximum {
                        return nil
                    }
                    let number = self.made.add(1, ordering: .sequentiallyConsistent).newValue
                    return Array("\(number);".utf8) + [UInt8](repeating: 0x2E, count: self.size)
                },
                finish: { self.isFinished.store(true, ordering: .sequentiallyConsistent) },
                close: { self.closed.add(1, ordering: .sequentiallyConsistent) }
            )
            return response
        }
    }

    /// The content of a chunked body.
    private func chunks(_ bytes: [UInt8]) -> [[UInt8]] {
        var (rest, chunks): (ArraySlice<UInt8>, [[UInt8]]) = (bytes[...], [])
        while let end = rest.firstIndex(of: 0x0D),
            let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16)
        {
            let start = end + 2
            guard start + size + 2 <= rest.endIndex else { break }
            chunks.append(Array(rest[start..<start + size]))
            rest = rest[(start + size + 2)...]
        }
        return chunks
    }

    @Test func `pieces are sent as chunks, and the connection is closed after the last one`() async throws {
        let pieces = Pieces(3)
        try await withServer(handler: { _ in pieces.response }) { _, address in
            let client = try TestClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            let head = try await client.reply()
            #expect(head["transfer-encoding"] == "chunked" && head["content-length"] == nil)
            #expect(head["connection"] == "close")
            let received = chunks(try await client.rest()).map { String(decoding: $0.prefix(2), as: UTF8.self) }
            #expect(received == ["1;", "2;", "3;", ""])
            #expect(pieces.closed.load(ordering: .sequentiallyConsistent) == 1)
        }
    }

    @Test func `an HTTP/1.0 client receives the pieces without chunk framing`() async throws {
        let pieces = Pieces(2, size: 1)
        try await withServer(handler: { _ in pieces.response }) { _, address in
            let client = try TestClient(address)
            try await client.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try await client.reply()["transfer-encoding"] == nil)
            #expect(try await client.rest() == Array("1;.2;.".utf8))
        }
    }

    @Test func `HEAD creates no piece`() async throws {
        let pieces = Pieces(2)
        try await withServer(handler: { _ in pieces.response }) { _, address in
            let client = try TestClient(address)
            try await client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try await client.reply(toHead: true)
            #expect(try await client.rest() == [])
            #expect(pieces.count == 0 && pieces.closed.load(ordering: .sequentiallyConsistent) == 1)
        }
    }

    @Test func `a client that does not read gets no more pieces and is disconnected`() async throws {
        let clock = ManualClock()
        let pieces = Pieces(.max, size: 10_000)
        try await withServer(handler: { _ in pieces.response }, now: { clock.now }) { server, address in
            let client = try TestClient(address, receiveBuffer: 4096)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            // Waits until the kernel's buffers and the pieces to acknowledge are full.
            #expect(await eventually { server.firstUnsentEnd != nil })
            #expect(pieces.count < 200)
            try await clock.advancing { #expect(await eventually { server.connectionCount == 0 }) }
            #expect(pieces.count < 200)
            #expect(pieces.closed.load(ordering: .sequentiallyConsistent) == 1)
            _ = try? await client.expectEnd()
        }
    }

    @Test func `a client that disconnects ends the stream`() async throws {
        let pieces = Pieces(.max)
        try await withServer(handler: { _ in pieces.response }) { server, address in
            let client = try TestClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            try await client.receive(atLeast: 10_000)
            try await client.reset()
            #expect(await eventually { pieces.closed.load(ordering: .sequentiallyConsistent) == 1 })
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test func `a shutdown ends the stream with the last chunk`() async throws {
        let pieces = Pieces(.max)
        try await withServer(handler: { _ in pieces.response }) { server, address in
            let client = try TestClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            try await client.receive(atLeast: 5000)
            server.shutdown()
            let bytes = try await client.rest()
            #expect(bytes.suffix(5) == Array("0\r\n\r\n".utf8)[...])
        }
    }

    /// Collects a body.
    private final class Collector: BodyReceiver {
        struct State {
            var bytes: [UInt8] = []
            var calls = 0
            var isComplete: Bool?
        }

        let state = Mutex(State())

        func receive(_ bytes: [UInt8]) {
            state.withLock {
                $0.bytes += bytes
                $0.calls += 1
            }
        }

        func end(isComplete: Bool) { state.withLock { $0.isComplete = isComplete } }
    }

    @Test(arguments: [
        ("Content-Length: 6", ["abc", "def"], "abcdef"),
        ("Transfer-Encoding: chunked", ["3\r\nabc\r\n", "3\r\ndef\r\n0\r\n\r\n"], "abcdef"),
    ])
    func `a body is passed on while it arrives, and the response starts before its end`(
        field: String,
        parts: [String],
        expected: String
    ) async throws {
        let collector = Collector()
        let gate = Gate()
        try await withServer { request in
            #expect(request.body == [] && request.bodyReceiver === collector)
            await gate.wait()
            return ServerResponse(text: "done")
        } receiver: { _ in
            collector
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\n\(field)\r\n\r\n\(parts[0])")
            #expect(await eventually { collector.state.withLock { $0.bytes.count } == 3 })
            #expect(collector.state.withLock { $0.isComplete } == nil)
            try await client.send(parts[1])
            #expect(await eventually { collector.state.withLock { $0.isComplete } == true })
            #expect(collector.state.withLock { String(decoding: $0.bytes, as: UTF8.self) } == expected)
            gate.signal()
            #expect(try await client.reply().text == "done")
            #expect(try await client.rest() == [])
        }
    }

    @Test(arguments: ["zz\r\n", "3\r\nabcdef"])
    func `an invalid body is incomplete`(rest: String) async throws {
        let collector = Collector()
        try await withServer { _ in
            _ = await eventually { collector.state.withLock { $0.isComplete } != nil }
            return ServerResponse(text: "done")
        } receiver: { _ in
            collector
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(rest)")
            #expect(try await client.reply().text == "done")
            #expect(collector.state.withLock { $0.isComplete } == false)
        }
    }
}
