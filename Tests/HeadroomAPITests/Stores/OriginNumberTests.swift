import HTTPServer
import HTTPTypes
import HeadroomAPI
import TestHTTP
import TestImages
import Synchronization
import TestPacing
import Testing

/// Numbers and dates in origins' headers, far out of range and in arbitrary combinations.
@Suite(.limitedConcurrency) struct OriginNumberTests {
    private static let numbers = [
        "0", "1", "-1", "+1", "60", "2147483647", "2147483649", "253402300800", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "18446744073709551615", "1e308", "nan",
        String(repeating: "9", count: 1000),
    ]
    private static let dates = [
        "Thu, 01 Jan 1970 00:00:00 GMT", "Sun, 06 Nov 1994 08:39:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT",
        "Tue, 14 Nov 2023 22:13:20 GMT", "Tue, 19 Jan 2038 03:14:08 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
        "Mon, 01 Jan 0001 00:00:00 GMT", "Sat, 31 Dec 2147483647 23:59:59 GMT", "0",
    ]
    private static let clocks = [Int.min, -1, 0, 784_111_777, 1_700_000_000, 253_402_300_799, Int.max - 3600, .max]

    private static func headers(_ generator: inout SeededGenerator) -> HTTPFields {
        var headers: HTTPFields = [.eTag: "\"one\""]
        for name in [HTTPField.Name.date, .expires, .lastModified] where generator.next() % 3 > 0 {
            headers[name] = dates.randomElement(using: &generator)
        }
        if generator.next() % 3 > 0 { headers[.age] = numbers.randomElement(using: &generator) }
        let directives = ["max-age", "s-maxage", "stale-if-error", "stale-while-revalidate"].compactMap { name in
            generator.next() % 3 > 0 ? nil : numbers.randomElement(using: &generator).map { "\(name)=\($0)" }
        }
        if !directives.isEmpty { headers[.cacheControl] = directives.joined(separator: ", ") }
        return headers
    }

    @Test func `numbers of any size from an origin do not fail requests`() async throws {
        let image = try Images.singleJPEG.get()
        // The headers of the next response, and the time.
        let next = Mutex((headers: HTTPFields(), now: 0))
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.caches.now = { next.withLock { $0.now } }
        options.caching.followsOrigin = true
        let origin = TestOrigin { request in
            let headers = next.withLock { $0.headers }
            // The first response is an image, and the second response is a 304.
            return request.headers[.ifNoneMatch] == nil
                ? TestOrigin.Response(status: .ok, headers: headers, body: image)
                : TestOrigin.Response(status: .notModified, headers: headers)
        }
        var generator = SeededGenerator(seed: 1)
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                for number in 0..<300 {
                    let headers = Self.headers(&generator)
                    let now = try #require(Self.clocks.randomElement(using: &generator))
                    next.withLock { $0 = (headers, now) }
                    let url = percentEncoded("\(address)/\(number / 4).jpg")
                    let reply = try await service.request("GET", "/frame?width=90&url=\(url)")
                    #expect(reply.status == 200, "answer \(number): \(headers) at \(now)")
                }
            }
        }
        // Some sources are stale and some are fresh.
        #expect((76..<300).contains(origin.requests.count))
        #expect(origin.requests.contains { $0.headers[.ifNoneMatch] != nil })
    }
}
