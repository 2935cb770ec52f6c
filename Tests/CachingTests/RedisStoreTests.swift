import Caching
import Logging
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// Tests with a redis-server that is stopped, suspended, full or password-protected.
@Suite(.limitedConcurrency, .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.advice)), .serialized)
struct RedisStoreTests {
    private let path = RedisServer.freePath()

    private func store(
        _ url: String? = nil,
        timeout: Duration = RedisStore.lookupTimeout
    ) throws -> RedisStore {
        let address = try #require(RedisAddress(url ?? "unix:\(path)"))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return RedisStore(address, timeout: timeout, prefix: "test:", logger: logger)
    }

    /// Repeats a lookup until it returns the bytes.
    private func finds(_ bytes: [UInt8], _ key: String, in store: RedisStore) async -> Bool {
        await eventually { await store.bytes(for: key) == bytes }
    }

    /// Repeats a write until a lookup returns the bytes.
    private func keeps(_ bytes: [UInt8], _ key: String, in store: RedisStore) async -> Bool {
        await eventually {
            store.keep(bytes, for: key, lifetime: .seconds(60))
            return await store.bytes(for: key) == bytes
        }
    }

    @Test func `one store can read any bytes that another store has written`() async throws {
        let server = try await RedisServer(at: path)
        let (one, other) = (try store(), try store())
        let values: [[UInt8]] = [
            [], [0, 13, 10, 255], (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31) },
        ]
        for (index, value) in values.enumerated() {
            #expect(await keeps(value, "key \(index)\r\n", in: one))
            #expect(await finds(value, "key \(index)\r\n", in: other))
        }
        #expect(await eventually { one.statistics.writes >= 3 })
        #expect(await eventually { other.statistics.hits >= 3 })
        withExtendedLifetime(server) {}
    }

    @Test func `a value expires at the end of its lifetime`() async throws {
        let server = try await RedisServer(at: path)
        let store = try store()
        #expect(await keeps([1], "long", in: store))
        store.keep([2], for: "short", lifetime: .seconds(1))
        #expect(await eventually { store.statistics.writes >= 2 })
        #expect(
            await eventually {
                let misses = store.statistics.misses
                return await store.bytes(for: "short") == nil && store.statistics.misses > misses
            }
        )
        #expect(await finds([1], "long", in: store))
        withExtendedLifetime(server) {}
    }

    @Test func `a value that is too large is not shared`() async throws {
        let server = try await RedisServer(at: path)
        let store = try store()
        #expect(await keeps([1], "small", in: store))
        let dropped = store.statistics.droppedWrites
        store.keep([UInt8](repeating: 1, count: RedisStore.maxValueBytes + 1), for: "large", lifetime: .seconds(60))
        #expect(store.statistics.droppedWrites == dropped + 1)
        withExtendedLifetime(server) {}
    }

    @Test func `without Redis, requests do not wait, and Redis is used once it runs`() async throws {
        let store = try store()
        for _ in 0..<1000 { #expect(await store.bytes(for: "key") == nil) }
        let lookups = store.statistics
        #expect(lookups.skipped >= 1000 && lookups.late == 0)
        store.keep([1], for: "key", lifetime: .seconds(60))
        #expect(store.statistics.droppedWrites == lookups.droppedWrites + 1)
        #expect(store.statistics.skipped == lookups.skipped)
        let server = try await RedisServer(at: path)
        #expect(await keeps([1], "key", in: store))
        withExtendedLifetime(server) {}
    }

    @Test func `a restarted Redis is unavailable between its two runs`() async throws {
        var server: RedisServer? = try await RedisServer(at: path)
        let store = try store()
        #expect(await keeps([1], "key", in: store))
        let failures = store.statistics.failures
        server = nil
        #expect(
            await eventually {
                _ = await store.bytes(for: "key")
                return !store.statistics.isConnected
            }
        )
        #expect(store.statistics.failures == failures + 1)
        let skipped = store.statistics.skipped
        #expect(await store.bytes(for: "key") == nil)
        #expect(store.statistics.skipped == skipped + 1)
        server = try await RedisServer(at: path)
        #expect(await keeps([2], "key", in: store))
        withExtendedLifetime(server) {}
    }

    @Test func `requests do not wait for a hanging Redis, and it is used again once it replies`() async throws {
        let server = try await RedisServer(at: path)
        let store = try store()
        #expect(await keeps([1], "key", in: store))
        await server.freeze()
        // While Redis is suspended, a lookup ends only with the timeout.
        await withTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<200 { group.addTask { await store.bytes(for: "key") } }
            for await bytes in group { #expect(bytes == nil) }
        }
        #expect(await eventually { !store.statistics.isConnected })
        for _ in 0..<100 { #expect(await store.bytes(for: "key") == nil) }
        for number in 0..<100 { store.keep([2], for: "\(number)", lifetime: .seconds(60)) }
        server.thaw()
        #expect(await finds([1], "key", in: store))
    }

    @Test func `a late reply affects only its own lookup, and Redis stays in use`() async throws {
        let server = try await RedisServer(at: path)
        let store = try store()
        #expect(await keeps([1], "key", in: store))
        let before = store.statistics
        await server.freeze()
        // Sends fewer late replies than the number that makes Redis unavailable.
        for _ in 0..<3 { #expect(await store.bytes(for: "key") == nil) }
        server.thaw()
        #expect(await finds([1], "key", in: store))
        #expect(await eventually { store.statistics.late >= before.late + 3 })
        #expect(store.statistics.skipped == before.skipped)
        #expect(store.statistics.failures == before.failures)
        withExtendedLifetime(server) {}
    }

    @Test func `a hanging Redis becomes unavailable without any lookup, and available when it replies`() async throws {
        let server = try await RedisServer(at: path)
        let store = try store()
        #expect(await eventually { store.statistics.isConnected })
        await server.freeze()
        #expect(await eventually { !store.statistics.isConnected })
        #expect(store.statistics.failures == 1)
        server.thaw()
        #expect(await eventually { store.statistics.isConnected })
        #expect(store.statistics.late == 0)
    }

    @Test func `a password may be configured separately from the address, and is not printed`() async throws {
        let port = try TestClient.freePort()
        let server = try await RedisServer(at: path, ["--port", "\(port)", "--requirepass", "s3cret"])
        let address = try #require(RedisAddress("redis://127.0.0.1:\(port)"))
        #expect(!address.hasPassword)
        // The server may not listen yet.
        #expect(await eventually { await address.probe()?.contains("NOAUTH") == true })
        let protected = address.with(password: "s3cret")
        #expect(protected.hasPassword && "\(protected)" == "\(address)")
        #expect(await protected.probe() == nil)
        withExtendedLifetime(server) {}
    }

    @Test func `a full Redis can still be read`() async throws {
        let server = try await RedisServer(at: path, ["--maxmemory", "3mb", "--maxmemory-policy", "noeviction"])
        let store = try store()
        #expect(await keeps([1], "key", in: store))
        let large = [UInt8](repeating: 7, count: 400_000)
        // A rejected write does not make Redis unavailable; only a late reply on a busy machine can do that.
        #expect(
            await eventually {
                let before = store.statistics
                store.keep(large, for: "\(before.writes)", lifetime: .seconds(60))
                guard before.isConnected, await eventually({ store.statistics.answered > before.answered }) else {
                    return false
                }
                let isRefused = store.statistics.droppedWrites > before.droppedWrites
                guard isRefused, await store.bytes(for: "key") == [1] else { return false }
                return store.statistics.failures == before.failures
            }
        )
        withExtendedLifetime(server) {}
    }

    @Test func `writes that Redis does not accept are dropped and do not accumulate`() async throws {
        let server = try await RedisServer(at: path)
        let store = try store()
        var asked = 0
        func isKept() async -> Bool {
            asked += 1
            store.keep([1], for: "key", lifetime: .seconds(60))
            return await store.bytes(for: "key") == [1]
        }
        func isSettled() -> Bool {
            let statistics = store.statistics
            return statistics.writes + statistics.droppedWrites == asked
        }
        #expect(await eventually(isKept))
        // All writes must be completed before Redis is suspended.
        #expect(await eventually(isSettled))
        await server.freeze()
        let dropped = store.statistics.droppedWrites
        let value = [UInt8](repeating: 7, count: RedisStore.maxValueBytes)
        let count = RedisStore.maxQueuedBytes / value.count + 100
        for number in 0..<count { store.keep(value, for: "\(number)", lifetime: .seconds(60)) }
        #expect(store.statistics.droppedWrites >= dropped + 99)
        #expect(await eventually { store.statistics.droppedWrites == dropped + count })
        server.thaw()
        #expect(await finds([1], "key", in: store))
    }

    @Test func `the password and the database are sent to Redis, and a wrong password makes it unavailable`()
        async throws
    {
        // A socket's address cannot contain a password, so this server listens on a port.
        let port = try TestClient.freePort()
        let server = try await RedisServer(at: path, ["--port", "\(port)", "--requirepass", "s3cret"])
        let good = try store("redis://:s3cret@127.0.0.1:\(port)/2")
        #expect(await keeps([1], "key", in: good))
        let bad = try store("redis://:wrong@127.0.0.1:\(port)/2")
        #expect(await bad.bytes(for: "key") == nil)
        let elsewhere = try store("redis://:s3cret@127.0.0.1:\(port)/3")
        #expect(await keeps([2], "other", in: elsewhere))
        #expect(await elsewhere.bytes(for: "key") == nil)
        #expect(!bad.statistics.isConnected)
        withExtendedLifetime(server) {}
    }

    @Test func `bytes that are not a record yield no value`() async throws {
        let server = try await RedisServer(at: path)
        // A long timeout, because the tests share the processors.
        let store = try store(timeout: .seconds(20))
        func cache() -> TieredCache<[UInt8]> {
            TieredCache(
                name: "cache",
                budget: 1 << 20,
                store: store,
                coding: .init(lifetime: .seconds(60)) {
                    SharedRecord(head: $0)
                } decode: {
                    ($0.head, $0.head.count)
                }
            )
        }
        let record = SharedRecord(head: [1, 2, 3]).framed(for: "cache:good")
        #expect(await keeps(record, "cache:good", in: store))
        #expect(await cache().missedValue(for: "good")?.value == [1, 2, 3])
        for (key, bytes) in [
            ("torn", Array(record.dropLast())), ("moved", record), ("empty", []), ("text", [72, 105]),
        ] {
            #expect(await keeps(bytes, "cache:\(key)", in: store))
            #expect(await cache().missedValue(for: key)?.value == nil)
        }
        withExtendedLifetime(server) {}
    }
}

extension RedisStatistics {
    /// The number of completed writes.
    fileprivate var answered: Int { writes + droppedWrites }
}
