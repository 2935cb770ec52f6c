import Glibc
import HTTPServer
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct ResponseTests {
    @Test func `HEAD gets the length of the body and no body`() async throws {
        try await withServer { _, address in
            let client = try TestClient(address)
            try await client.send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
            let reply = try await client.reply(toHead: true)
            #expect(reply["content-length"] == "10")
            #expect(try await client.reply().text == "GET /b h ")
        }
    }

    @Test func `a response to HEAD may declare a length without creating the body`() async throws {
        try await withServer { _ in
            ServerResponse(status: .ok, headers: [.contentLength: "123"])
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reply(toHead: true)["content-length"] == "123")
        }
    }

    @Test(arguments: [(HTTPResponse.Status.noContent, nil), (.notModified, "4")])
    func `204 and 304 have no body`(_ status: HTTPResponse.Status, _ length: String?) async throws {
        try await withServer { request in
            request.path == "/" ? ServerResponse(text: "body", status: status) : await echo(request)
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
            let reply = try await client.reply()
            #expect(reply.status == status.code)
            #expect(reply["content-length"] == length)
            #expect(try await client.reply().text == "GET /b h ")
        }
    }

    @Test func `the server itself writes the framing and a valid Date`() async throws {
        try await withServer { _ in
            ServerResponse(
                status: .init(code: 299, reasonPhrase: "Odd"),
                headers: [.contentLength: "99", .transferEncoding: "chunked", .server: "x"],
                body: Array("four".utf8)
            )
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            let reply = try await client.reply()
            #expect(reply.status == 299)
            #expect(reply.text == "four")
            #expect(reply["transfer-encoding"] == nil)
            #expect(reply["connection"] == nil)
            #expect(reply["server"] == "x")
            let date = try #require(reply["date"])
            let parts = try #require(date.wholeMatch(of: /(...), (\d\d) (...) (\d{4}) (\d\d):(\d\d):(\d\d) GMT/)).output
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            var time = tm()
            time.tm_mday = try #require(Int32(parts.2))
            time.tm_mon = Int32(try #require(months.firstIndex(of: String(parts.3))))
            time.tm_year = try #require(Int32(parts.4)) - 1900
            time.tm_hour = try #require(Int32(parts.5))
            time.tm_min = try #require(Int32(parts.6))
            time.tm_sec = try #require(Int32(parts.7))
            #expect(abs(timegm(&time) - Glibc.time(nil)) <= 120)
            // timegm computes the day of the week.
            #expect(["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(time.tm_wday)] == parts.1)
        }
    }

    @Test func `an interim status from the application becomes 500`() async throws {
        try await withServer { _ in
            ServerResponse(status: .continue)
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reply().status == 500)
        }
    }

    @Test func `a slow reader receives a large response in full`() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        try await withServer { _ in
            ServerResponse(status: .ok, body: body)
        } _: { server, address in
            let client = try TestClient(address, receiveBuffer: 4096)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await eventually { server.unsentBytes > 0 })
            #expect(try await client.reply().body == body)
            #expect(try await client.reply().body == body)
        }
    }
}
