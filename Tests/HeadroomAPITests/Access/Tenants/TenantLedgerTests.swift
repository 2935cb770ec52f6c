import Admission
import Caching
import HeadroomAPI
import Logging
import Synchronization
import TestPacing
import TestPrograms
import Testing

/// A clock in microseconds that the test sets.
final class MicrosecondClock: Sendable {
    private let time: Mutex<Int>

    init(_ time: Int = 1_000_000_000) { self.time = Mutex(time) }

    var now: Int { time.withLock(\.self) }

    func advance(seconds: Double) { time.withLock { $0 += Int(seconds * 1_000_000) } }
}

@Suite struct TenantLedgerTests {
    private let tenant = {
        var tenant = Tenant("shop")
        tenant.requestsPerMinute = 3
        tenant.processorMillisecondsPerMinute = 6_000
        return tenant
    }()

    @Test func `requests above the rate are rejected until the bucket has refilled`() async {
        let clock = MicrosecondClock()
        let ledger = TenantLedger { clock.now }
        for _ in 0..<3 { #expect(await ledger.admit(tenant) == nil) }
        let refusal = TenantRefusal(limit: .requests, wait: .seconds(20))
        #expect(ledger.refusal(of: tenant) == refusal)
        #expect(await ledger.admit(tenant) == refusal)
        // Other tenants are not affected.
        var other = Tenant("blog")
        other.requestsPerMinute = 3
        #expect(await ledger.admit(other) == nil)
        clock.advance(seconds: 19)
        #expect(await ledger.admit(tenant)?.wait == .seconds(1))
        clock.advance(seconds: 1)
        #expect(await ledger.admit(tenant) == nil)
        #expect(await ledger.admit(tenant)?.limit == .requests)
    }

    @Test func `processor time is charged after use, so the balance can become negative`() async {
        let clock = MicrosecondClock()
        let ledger = TenantLedger { clock.now }
        #expect(await ledger.admit(tenant) == nil)
        ledger.charge(.seconds(5), to: tenant)
        #expect(await ledger.admit(tenant) == nil && ledger.processorPause(of: tenant) == nil)
        ledger.charge(.seconds(2), to: tenant)
        // A tenth of a second is refilled each second, so paying back one second takes ten seconds.
        #expect(ledger.processorPause(of: tenant) == .seconds(10) + .microseconds(1))
        #expect(await ledger.admit(tenant)?.limit == .processor)
        clock.advance(seconds: 10.1)
        #expect(ledger.processorPause(of: tenant) == nil)
        #expect(await ledger.admit(tenant) == nil)
        let usage = ledger.usage.first
        #expect(usage?.admitted == 3 && usage?.refused == [.processor: 1] && usage?.processorTime == .seconds(7))
    }

    @Test func `a tenant without rates is never rejected, but its requests are counted`() async {
        let ledger = TenantLedger { 0 }
        var free = Tenant("free")
        free.requestsPerMinute = Tenant.unlimited
        for _ in 0..<1000 { #expect(await ledger.admit(free) == nil) }
        ledger.charge(.seconds(1000), to: free)
        #expect(await ledger.admit(free) == nil)
        #expect(ledger.usage.map(\.admitted) == [1001])
    }

    @Test func `the entries of removed tenants are dropped and all others are kept`() async throws {
        let ledger = TenantLedger { 0 }
        let (one, other) = (Tenant("one"), Tenant("other"))
        ledger.keep(try TenantSet([one, other]))
        #expect(ledger.usage.map(\.tenant) == ["one", "other"])
        #expect(await ledger.admit(one) == nil)
        ledger.keep(try TenantSet([one, Tenant("third")]))
        #expect(ledger.usage.map(\.tenant) == ["one", "third"])
        #expect(ledger.usage.map(\.admitted) == [1, 0])
    }
}

/// Ledgers that share one Redis.
@Suite(.limitedConcurrency, .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.advice)), .serialized)
struct SharedLedgerTests {
    private let path = RedisServer.freePath()
    private let tenant = {
        var tenant = Tenant("shop")
        tenant.requestsPerMinute = 3
        tenant.processorMillisecondsPerMinute = 6_000
        return tenant
    }()

    /// A store with a long timeout for replies, because other tests use the same processors.
    private func store(_ timeout: Duration = .seconds(20)) async throws -> RedisStore {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let address = try #require(RedisAddress("unix:\(path)"))
        let store = RedisStore(address, timeout: timeout, prefix: "test:", logger: logger)
        #expect(
            await eventually {
                _ = await store.bytes(for: "any")
                return store.statistics.isConnected
            }
        )
        return store
    }

    private func ledger(_ store: RedisStore, _ clock: MicrosecondClock, redis: MicrosecondClock) -> TenantLedger {
        TenantLedger(shared: SharedBuckets(store, capacity: TokenBucket.capacity) { redis.now }) { clock.now }
    }

    @Test func `requests and processor time of all processes add up, by one clock`() async throws {
        let server = try await RedisServer(at: path)
        let store = try await store()
        let redis = MicrosecondClock()
        // The clocks of the processes differ, which has no effect.
        let one = ledger(store, MicrosecondClock(5), redis: redis)
        let other = ledger(store, MicrosecondClock(7_000_000_000), redis: redis)
        #expect(await one.admit(tenant) == nil)
        #expect(await other.admit(tenant) == nil)
        #expect(await one.admit(tenant) == nil)
        #expect(await other.admit(tenant) == TenantRefusal(limit: .requests, wait: .seconds(20)))
        // Each process now rejects requests without contacting Redis.
        #expect(one.refusal(of: tenant)?.limit == .requests && other.refusal(of: tenant)?.limit == .requests)
        redis.advance(seconds: 20)
        #expect(await other.admit(tenant) == nil)
        #expect(await one.admit(tenant)?.wait == .seconds(20))
        redis.advance(seconds: 60)
        one.charge(.seconds(7), to: tenant)
        // The charge reaches Redis in the background, so requests before that must not exceed the limit by themselves.
        var metered = tenant
        metered.requestsPerMinute = Tenant.unlimited
        #expect(await eventually { await other.admit(metered)?.limit == .processor })
        let wait = try #require(await other.admit(metered)?.wait)
        // Each request that was admitted before that takes a microsecond.
        #expect(wait > .seconds(10) && wait < .seconds(10) + .milliseconds(1))
        withExtendedLifetime(server) {}
    }

    @Test func `while Redis is unreachable each process continues with its own buckets`() async throws {
        var server: RedisServer? = try await RedisServer(at: path)
        let store = try await store()
        let (redis, clock) = (MicrosecondClock(), MicrosecondClock())
        let (one, other) = (ledger(store, clock, redis: redis), ledger(store, clock, redis: redis))
        #expect(await one.admit(tenant) == nil)
        #expect(await one.admit(tenant) == nil)
        #expect(await other.admit(tenant) == nil)
        server = nil
        #expect(
            await eventually {
                _ = await store.bytes(for: "any")
                return !store.statistics.isConnected
            }
        )
        // The other process has the shared state; the first process has counted two of the three requests.
        #expect(await other.admit(tenant)?.limit == .requests)
        #expect(await one.admit(tenant) == nil)
        #expect(await one.admit(tenant)?.limit == .requests)
        clock.advance(seconds: 20)
        #expect(await one.admit(tenant) == nil && other.refusal(of: tenant) == nil)
        server = try await RedisServer(at: path)
        #expect(
            await eventually {
                _ = await store.bytes(for: "any")
                return store.statistics.isConnected
            }
        )
        #expect(await one.admit(tenant) == nil)
        withExtendedLifetime(server) {}
    }

    @Test func `the clock of Redis is the default clock, and keys expire`() async throws {
        let server = try await RedisServer(at: path)
        let store = try await store()
        let buckets = SharedBuckets(store, capacity: TokenBucket.capacity)
        let first = try #require(await buckets.take([50_000_000, 0], from: ["a", "b"]))
        #expect(first.map(\.wait) == [0, 0] && first[0].missing == 50_000_000 && first[1].missing == 0)
        let second = try #require(await buckets.take([50_000_000, 1], from: ["a", "b"]))
        #expect((1...40_000_000).contains(second[0].wait) && second[1].wait == 0)
        // No tokens were taken from the other bucket.
        #expect(second[1].missing == 0)
        let life = await store.evaluate("return tostring(redis.call('PTTL', KEYS[1]))", keys: ["a"], [])
        let milliseconds = try #require(life.flatMap { Int(String(decoding: $0, as: UTF8.self)) })
        #expect((1...51_001).contains(milliseconds))
        withExtendedLifetime(server) {}
    }

    @Test func `if Redis rejects scripts, each process uses its own buckets`() async throws {
        let server = try await RedisServer(at: path, ["--rename-command", "EVAL", ""])
        let store = try await store()
        let clock = MicrosecondClock()
        let ledger = ledger(store, clock, redis: clock)
        for _ in 0..<3 { #expect(await ledger.admit(tenant) == nil) }
        #expect(await ledger.admit(tenant)?.limit == .requests)
        // Redis is still used for everything else.
        #expect(store.statistics.isConnected && store.statistics.failures == 0)
        withExtendedLifetime(server) {}
    }
}
