import Fetching
import Foundation
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency)
struct ImageFetcherRedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `redirects are followed, relative and absolute`(status: Int) async throws {
        let target = try OriginServer(address: "127.0.0.3", answering: response("200 OK", body: "bytes"))
        let origin = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            let location = request.hasPrefix("GET /a/b ") ? "../c?d" : target.url("/e")
            connection.write(response("\(status) Moved", ["Location: \(location)"], body: "moved"))
        }
        let image = try await ImageFetcher.local().fetch(origin.url("/a/b"))
        #expect(image.bytes == Array("bytes".utf8))
        #expect(image.url.string == target.url("/e"))
        #expect(image.redirects == 2)
        #expect(origin.connections == 2)
    }

    @Test func `the fetch does not wait for the body of a redirect`() async throws {
        let origin = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            if request.hasPrefix("GET /final ") {
                connection.write(response("200 OK", body: "bytes"))
            } else {
                connection.write("HTTP/1.1 302 Found\r\nLocation: /final\r\nContent-Length: 99999999999\r\n\r\n")
                connection.waitForClose()
            }
        }
        #expect(try await ImageFetcher.local().fetch(origin.url()).bytes == Array("bytes".utf8))
    }

    @Test(arguments: [0, 1, 3])
    func `a redirect loop ends at the limit`(limit: Int) async throws {
        let origin = try OriginServer(answering: response("302 Found", ["Location: /a.jpg"]))
        let fetcher = ImageFetcher.local { $0.maxRedirects = limit }
        #expect(try await fetcher.failure(origin.url()) == .tooManyRedirects(limit: limit))
        #expect(origin.connections == limit + 1)
    }

    @Test func `a redirect from a public to a private address is blocked and never reaches it`() async throws {
        let inner = try OriginServer(address: "127.0.0.1", answering: response("200 OK", body: "secret"))
        let outer = try OriginServer(
            address: "127.0.0.2",
            answering: response("302 Found", ["Location: \(inner.url())"])
        )
        let fetcher = try ImageFetcher.wary(ports: [inner.port, outer.port])
        #expect(try await fetcher.failure(outer.url()).kind == "blocked")
        #expect(outer.connections == 1)
        #expect(inner.connections == 0)
    }

    @Test func `a redirect to another port or scheme, or with credentials, is blocked`() async throws {
        let inner = try OriginServer(address: "127.0.0.2", answering: response("200 OK", body: "secret"))
        for location in [inner.url(), "ftp://127.0.0.2/", "file:///etc/passwd", "http://user@127.0.0.2/"] {
            let outer = try OriginServer(
                address: "127.0.0.2",
                answering: response("302 Found", ["Location: \(location)"])
            )
            let fetcher = try ImageFetcher.wary(ports: [outer.port])
            #expect(try await fetcher.failure(outer.url()).kind == "blocked")
        }
        #expect(inner.connections == 0)
    }

    @Test func `all hops share one time limit`() async throws {
        let clock = ManualClock()
        let end = clock.now + .seconds(600)
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            // Three hops use the whole time limit, so no time is left for the fourth hop.
            guard clock.now < end else { return connection.waitForClose() }
            clock.advance(by: .seconds(200))
            connection.write(response("302 Found", ["Location: /a.jpg"]))
        }
        let fetcher = ImageFetcher.local(time: clock.queueTime) {
            $0.timeout = .seconds(600)
            $0.maxRedirects = 100
        }
        #expect(try await fetcher.failure(origin.url()).kind == "timeout")
        #expect(origin.connections <= 4)
    }
}
