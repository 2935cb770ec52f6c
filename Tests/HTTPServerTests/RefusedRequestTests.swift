import HTTPServer
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct RefusedRequestTests {
    @Test func `a huge chunk size is rejected before memory is reserved for it`() async throws {
        try await withServer { _, address in
            let client = try TestClient(address)
            let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await client.send(head + "7FFFFFFFFFFFFFFF\r\n")
            #expect(try await client.reply().status == 413)
        }
    }

    @Test func `requests before an invalid request still get responses`() async throws {
        try await withServer { _, address in
            let client = try TestClient(address)
            try await client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\nGET /3\r\n\r\n")
            #expect(try await client.reply().text == "GET /1 h ")
            #expect(try await client.reply().text == "GET /2 h ")
            #expect(try await client.reply().status == 400)
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `a Connection option with non-ASCII characters is rejected`() async throws {
        try await withServer { _, address in
            let client = try TestClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: \u{E9}, close\r\n\r\n")
            #expect(try await client.reply().status == 400)
        }
    }
}
