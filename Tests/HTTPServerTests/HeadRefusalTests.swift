import HTTPServer
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

/// Requests that the application rejects by their header.
@Suite(.limitedConcurrency) struct HeadRefusalTests {
    @Sendable private func refuse(_ request: ServerRequest, length: Int?) -> ServerResponse? {
        guard request.path == "/no" else { return nil }
        return ServerResponse(text: "no \(length.map(String.init) ?? "-") \(request.body.count)", status: .forbidden)
    }

    @Test func `a client that expects 100 is rejected and sends no body`() async throws {
        try await withServer(headRefusal: refuse) { _, address in
            let client = try TestClient(address)
            try await client.send(
                "POST /no HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n"
            )
            let reply = try await client.reply()
            #expect(reply.status == 403)
            #expect(reply.text == "no 1000000 0")
            #expect(reply["connection"] == "close")
            try await client.expectEnd()
        }
    }

    @Test(arguments: [1, 5, 65536])
    func `the short body of a rejected request is skipped, and the next request is served`(_ length: Int) async throws {
        try await withServer(.with { $0.maxBodyBytesInFlight = 4 }, headRefusal: refuse) { _, address in
            let client = try TestClient(address)
            for _ in 0..<2 {
                try await client.send("POST /no HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n")
                try await client.send([UInt8](repeating: UInt8(ascii: "G"), count: length))
                let reply = try await client.reply()
                #expect(reply.status == 403)
                #expect(reply.text == "no \(length) 0")
                #expect(reply["connection"] == nil)
            }
            try await client.send("GET /yes HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reply().text == "GET /yes h ")
            try await client.send("POST /yes HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi")
            #expect(try await client.reply().text == "POST /yes h hi")
        }
    }

    @Test func `the short body of a rejected request has the same time limit`() async throws {
        let clock = ManualClock()
        let configuration = ServerConfiguration.with { $0.bodyTimeout = .seconds(10) }
        try await withServer(configuration, headRefusal: refuse, now: { clock.now }) { _, address in
            let client = try TestClient(address)
            try await client.send("POST /no HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhe")
            #expect(try await clock.advancing { try await client.reply().status } == 408)
            try await client.expectEnd()
        }
    }

    @Test(arguments: [
        ("Content-Length: 65537\r\n\r\nhello", "no 65537 0"), ("Content-Length: 200000\r\n\r\nhello", "no 200000 0"),
        ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "no - 0"),
    ])
    func `the body of a rejected request is never read as a request`(rest: String, response: String) async throws {
        try await withServer(headRefusal: refuse) { _, address in
            let client = try TestClient(address)
            try await client.send("POST /no HTTP/1.1\r\nHost: h\r\n\(rest)GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reply().text == response)
            try await client.finishSending()
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `requests without a body and accepted requests get responses`() async throws {
        try await withServer(headRefusal: refuse) { _, address in
            let client = try TestClient(address)
            for (request, response) in [
                ("GET /no HTTP/1.1\r\nHost: h\r\n\r\n", "GET /no h "),
                ("POST /yes HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello", "POST /yes h hello"),
            ] {
                try await client.send(request)
                #expect(try await client.reply().text == response)
            }
        }
    }
}
