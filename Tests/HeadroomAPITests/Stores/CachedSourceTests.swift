import Fetching
import Glibc
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Freshness and revalidation of sources.
@Suite(.limitedConcurrency) struct CachedSourceTests {
    private let image: [UInt8]
    private let other: [UInt8]

    init() throws {
        image = try Images.singleJPEG.get()
        other = try Images.blankJPEG.get()
    }

    private func running(
        _ response: @escaping @Sendable (TestOrigin.Request) -> TestOrigin.Response,
        names: NameLookup = NameLookup(),
        _ body: (TestService, TestOrigin, ManualWallClock, _ target: String) async throws -> Void
    ) async throws {
        let clock = ManualWallClock()
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.caches.now = { clock.now }
        options.names = names
        let origin = TestOrigin(response)
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                try await body(service, origin, clock, "/frame?width=90&url=" + percentEncoded(address + "/a.jpg"))
            }
        }
    }

    private static func file(_ bytes: [UInt8], _ headers: HTTPFields) -> TestOrigin.Response {
        TestOrigin.Response(status: .ok, headers: headers, body: bytes)
    }

    /// An origin's headers and the resulting freshness in seconds; 0 causes a request to the origin for each
    /// use.
    @Test(
        arguments: [
            ([:], 60),
            ([.cacheControl: "max-age=5"], 5),
            ([.cacheControl: "public, Max-Age=\"300\""], 300),
            ([.cacheControl: "max-age=5, s-maxage=100"], 100),
            ([.cacheControl: "max-age=31536000, immutable"], 3600),
            ([.cacheControl: "max-age=0"], 0),
            ([.cacheControl: "no-cache"], 0),
            ([.cacheControl: "no-store, max-age=300"], 0),
            ([.cacheControl: "private, max-age=300"], 0),
            ([.cacheControl: "max-age=300", .age: "100"], 200),
            ([.date: "Sun, 06 Nov 1994 08:49:37 GMT", .expires: "Sun, 06 Nov 1994 08:51:37 GMT"], 120),
            ([.date: "Sun, 06 Nov 1994 08:49:37 GMT", .expires: "0"], 0),
            ([.cacheControl: "max-age=7", .expires: "0"], 7),
            ([.cacheControl: "nonsense"], 60),
            // Numbers that once crashed the process.
            (
                [
                    .date: "Sun, 06 Nov 1994 08:49:37 GMT", .expires: "Sun, 06 Nov 1994 08:39:37 GMT",
                    .age: "9223372036854775807",
                ], 0
            ),
            ([.date: "Fri, 31 Dec 9999 23:59:59 GMT", .expires: "0", .age: "9223372036854775807"], 0),
            ([.date: "Thu, 01 Jan 1970 00:00:00 GMT", .expires: "Fri, 31 Dec 9999 23:59:59 GMT"], 3600),
            ([.cacheControl: "max-age=99999999999999999999", .age: "99999999999999999999"], 0),
            ([.cacheControl: "max-age=300", .age: "-9223372036854775808"], 300),
        ] as [(HTTPFields, Int)]
    )
    func `a source is fresh for the time that its origin states, within bounds`(
        headers: HTTPFields,
        seconds: Int
    ) async throws {
        try await running({ [image] _ in Self.file(image, headers) }) { service, origin, clock, target in
            func ask() async throws -> Int {
                #expect(try await service.request("GET", target).status == 200)
                return origin.requests.count
            }
            var counts = [try await ask()]
            clock.advance(by: max(0, seconds - 1))
            counts.append(try await ask())
            clock.advance(by: 1)
            counts.append(try await ask())
            #expect(counts == (seconds > 0 ? [1, 1, 2] : [1, 2, 3]))
        }
    }

    @Test(arguments: [Int.min, -61, -1, 0, 253_402_300_799, Int.max - 59, .max])
    func `no clock value crashes the service`(seconds: Int) async throws {
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.caches.now = { seconds }
        let responses = Mutex([
            Self.file(image, [.eTag: "\"one\"", .cacheControl: "max-age=300"]),
            TestOrigin.Response(status: .notModified, headers: [.age: "9223372036854775807"]),
            TestOrigin.Response(status: .internalServerError), TestOrigin.Response(status: .notFound),
        ])
        let origin = TestOrigin { _ in
            responses.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                for path in ["/a.jpg", "/a.jpg", "/b.jpg", "/c.jpg", "/c.jpg"] {
                    let reply = try await service.request(
                        "GET",
                        "/frame?width=90&url=" + percentEncoded(address + path)
                    )
                    #expect([200, 404, 502].contains(reply.status))
                }
            }
        }
    }

    @Test func `an unchanged source is fetched once and then revalidated`()
        async throws
    {
        let tag = "\"one\""
        let (image, other) = (image, other)
        try await running({ request in
            let headers: HTTPFields = [
                .eTag: tag, .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .cacheControl: "max-age=10",
            ]
            return request.headers[.ifNoneMatch] == tag
                ? TestOrigin.Response(status: .notModified, headers: headers) : Self.file(image, headers)
        }) { service, origin, clock, target in
            let first = try await service.request("GET", target)
            for round in 1...3 {
                clock.advance(by: 10)
                let again = try await service.request("GET", target)
                #expect(again.body == first.body && again["Cache-Status"] == "headroom; hit")
                #expect(origin.requests.count == 1 + round)
                #expect(origin.requests.last?.headers[.ifNoneMatch] == tag)
                #expect(origin.requests.last?.headers[.ifModifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
                // It is fresh again.
                #expect(try await service.request("GET", target).status == 200)
                #expect(origin.requests.count == 1 + round)
            }
            #expect(origin.requests.first?.headers[.ifNoneMatch] == nil)
            origin.change { _ in Self.file(other, [.eTag: "\"two\""]) }
            clock.advance(by: 10)
            let changed = try await service.request("GET", target)
            #expect(changed.body != first.body && changed["ETag"] != first["ETag"])
        }
    }

    @Test func `a validator is sent only to the URL that it came from`() async throws {
        let (image, other) = (image, other)
        try await running({ request in
            request.path == "/b.jpg"
                ? Self.file(image, [.eTag: "\"b\"", .cacheControl: "max-age=0"])
                : TestOrigin.Response(status: .found, headers: [.location: "/b.jpg"])
        }) { service, origin, _, target in
            let first = try await service.request("GET", target)
            _ = try await service.request("GET", target)
            #expect(origin.requests.map(\.path) == ["/a.jpg", "/b.jpg", "/a.jpg", "/b.jpg"])
            #expect(origin.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil, nil, "\"b\""])
            origin.change { request in
                request.path == "/c.jpg"
                    ? Self.file(other, [.eTag: "\"b\""])
                    : TestOrigin.Response(status: .found, headers: [.location: "/c.jpg"])
            }
            #expect(try await service.request("GET", target).body != first.body)
            #expect(origin.requests.last?.headers[.ifNoneMatch] == nil)
        }
    }

    @Test func `a stale source is served for a day while its origin fails, with few retries`() async throws {
        try await running({ [image] _ in Self.file(image, [.cacheControl: "max-age=10"]) }) {
            service,
            origin,
            clock,
            target in
            let first = try await service.request("GET", target)
            origin.change { _ in TestOrigin.Response(status: .internalServerError) }
            clock.advance(by: 10)
            for _ in 0..<3 {
                #expect(try await service.request("GET", target).body == first.body)
                #expect(origin.requests.count == 2)
            }
            clock.advance(by: 10)
            #expect(try await service.request("GET", target).body == first.body)
            #expect(origin.requests.count == 3)
            clock.advance(by: 86_400)
            #expect(try await service.request("GET", target).status == 502)
        }
    }

    @Test(arguments: [EAI_AGAIN, EAI_FAIL])
    func `a stale source is served while name lookups fail`(code: Int32) async throws {
        try await running(
            { [image] _ in Self.file(image, [.cacheControl: "max-age=10"]) },
            names: NameLookup { _ in code }
        ) { service, origin, clock, target in
            let first = try await service.request("GET", target)
            origin.change { _ in
                TestOrigin.Response(status: .found, headers: [.location: "http://\(UnknownHost.name)/a.jpg"])
            }
            clock.advance(by: 10)
            let stale = try await service.request("GET", target)
            #expect(stale.status == 200)
            #expect(stale.body == first.body)
            clock.advance(by: 86_400)
            let failure = try await service.request("GET", target)
            #expect(failure.status == 502)
            #expect(failure["Cache-Control"] == "no-store")
        }
    }

    @Test(arguments: ["max-age=10, must-revalidate", "no-cache"])
    func `a source whose headers forbid stale use is not served stale`(cacheControl: String) async throws {
        try await running({ [image] _ in Self.file(image, [.cacheControl: cacheControl]) }) {
            service,
            origin,
            clock,
            target in
            let first = try await service.request("GET", target)
            #expect(first.status == 200)
            origin.change { _ in TestOrigin.Response(status: .internalServerError) }
            clock.advance(by: 10)
            #expect(try await service.request("GET", target).status == 502)
        }
    }

    @Test func `a missing source is cached as missing for ten seconds and replaces a stored source`() async throws {
        let image = image
        try await running({ _ in TestOrigin.Response(status: .notFound) }) { service, origin, clock, target in
            for _ in 0..<3 {
                let absent = try await service.request("GET", target)
                #expect(absent.status == 404)
            }
            #expect(origin.requests.count == 1)
            origin.change { _ in Self.file(image, [.cacheControl: "max-age=10"]) }
            clock.advance(by: 10)
            #expect(try await service.request("GET", target).status == 200)
            origin.change { _ in TestOrigin.Response(status: .gone) }
            clock.advance(by: 10)
            #expect(try await service.request("GET", target).status == 404)
        }
    }
}
