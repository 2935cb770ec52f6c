import Admission
import Fetching
import HeadroomAPI
import Testing

@Suite struct TenantSetTests {
    private func tenant(_ name: String, keys: [String] = [], secrets: [String] = []) -> Tenant {
        var tenant = Tenant(name)
        tenant.signingKeys = keys.flatMap { Credentials.list($0) }
        tenant.bearerSecrets = secrets.flatMap { Credentials.list($0) }
        return tenant
    }

    @Test func `a key belongs to one tenant`() throws {
        let (first, second) = (Credentials.firstKey, Credentials.secondKey)
        for (tenants, others, reason) in [
            (
                [tenant("a", keys: [first]), tenant("b", keys: [first])], [],
                "b uses a key or secret of a: expected a different one"
            ),
            (
                [tenant("a", keys: [first]), tenant("b", secrets: [first])], [],
                "b uses a key or secret of a: expected a different one"
            ),
            (
                [tenant("a", secrets: [first])], Credentials.list(first),
                "a uses a key or secret of the service: expected a different one"
            ),
        ] {
            let error = #expect(throws: TenantSet.ListError.self) { try TenantSet(tenants, besides: others) }
            #expect(error?.reason == reason)
        }
        // The same string as signing key and as bearer secret belongs to one tenant.
        #expect(
            try TenantSet([tenant("a", keys: [first], secrets: [first]), tenant("b", keys: [second])]).all.count == 2
        )
    }

    @Test func `the numbers of tenants and of their keys are limited`() {
        let many = (0...TenantSet.maxTenants).map { tenant("t\($0)") }
        #expect(throws: TenantSet.ListError.self) { try TenantSet(many) }
        let keys = (0...TenantSet.maxSigningKeys).map { "key-0123456789-0123456789-abcdefgh-\($0)" }
        let rich = stride(from: 0, to: keys.count, by: 8).map { start in
            tenant("t\(start)", keys: Array(keys[start..<min(start + 8, keys.count)]))
        }
        let error = #expect(throws: TenantSet.ListError.self) { try TenantSet(rich) }
        #expect(error?.reason == "all tenants together have 201 signing keys: expected at most 200")
    }

    @Test(arguments: [
        ("a", true), ("a-1", true), ("", false), ("A", false), ("a b", false), ("a\"", false), ("ä", false),
        (String(repeating: "a", count: 40), true), (String(repeating: "a", count: 41), false),
    ])
    func `tenant names consist of letters, digits and hyphens`(name: String, isName: Bool) {
        #expect(Tenant.isName(name) == isName)
    }

    @Test func `a limit that is missing counts as lost, but a lifted or changed limit does not`() {
        var old = Tenant("a")
        old.allowedHosts = []
        old.allowedBuckets = []
        old.maxPixels = 1
        old.maxBytes = 1
        old.requestsPerMinute = 1
        old.processorMillisecondsPerMinute = 1
        var new = old
        #expect(new.lostLimit(since: old) == nil)
        new.maxPixels = Tenant.unlimited
        new.requestsPerMinute = 1000
        #expect(new.lostLimit(since: old) == nil)
        let losses: [(String, (inout Tenant) -> Void)] = [
            ("allow-hosts", { $0.allowedHosts = nil }), ("allow-buckets", { $0.allowedBuckets = nil }),
            ("max-pixels", { $0.maxPixels = nil }), ("max-bytes", { $0.maxBytes = nil }),
            ("requests-per-minute", { $0.requestsPerMinute = nil }),
            ("cpu-seconds-per-minute", { $0.processorMillisecondsPerMinute = nil }),
        ]
        for (name, lose) in losses {
            var tenant = old
            lose(&tenant)
            #expect(tenant.lostLimit(since: old) == name)
            #expect(old.lostLimit(since: tenant) == nil)
        }
    }
}
