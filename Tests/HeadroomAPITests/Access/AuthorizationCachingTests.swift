import HTTPTypes
import HeadroomAPI
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct AuthorizationCachingTests {
    private func limited(_ value: String?, _ authorization: Authorization) -> String? {
        var headers: HTTPFields = [:]
        headers[.cacheControl] = value
        authorization.limitCaching(of: &headers, now: 1000)
        return headers[.cacheControl]
    }

    private func signed(until expires: Int?) throws -> Authorization {
        let query = try SignedQuery(expires.map { "expires=\($0)" })
        return .signature(key: 1, try SignatureLimits(query, method: .get))
    }

    @Test(arguments: [
        ("public, max-age=60", "private, max-age=60"), ("max-age=60,s-maxage=90,public", "private, max-age=60"),
        ("no-store", "no-store"), ("private", "private"),
    ])
    func `a response to a request with a bearer secret is never public`(value: String, expected: String) {
        let directives = limited(value, .bearer(secret: 1))?.split(separator: ", ") ?? []
        #expect(Set(directives) == Set(expected.split(separator: ", ")))
    }

    @Test(arguments: [
        ("public, max-age=60", "public, max-age=50"),
        ("public, max-age=40, s-maxage=90", "public, max-age=40, s-maxage=50"),
        ("public, max-age=31536000, immutable, stale-while-revalidate=60", "public, max-age=50, immutable"),
        ("public, max-age=40, stale-if-error=60", "public, max-age=40"), ("no-store", "no-store"),
        ("public", "public, max-age=50"), ("public, s-maxage=90", "public, s-maxage=50"),
    ])
    func `no response stays fresh after its signature expires`(value: String, expected: String) throws {
        #expect(limited(value, try signed(until: 1050)) == expected)
        #expect(limited("max-age=60", try signed(until: 900)) == "max-age=0")
    }

    @Test(arguments: [Int.min, -1, 0, 1 << 40, .max])
    func `the remaining lifetime does not overflow for any clock`(now: Int) throws {
        for expires in [0, 1050, SignatureLimits.latestExpiry] {
            var headers: HTTPFields = [.cacheControl: "max-age=\(Int.max)"]
            try signed(until: expires).limitCaching(of: &headers, now: now)
            let age = headers[.cacheControl].flatMap { Int($0.dropFirst("max-age=".count)) }
            #expect(age.map { (0...1 << 31).contains($0) } == true)
        }
    }

    @Test func `the field does not change without credentials or without an expiry`() throws {
        for authorization in [.everyone, try signed(until: nil)] {
            #expect(
                limited("public, max-age=60, stale-if-error=60", authorization)
                    == "public, max-age=60, stale-if-error=60"
            )
            #expect(limited(nil, authorization) == nil)
        }
        #expect(try signed(until: nil).isSigned)
        #expect(!Authorization.bearer(secret: 1).isSigned && !Authorization.everyone.isSigned)
    }
}
