import Caching
import Logging
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// Tests with a master, a replica and a sentinel.
@Suite(.limitedConcurrency, .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.advice)))
struct RedisSentinelTests {
    private func store(_ address: RedisAddress?) throws -> RedisStore {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return RedisStore(try #require(address), timeout: .seconds(1), prefix: "test:", logger: logger)
    }

    private func keeps(_ bytes: [UInt8], in store: RedisStore) async -> Bool {
        await eventually {
            store.keep(bytes, for: "key", lifetime: .seconds(60))
            return await store.bytes(for: "key") == bytes
        }
    }

    @Test func `after the master is lost, its successor is used`() async throws {
        let (first, second, third) = (
            try TestClient.freePort(), try TestClient.freePort(), try TestClient.freePort()
        )
        var master: RedisServer? = try await RedisServer(["--port", "\(first)"])
        let replica = try await RedisServer([
            "--port", "\(second)", "--replicaof", "127.0.0.1", "\(first)", "--repl-diskless-load", "on-empty-db",
        ])
        let old = try store(RedisAddress("redis://127.0.0.1:\(first)"))
        let new = try store(RedisAddress("redis://127.0.0.1:\(second)"))
        #expect(await keeps([1], in: old))
        #expect(await eventually { await new.bytes(for: "key") == [1] })
        let service = try await RedisSentinel(port: Int(third), master: Int(first), service: "main", ["requirepass s3"])
        // The first of the two addresses does not belong to a sentinel.
        let address = RedisAddress("redis+sentinel://127.0.0.1:\(first),127.0.0.1:\(third)/main")
        let shared = try store(address?.with(sentinelPassword: "s3"))
        #expect(await keeps([2], in: shared))
        #expect(await old.bytes(for: "key") == [2])
        master = nil
        // The master may reply for a moment after the signal.
        #expect(
            await eventually {
                _ = await shared.bytes(for: "key")
                return shared.statistics.failures > 0
            }
        )
        #expect(await keeps([3], in: shared))
        #expect(await eventually { await new.bytes(for: "key") == [3] })
        withExtendedLifetime((master, replica, service)) {}
    }

    @Test func `a master that has become a replica is no longer used`() async throws {
        let (first, second) = (try TestClient.freePort(), try TestClient.freePort())
        let server = try await RedisServer(["--port", "\(first)", "--replicaof", "127.0.0.1", "\(second)"])
        let store = try store(RedisAddress("redis://127.0.0.1:\(first)"))
        #expect(await eventually { store.statistics.isConnected })
        #expect(
            await eventually {
                store.keep([1], for: "key", lifetime: .seconds(60))
                return store.statistics.failures > 0
            }
        )
        #expect(store.statistics.droppedWrites > 0 && store.statistics.writes == 0)
        withExtendedLifetime(server) {}
    }
}
