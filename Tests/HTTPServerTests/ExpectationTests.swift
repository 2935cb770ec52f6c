import HTTPServer
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct ExpectationTests {
    private static let head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\n"

    @Test(arguments: [
        ("Content-Length: 5\r\n\r\n", "hello"), ("Transfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n"),
    ])
    func `100 is sent if the body is needed`(_ framing: String, _ body: String) async throws {
        try await withServer { _, address in
            let client = try TestClient(address)
            for _ in 0..<2 {
                try await client.send(Self.head + framing)
                #expect(try await client.reply().status == 100)
                try await client.send(body)
                #expect(try await client.reply().text == "POST / h hello")
            }
        }
    }

    @Test(arguments: [
        (head + "Content-Length: 5\r\n\r\nhello", 200),
        (head + "\r\n", 200),
        (head + "Content-Length: 0\r\n\r\n", 200),
        (head + "Content-Length: 1001\r\n\r\n", 413),
        (head + "Content-Length: x\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nExpect: 200-ok\r\nContent-Length: 5\r\n\r\n", 417),
        ("POST / HTTP/1.1\r\nHost: h\r\nExpect: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n", 417),
        ("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello", 200),
        ("POST / HTTP/1.0\r\nExpect: x\r\nContent-Length: 5\r\n\r\nhello", 200),
    ])
    func `100 is not sent if the body has arrived or is not needed, or if the expectation is unknown`(
        _ request: String,
        _ status: Int
    ) async throws {
        try await withServer(.with { $0.maxBodyBytes = 1000 }) { _, address in
            let client = try TestClient(address)
            try await client.send(request)
            #expect(try await client.reply().status == status)
        }
    }
}
