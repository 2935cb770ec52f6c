import Admission
import Fetching
import TestHTTP
import TestPacing
import Testing

/// The clients that a back-off applies to.
///
/// No client can block a host for other clients.
@Suite(.limitedConcurrency) struct OriginBackoffScopeTests {
    private static let (one, other) = (Client.network(1), Client.network(2))
    private static let (tenant, rival) = (Client.tenant("a"), Client.tenant("b"))

    /// A fetcher with a manual clock, and an origin that requests a back-off at paths below `/busy`.
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

        /// Fetches a path; returns whether the origin received a request.
        ///
        /// False during a back-off.
        func asks(_ path: String, for client: Client?) async throws -> Bool {
            let before = origin.connections
            _ = try? await fetcher.fetch(SourceURL(origin.url(path)), for: client)
            return origin.connections > before
        }
    }

    @Test(arguments: [(one, other), (tenant, rival), (tenant, one), (one, tenant)])
    func `one client does not block a host for another`(first: Client, second: Client) async throws {
        let fixture = try Fixture()
        #expect(try await fixture.asks("/busy", for: first))
        #expect(try await !fixture.asks("/a", for: first))
        #expect(try await fixture.asks("/a", for: second))
        // The URL itself is not requested again for any client.
        #expect(try await !fixture.asks("/busy", for: second))
        fixture.clock.advance(by: .seconds(61))
        #expect(try await fixture.asks("/a", for: first))
    }

    @Test(arguments: [(one, one), (tenant, tenant)])
    func `many URLs from one client do not block a host for other clients`(first: Client, second: Client) async throws {
        let fixture = try Fixture()
        for number in 0..<20 {
            #expect(try await fixture.asks("/busy\(number)", for: first) == (number == 0))
            fixture.clock.advance(by: .milliseconds(10))
        }
        #expect(try await fixture.asks("/a", for: Self.other))
        #expect(try await fixture.asks("/a", for: Self.rival))
    }

    @Test func `several URLs and clients block a host only for clients without a tenant`() async throws {
        let fixture = try Fixture()
        for number in UInt64(0)..<3 { #expect(try await fixture.asks("/busy\(number)", for: .network(number))) }
        #expect(try await !fixture.asks("/a", for: .network(99)))
        #expect(try await !fixture.asks("/a", for: nil))
        #expect(try await fixture.asks("/a", for: Self.tenant))
        fixture.clock.advance(by: .seconds(61))
        #expect(try await fixture.asks("/a", for: .network(99)))
    }

    @Test func `429 responses at long intervals do not block a host`() async throws {
        let fixture = try Fixture()
        for number in UInt64(0)..<6 {
            #expect(try await fixture.asks("/busy\(number)", for: .network(number)))
            fixture.clock.advance(by: .seconds(11))
        }
        #expect(try await fixture.asks("/a", for: .network(99)))
    }
}
