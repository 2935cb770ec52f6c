import Fetching
import Synchronization
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency)
struct ImageFetcherTests {
    @Test(arguments: HostileText.allCases)
    func `fields with any text are skipped`(kind: HostileText) async throws {
        let text = kind.text(10_000)
        let fields = [
            "Cache-Control: max-age=9, \(text)", "ETag: \"\(text)\"", "Content-Type: \(text)", "Age: \(text)",
        ]
        let origin = try OriginServer(answering: response("200 OK", fields + ["Last-Modified: now"], body: "bytes"))
        let image = try await ImageFetcher.local().fetch(origin.url())
        #expect(image.bytes == Array("bytes".utf8) && image.lastModified == "now")
        #expect(image.cacheControl == nil && image.etag == nil && image.contentType == nil && image.age == nil)
    }

    @Test func `a 200 response yields the bytes and the related headers`() async throws {
        let origin = try OriginServer(
            answering: response(
                "200 OK",
                [
                    "content-type: image/jpeg", "ETag: W/\"abc\"", "Last-Modified: Sat, 01 Jan 2022 00:00:00 GMT",
                    "Cache-Control: public", "Cache-Control:  max-age=60 ",
                ],
                body: "bytes"
            )
        )
        let image = try await ImageFetcher.local().fetch(origin.url("/a.jpg?x=1#part"))
        #expect(image.bytes == Array("bytes".utf8))
        #expect(image.url.string == origin.url("/a.jpg?x=1"))
        #expect(image.contentType == "image/jpeg")
        #expect(image.etag == "W/\"abc\"")
        #expect(image.lastModified == "Sat, 01 Jan 2022 00:00:00 GMT")
        #expect(image.cacheControl == "public, max-age=60")
        #expect(image.redirects == 0)
    }

    @Test func `a request contains only the necessary fields and the name of the service, and accepts no compression`()
        async throws
    {
        let seen = Mutex("")
        let origin = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            seen.withLock { $0 = request }
            connection.write(response("200 OK"))
        }
        _ = try await ImageFetcher.local { $0.accept = "image/png" }.fetch(origin.url("/a%20b.jpg?x=1"))
        let lines = seen.withLock { $0 }.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "GET /a%20b.jpg?x=1 HTTP/1.1")
        #expect(
            Set(lines.dropFirst()) == [
                "Host: 127.0.0.1:\(origin.port)", "User-Agent: Headroom/test", "Accept: image/png",
                "Via: 1.1 headroom",
            ]
        )
    }

    @Test func `a field that could not be repeated is omitted`() async throws {
        let origin = try OriginServer(
            answering: response(
                "200 OK",
                [
                    "Content-Type: image/\u{1}jpeg", "ETag: \"é\"",
                    "Cache-Control: \(String(repeating: "a", count: 1025))",
                ]
            )
        )
        let image = try await ImageFetcher.local().fetch(origin.url())
        #expect(image.contentType == nil)
        #expect(image.etag == nil)
        #expect(image.cacheControl == nil)
    }

    @Test(arguments: [
        (404, FetchError.notFound(status: 404)), (410, .notFound(status: 410)), (400, .refused(status: 400)),
        (401, .refused(status: 401)), (403, .refused(status: 403)), (429, .refused(status: 429)),
        (500, .originError(status: 500)), (503, .originError(status: 503)),
    ])
    func `each error status maps to its error`(status: Int, expected: FetchError) async throws {
        let origin = try OriginServer(answering: response("\(status) Whatever", body: "sorry"))
        #expect(try await ImageFetcher.local().failure(origin.url()) == expected)
    }

    @Test(arguments: [
        "HTTP/1.1 404 Not Found\r\n\r\n", "HTTP/1.1 404 Not Found\r\nContent-Length: 1000000\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n",
    ])
    func `the fetch does not wait for the body of an error response`(head: String) async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(head)
            connection.waitForClose()
        }
        #expect(try await ImageFetcher.local().failure(origin.url()) == .notFound(status: 404))
    }

    @Test(arguments: [
        "201 Created", "204 No Content", "206 Partial Content", "300 Multiple Choices", "304 Not Modified",
        "302 Found", "999 Odd", "101 Switching Protocols",
    ])
    func `other statuses and partial files are not images`(status: String) async throws {
        let origin = try OriginServer(answering: response(status, ["Content-Range: bytes 0-4/6"], body: "bytes"))
        #expect(try await ImageFetcher.local().failure(origin.url()).kind == "invalidResponse")
    }

    @Test(arguments: ["bytes without a header", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/9.9 200 OK\r\n\r\n"])
    func `a response that is not HTTP is rejected`(response: String) async throws {
        let origin = try OriginServer(answering: response)
        let kind = try await ImageFetcher.local().failure(origin.url()).kind
        #expect(["invalidResponse", "incomplete"].contains(kind))
    }

    @Test func `interim responses are skipped`() async throws {
        let origin = try OriginServer(
            answering: "HTTP/1.1 103 Early Hints\r\nContent-Type: text/html\r\n\r\n" + response("200 OK", body: "bytes")
        )
        let image = try await ImageFetcher.local().fetch(origin.url())
        #expect(image.bytes == Array("bytes".utf8))
        #expect(image.contentType == nil)
    }

    @Test func `an endless header is rejected`() async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n")
            while connection.write("X-Filler: \(String(repeating: "x", count: 1000))\r\n") {}
        }
        #expect(try await ImageFetcher.local().failure(origin.url()).kind == "invalidResponse")
    }

    @Test func `an origin without a listener is unreachable`() async throws {
        let port = try ReservedPort()
        #expect(try await ImageFetcher.local().failure("http://127.0.0.1:\(port.port)/").kind == "unreachable")
    }

    @Test func `an unknown name causes a different error than an unreachable origin`() async throws {
        #expect(try await ImageFetcher.local().failure("http://\(UnknownHost.name)/").kind == "unresolved")
    }

    @Test func `an origin without TLS is unreachable over https`() async throws {
        let origin = try OriginServer { $0.write("no TLS here\r\n") }
        let failure = try await ImageFetcher.local().failure("https://127.0.0.1:\(origin.port)/")
        guard case .unreachable(_, .plainServer) = failure else {
            Issue.record("\(failure)")
            return
        }
    }

    @Test func `an idle connection serves the next fetch`() async throws {
        let origin = try OriginServer { connection in
            while connection.readRequest() != nil {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes")
            }
        }
        let fetcher = ImageFetcher.local()
        for _ in 0..<5 {
            #expect(try await fetcher.fetch(origin.url()).bytes == Array("bytes".utf8))
        }
        // Expects fewer connections, not exactly one, because the time between fetches on a busy machine may exceed the
        // lifetime of an idle connection.
        #expect(origin.connections < 5)
    }

    @Test func `idle connections that the origin has closed never fail a fetch`() async throws {
        // libcurl repeats the request on a new connection; with a single easy handle it did so only five times.
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes")
            _ = connection.readRequest()
        }
        let fetcher = ImageFetcher.local { $0.slots = 1 }
        for _ in 0..<20 {
            #expect(try await fetcher.fetch(origin.url()).bytes == Array("bytes".utf8))
        }
        #expect(origin.connections == 20)
    }

    @Test func `all invalid limits are reported`() {
        var configuration = FetchConfiguration(userAgent: "Headroom/test")
        #expect(configuration.problems().isEmpty)
        configuration.maxBytes = 0
        configuration.connectTimeout = .zero
        configuration.timeout = .seconds(-1)
        configuration.maxRedirects = -1
        configuration.allowedPorts = [0]
        configuration.slots = 0
        configuration.waitingLimit = -1
        configuration.userAgent = "a\r\nb"
        configuration.accept = ""
        #expect(configuration.problems().count == 9)
        #expect(configuration.problems().first == "maxBytes: received 0, expected 1 to 2^40 bytes")
    }
}
