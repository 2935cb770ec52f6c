import Admission
import Fetching
import TestHTTP
import TestPacing
import Testing

/// Origins that ask not to be requested for a time.
@Suite(.limitedConcurrency) struct OriginBackoffTests {
    @Test(arguments: [429, 503])
    func `an origin is not asked again before the time that it named`(status: Int) async throws {
        let clock = ManualClock()
        let origin = try OriginServer(answering: response("\(status) Later", ["Retry-After: 120"]))
        let fetcher = ImageFetcher.local(time: clock.queueTime)
        #expect(try await fetcher.failure(origin.url()) == .retryLater(status: status, after: .seconds(120)))
        clock.advance(by: .seconds(50))
        #expect(try await fetcher.failure(origin.url("/b")) == .retryLater(status: status, after: .seconds(70)))
        #expect(origin.connections == 1)
        clock.advance(by: .seconds(71))
        _ = try await fetcher.failure(origin.url())
        #expect(origin.connections == 2)
    }

    @Test func `a date is a time after that of the response`() async throws {
        let origin = try OriginServer(
            answering: response(
                "503 Later",
                ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: Sun, 06 Nov 1994 08:50:07 GMT"]
            )
        )
        let clock = ManualClock()
        let fetcher = ImageFetcher.local(time: clock.queueTime)
        #expect(try await fetcher.failure(origin.url()) == .retryLater(status: 503, after: .seconds(30)))
    }

    @Test(arguments: ["86400", "99999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func `a pause is bounded`(value: String) async throws {
        let origin = try OriginServer(answering: response("429 Later", ["Retry-After: \(value)"]))
        let clock = ManualClock()
        let fetcher = ImageFetcher.local(time: clock.queueTime)
        #expect(try await fetcher.failure(origin.url()) == .retryLater(status: 429, after: OriginBackoff.longest))
    }

    @Test(arguments: ["0", "-1", "soon", "", "Sun, 06 Nov 1994 08:49:37 GMT", "1.5"])
    func `without a time to come there is no pause`(value: String) async throws {
        let origin = try OriginServer(answering: response("503 Later", ["Retry-After: \(value)"]))
        let fetcher = ImageFetcher.local()
        for _ in 0..<2 { #expect(try await fetcher.failure(origin.url()) == .originError(status: 503)) }
        #expect(origin.connections == 2)
    }

    @Test func `other origins, and other statuses, are not affected`() async throws {
        let busy = try OriginServer(address: "127.0.0.2", answering: response("429 Later", ["Retry-After: 60"]))
        let other = try OriginServer(answering: response("200 OK", body: "bytes"))
        let broken = try OriginServer(answering: response("500 Broken", ["Retry-After: 60"]))
        let fetcher = ImageFetcher.local()
        _ = try await fetcher.failure(busy.url())
        #expect(try await fetcher.fetch(other.url()).bytes == Array("bytes".utf8))
        for _ in 0..<2 { #expect(try await fetcher.failure(broken.url()) == .originError(status: 500)) }
    }

    @Test func `a redirect to an origin with a pause is not followed`() async throws {
        let busy = try OriginServer(address: "127.0.0.2", answering: response("503 Later", ["Retry-After: 60"]))
        let origin = try OriginServer(answering: response("302 Found", ["Location: \(busy.url())"]))
        let fetcher = ImageFetcher.local()
        for _ in 0..<3 { #expect(try await fetcher.failure(origin.url()).kind == "retryLater") }
        #expect(busy.connections == 1)
    }
}

/// The clients that a pause applies to: none can stop a host for others.
@Suite(.limitedConcurrency) struct OriginBackoffScopeTests {
    private static let (one, other) = (Client.network(1), Client.network(2))
    private static let (tenant, rival) = (Client.tenant("a"), Client.tenant("b"))

    /// A fetcher with a clock that stands still, and an origin that asks for a pause at paths below `/busy`.
    private struct Fixture {
        let clock = ManualClock()
        let fetcher: ImageFetcher
        let origin: OriginServer

        init() throws {
            origin = try OriginServer { connection in
                guard let request = connection.readRequest() else { return }
                let isBusy = request.hasPrefix("GET /busy")
                connection.write(
                    isBusy ? response("429 Later", ["Retry-After: 60"]) : response("200 OK", body: "bytes")
                )
            }
            fetcher = .local(time: clock.queueTime)
        }

        /// Whether the origin was asked; false during a pause.
        func asks(_ path: String, for client: Client?) async throws -> Bool {
            let before = origin.connections
            _ = try? await fetcher.fetch(SourceURL(origin.url(path)), for: client)
            return origin.connections > before
        }
    }

    @Test(arguments: [(one, other), (tenant, rival), (tenant, one), (one, tenant)])
    func `one client does not stop a host for another`(first: Client, second: Client) async throws {
        let fixture = try Fixture()
        #expect(try await fixture.asks("/busy", for: first))
        #expect(try await !fixture.asks("/a", for: first))
        #expect(try await fixture.asks("/a", for: second))
        // The URL itself is not requested again, whoever asks for it.
        #expect(try await !fixture.asks("/busy", for: second))
        fixture.clock.advance(by: .seconds(61))
        #expect(try await fixture.asks("/a", for: first))
    }

    @Test(arguments: [(one, one), (tenant, tenant)])
    func `many URLs of one client do not stop a host for others`(first: Client, second: Client) async throws {
        let fixture = try Fixture()
        for number in 0..<20 {
            #expect(try await fixture.asks("/busy\(number)", for: first) == (number == 0))
            fixture.clock.advance(by: .milliseconds(10))
        }
        #expect(try await fixture.asks("/a", for: Self.other))
        #expect(try await fixture.asks("/a", for: Self.rival))
    }

    @Test func `several URLs, and several clients, stop a host for clients without a tenant only`() async throws {
        let fixture = try Fixture()
        for number in UInt64(0)..<3 { #expect(try await fixture.asks("/busy\(number)", for: .network(number))) }
        #expect(try await !fixture.asks("/a", for: .network(99)))
        #expect(try await !fixture.asks("/a", for: nil))
        #expect(try await fixture.asks("/a", for: Self.tenant))
        fixture.clock.advance(by: .seconds(61))
        #expect(try await fixture.asks("/a", for: .network(99)))
    }

    @Test func `answers that are far apart do not stop a host`() async throws {
        let fixture = try Fixture()
        for number in UInt64(0)..<6 {
            #expect(try await fixture.asks("/busy\(number)", for: .network(number)))
            fixture.clock.advance(by: .seconds(11))
        }
        #expect(try await fixture.asks("/a", for: .network(99)))
    }
}
