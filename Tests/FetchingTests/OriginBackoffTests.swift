import Admission
import Fetching
import TestHTTP
import TestPacing
import Testing

/// Origins that request a back-off.
@Suite(.limitedConcurrency) struct OriginBackoffTests {
    @Test(arguments: [429, 503])
    func `an origin gets no request before the end of its Retry-After`(status: Int) async throws {
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

    @Test func `a date in Retry-After is relative to the date of the response`() async throws {
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
    func `a back-off is limited`(value: String) async throws {
        let origin = try OriginServer(answering: response("429 Later", ["Retry-After: \(value)"]))
        let clock = ManualClock()
        let fetcher = ImageFetcher.local(time: clock.queueTime)
        #expect(try await fetcher.failure(origin.url()) == .retryLater(status: 429, after: OriginBackoff.longest))
    }

    @Test(arguments: ["0", "-1", "soon", "", "Sun, 06 Nov 1994 08:49:37 GMT", "1.5"])
    func `a Retry-After without a time in the future causes no back-off`(value: String) async throws {
        let origin = try OriginServer(answering: response("503 Later", ["Retry-After: \(value)"]))
        let fetcher = ImageFetcher.local()
        for _ in 0..<2 { #expect(try await fetcher.failure(origin.url()) == .originError(status: 503)) }
        #expect(origin.connections == 2)
    }

    @Test func `other origins and other statuses are not affected`() async throws {
        let busy = try OriginServer(address: "127.0.0.2", answering: response("429 Later", ["Retry-After: 60"]))
        let other = try OriginServer(answering: response("200 OK", body: "bytes"))
        let broken = try OriginServer(answering: response("500 Broken", ["Retry-After: 60"]))
        let fetcher = ImageFetcher.local()
        _ = try await fetcher.failure(busy.url())
        #expect(try await fetcher.fetch(other.url()).bytes == Array("bytes".utf8))
        for _ in 0..<2 { #expect(try await fetcher.failure(broken.url()) == .originError(status: 500)) }
    }

    @Test func `a redirect to an origin in back-off is not followed`() async throws {
        let busy = try OriginServer(address: "127.0.0.2", answering: response("503 Later", ["Retry-After: 60"]))
        let origin = try OriginServer(answering: response("302 Found", ["Location: \(busy.url())"]))
        let fetcher = ImageFetcher.local()
        for _ in 0..<3 { #expect(try await fetcher.failure(origin.url()).kind == "retryLater") }
        #expect(busy.connections == 1)
    }
}
