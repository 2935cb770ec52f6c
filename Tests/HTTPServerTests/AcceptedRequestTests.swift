import Dispatch
import HTTPServer
import HTTPTypes
import Synchronization
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct AcceptedRequestTests {
    @Test func `pipelined requests get responses in order, one at a time`() async throws {
        let running = Mutex(0)
        try await withServer { request in
            let isAlone = running.withLock { count in
                count += 1
                return count == 1
            }
            for _ in 0..<Int.random(in: 0...3) { await Task.yield() }
            running.withLock { $0 -= 1 }
            return ServerResponse(text: "\(request.path) \(isAlone)")
        } _: { _, address in
            let client = try TestClient(address)
            let requests = (0..<100).map { "POST /\($0) HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" }
            try await client.send(requests.joined())
            for index in 0..<100 { #expect(try await client.reply().text == "/\(index) true") }
        }
    }

    @Test func `the handler receives the method, target and fields that the client sent`() async throws {
        let request = Mutex<ServerRequest?>(nil)
        try await withServer { received in
            request.withLock { $0 = received }
            return await echo(received)
        } _: { _, address in
            let before = ContinuousClock.now
            let client = try TestClient(address)
            try await client.send("PUT /a%20b?c=d?e HTTP/1.1\r\nHost: h\r\nx-TWO: 1\r\nX-Two: 2\r\n\r\n")
            _ = try await client.reply()
            let received = try #require(request.withLock { $0 })
            #expect(received.method == .put)
            #expect(received.path == "/a%20b")
            #expect(received.query == "c=d?e")
            #expect(received.headers.map { "\($0.name.rawName)=\($0.value)" } == ["Host=h", "x-TWO=1", "X-Two=2"])
            #expect(received.client.host == "127.0.0.1")
            #expect(received.client.description.hasPrefix("127.0.0.1:"))
            #expect(received.acceptedAt > before && received.acceptedAt < .now)
        }
    }

    @Test func `a busy event loop does not delay new connections`() async throws {
        let isHeld = Gate()
        let release = DispatchSemaphore(value: 0)
        try await withServer(.with { $0.loopCount = 2 }) { request in
            guard request.path == "/hold" else { return ServerResponse(text: "") }
            isHeld.signal()
            // Handlers must not block; this handler simulates an overloaded loop.
            block(until: release)
            return ServerResponse(text: "")
        } _: { _, address in
            let first = try TestClient(address)
            try await first.send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n")
            await isHeld.wait()
            for _ in 0..<20 {
                let client = try TestClient(address)
                try await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                #expect(try await client.reply().status == 200)
                #expect(try await client.expectEnd() == 0)
            }
            release.signal()
            #expect(try await first.reply().status == 200)
        }
    }

    @Test func `the event loops share persistent connections`() async throws {
        let isHeld = Gate()
        let release = DispatchSemaphore(value: 0)
        let served = Mutex(0)
        try await withServer(.with { $0.loopCount = 2 }) { request in
            switch request.path {
            case "/hold":
                isHeld.signal()
                // Handlers must not block; this handler simulates an overloaded loop.
                block(until: release)
            case "/count": served.withLock { $0 += 1 }
            default: break
            }
            return ServerResponse(text: "")
        } _: { _, address in
            var clients: [TestClient] = []
            for _ in 0..<32 {
                let client = try TestClient(address)
                try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try await client.reply().status == 200)
                clients.append(client)
            }
            let first = try #require(clients.first)
            try await first.send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n")
            await isHeld.wait()
            for client in clients.dropFirst() { try await client.send("GET /count HTTP/1.1\r\nHost: h\r\n\r\n") }
            // The other loop serves its connections.
            #expect(await eventually { served.withLock { $0 } >= 13 })
            release.signal()
            for client in clients { #expect(try await client.reply().status == 200) }
        }
    }

    @Test(arguments: [("GET", "/hold", "", 5000), ("GET", "/hold", "5000", 0), ("POST", "/hold", "", 0)])
    func `a large request is handled outside its event loop, which serves other connections`(
        method: String,
        path: String,
        query: String,
        field: Int
    ) async throws {
        let isHeld = Gate()
        let release = DispatchSemaphore(value: 0)
        try await withServer(.with { $0.loopCount = 1 }) { request in
            guard request.path == "/hold" else { return ServerResponse(text: "") }
            isHeld.signal()
            // Handlers must not block; this handler simulates a long computation.
            block(until: release)
            return ServerResponse(text: "")
        } _: { _, address in
            let first = try TestClient(address)
            let target = query.isEmpty ? path : "\(path)?\(String(repeating: "a", count: 5000))"
            let fields = field == 0 ? [] : [("X", String(repeating: "a", count: field))]
            let body = method == "POST" ? [UInt8](repeating: 0, count: 5000) : []
            try await first.send(method, target, headers: fields, body: body)
            await isHeld.wait()
            let other = try TestClient(address)
            try await other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await other.reply().status == 200)
            release.signal()
            #expect(try await first.reply().status == 200)
        }
    }

    @Test(arguments: HostileText.allCases)
    func `fields with non-ASCII characters are not passed on`(kind: HostileText) async throws {
        let names = Mutex<[String]>([])
        try await withServer { received in
            names.withLock { $0 = received.headers.map(\.name.rawName) }
            return await echo(received)
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("GET", "/", headers: [("One", "1"), ("Two", kind.text(8000)), ("Three", "3")])
            #expect(try await client.reply().status == 200)
            #expect(names.withLock { $0 } == ["Host", "One"] + (kind == .letters ? ["Two"] : []) + ["Three"])
        }
    }

    private func block(until semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test func `a body of the maximum size arrives whole`() async throws {
        // Rows of equal bytes, with different bytes in adjacent rows, because they are fast to create and to compare
        // even with a sanitizer.
        let body = (0..<5000).flatMap { Array(repeating: UInt8($0 % 251), count: 1000) }
        try await withServer(.with { $0.maxBodyBytes = body.count }) { request in
            ServerResponse(text: "\(request.body.count) \(request.body == body)")
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n")
            try await client.send(body)
            #expect(try await client.reply().text == "5000000 true")
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 0, to: body.count, by: 1_000_000) {
                try await client.send("F4240\r\n")
                try await client.send(Array(body[start..<start + 1_000_000]))
                try await client.send("\r\n")
            }
            try await client.send("0\r\n\r\n")
            #expect(try await client.reply().text == "5000000 true")
        }
    }
}
