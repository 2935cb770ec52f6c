import Requests
import Testing

/// The directives of settings for `Cache-Control`.
@Suite struct FreshnessTests {
    @Test(arguments: [
        ("max-age=0", "public, max-age=0"), ("max-age=300", "public, max-age=300"),
        ("Max-Age=300 , S-MAXAGE=86400", "public, max-age=300, s-maxage=86400"),
        (
            "stale-if-error=4,stale-while-revalidate=3,immutable,s-maxage=2,max-age=1",
            "public, max-age=1, s-maxage=2, immutable, stale-while-revalidate=3, stale-if-error=4"
        ),
        ("max-age=2147483647", "public, max-age=2147483647"), ("no-store", "no-store"), (" No-Store ", "no-store"),
    ])
    func `directives are read in any order and written in one`(text: String, expected: String) throws {
        let freshness = try #require(Freshness(text))
        #expect(freshness.cacheControl == expected)
        #expect(Freshness(freshness.text) == freshness)
    }

    @Test(arguments: [
        "", ",", "public", "max-age", "max-age=", "max-age=x", "max-age=-1", "max-age=1.5", "max-age= 1",
        "max-age=2147483648", "max-age=99999999999999999999", "max-age=1,max-age=1", "max-age=1,,s-maxage=2",
        "max-age=1,", "s-maxage=60", "immutable", "max-age=1, immutable=1", "max-age=1, immutable=",
        "no-store, max-age=1",
        "max-age=1 s-maxage=2", "max-age=1; s-maxage=2", "max-age=1, private", "max-age=1, no-cache", "max-age=\u{661}",
    ])
    func `other texts are rejected`(text: String) {
        #expect(Freshness(text) == nil)
    }

    @Test func `a brief freshness has one time and is never longer than the original`() throws {
        let long = try #require(Freshness("max-age=300, s-maxage=600, immutable, stale-if-error=60"))
        #expect(long.brief(atMost: 60).cacheControl == "public, max-age=60")
        #expect(Freshness(maxAge: 5).brief(atMost: 60).cacheControl == "public, max-age=5")
        #expect(Freshness.noStore.brief(atMost: 60) == .noStore)
    }

    @Test func `rules of a preset override rules of a tenant, and these override the service's`() {
        func rules(_ values: [FreshnessRules.Kind: Int]) -> FreshnessRules {
            var rules = FreshnessRules()
            for (kind, seconds) in values { rules[kind] = Freshness(maxAge: seconds) }
            return rules
        }
        let service = rules([.crops: 1, .versioned: 2, .missing: 3])
        let all = service.overridden(by: rules([.versioned: 20, .missing: 30])).overridden(by: rules([.missing: 300]))
        let seconds = FreshnessRules.Kind.allCases.map { all.freshness(of: $0).maxAge }
        #expect(seconds == [1, 20, 60, 300, nil])
        #expect(service.overridden(by: nil) == service)
    }

    @Test func `the default rules define every kind of response`() {
        let texts = FreshnessRules.Kind.allCases.map { FreshnessRules.standard[$0]?.text }
        #expect(
            texts == [
                "max-age=86400, stale-while-revalidate=3600, stale-if-error=86400",
                "max-age=31536000, immutable, stale-while-revalidate=3600, stale-if-error=86400", "max-age=60",
                "max-age=60",
                "no-store",
            ]
        )
    }
}
