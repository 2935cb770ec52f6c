import HTTPServer
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct PersistenceTests {
    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", nil),
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\n\r\n", "keep-alive"),
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: x, Keep-Alive\r\n\r\n", "keep-alive"),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "keep-alive"),
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "close"),
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: x\r\nConnection: y , CLOSE\r\n\r\n", "close"),
        ("GET / HTTP/1.0\r\n\r\n", "close"),
        ("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", "close"),
    ])
    func `the HTTP version and Connection determine whether a connection stays open`(
        _ request: String,
        _ expected: String?
    ) async throws {
        try await withServer { _, address in
            let client = try TestClient(address)
            try await client.send(request)
            let reply = try await client.reply()
            #expect(reply["connection"] == expected)
            #expect((reply["keep-alive"] != nil) == (expected == "keep-alive"))
            if expected == "close" {
                #expect(try await client.expectEnd() == 0)
            } else {
                try await client.send(request)
                #expect(try await client.reply().status == 200)
            }
        }
    }

    @Test(
        arguments: [(75_000, "timeout=74"), (7_500, "timeout=6"), (2_000, "timeout=1"), (1_999, nil)]
            as [(Int, String?)]
    )
    func `Keep-Alive announces one second less than the idle timeout`(milliseconds: Int, expected: String?) async throws
    {
        try await withServer(.with { $0.idleTimeout = .milliseconds(milliseconds) }) { _, address in
            let client = try TestClient(address)
            for connection in ["keep-alive", "close"] {
                try await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: \(connection)\r\n\r\n")
                let reply = try await client.reply()
                #expect(reply["keep-alive"] == (connection == "close" ? nil : expected))
            }
        }
    }

    @Test func `the application can close a connection`() async throws {
        try await withServer { _ in
            ServerResponse(status: .ok, headers: [.connection: "close"])
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reply()["connection"] == "close")
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `immediate responses keep the order of pipelined requests`() async throws {
        let head = PreparedHead(.ok, [.server: "x", .eTag: "open", .age: "1"], open: .eTag)
        // Responds immediately to some requests, in sequences that are longer than the maximum number of immediate
        // responses.
        let known: @Sendable (ServerRequest) -> ServerResponse? = { request in
            guard let number = Int(request.path.dropFirst()), number % 100 < 70 else { return nil }
            return ServerResponse(head, value: "\"\(number)\"", body: Array("\(number)".utf8))
        }
        try await withServer { request in
            if let response = known(request) { return response }
            return await echo(request)
        } immediate: { request in
            known(request)
        } _: { _, address in
            let client = try TestClient(address)
            let requests = (0..<2000).map { "\($0 % 7 == 3 ? "HEAD" : "GET") /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }
            try await client.send(requests.joined() + "GET /5 HTTP/1.0\r\n\r\n")
            for number in 0..<2000 {
                let isHead = number % 7 == 3
                let reply = try await client.reply(toHead: isHead)
                if number % 100 < 70 {
                    #expect(reply["etag"] == "\"\(number)\"" && reply["content-length"] == "\("\(number)".utf8.count)")
                    #expect(reply.text == (isHead ? "" : "\(number)"))
                    #expect(reply.headers.map(\.name) == ["Server", "ETag", "Age", "Date", "Content-Length"])
                } else if !isHead {
                    #expect(reply.text == "GET /\(number) h ")
                }
            }
            #expect(try await client.reply()["connection"] == "close")
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `a client that pipelines too many requests waits, and no request is lost`() async throws {
        let (started, gate) = (Gate(), Gate())
        try await withServer(.with { $0.maxPipelinedBytes = 100 }) { request in
            started.signal()
            await gate.wait()
            return await echo(request)
        } _: { _, address in
            let client = try TestClient(address)
            let requests = (0..<2000).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }
            try await client.send(requests.joined())
            await started.wait()
            gate.signal()
            for index in 0..<2000 { #expect(try await client.reply().text == "GET /\(index) h ") }
        }
    }
}
