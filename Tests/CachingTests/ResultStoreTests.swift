import Caching
import Glibc
import Logging
import Synchronization
import TestPacing
import Testing

/// The time limits, pauses and counters of a result store whose backend fails, hangs or is full.
@Suite(.limitedConcurrency) struct ResultStoreTests {
    /// A backend in memory.
    ///
    /// Tests can make its calls fail or block.
    private final class Place: StoreBackend {
        struct Content {
            var values: [StoredKey: [UInt8]] = [:]
            var purged: [[String]] = []
            var reads = 0
            var failure: StoreFailure?
            /// Whether reads block; they continue when it becomes false.
            var hangs = false
        }

        let content = Mutex(Content())
        let name = "place"
        let maxValueBytes = 100
        let writers: Int
        var usage: StoreUsage? { nil }
        var damaged: Int { 0 }

        init(writers: Int = 1) { self.writers = writers }

        func read(_ key: StoredKey) throws(StoreFailure) -> [UInt8]? {
            content.withLock { $0.reads += 1 }
            while content.withLock({ $0.hangs }) { usleep(1000) }
            if let failure = content.withLock({ $0.failure }) { throw failure }
            return content.withLock { $0.values[key] }
        }

        func write(_ value: [UInt8], for key: StoredKey, began: Int) throws(StoreFailure) {
            if let failure = content.withLock({ $0.failure }) { throw failure }
            content.withLock { $0.values[key] = value }
        }

        func purge(_ labels: [String]) throws(StoreFailure) {
            if let failure = content.withLock({ $0.failure }) { throw failure }
            content.withLock { $0.purged.append(labels) }
        }

        func maintain() {}
    }

    /// The time of pauses.
    private final class Clock: Sendable {
        private let offset = Mutex(Duration.zero)
        private let start = ContinuousClock.now
        var now: ContinuousClock.Instant { start + offset.withLock { $0 } }
        func advance(by duration: Duration) { offset.withLock { $0 += duration } }
    }

    private let clock = Clock()
    private let key = StoredKey("key", labels: ["source-1"])

    private func store(
        _ place: Place,
        timeout: Duration = .seconds(60),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) -> ResultStore {
        ResultStore(place, prefix: "v1:", timeout: timeout, now: { [clock] in clock.now }, logger: logger)
    }

    @Test func `a value is written in the background and found with the prefix of the version`() async {
        let place = Place()
        let store = store(place)
        #expect(await store.bytes(for: key) == nil)
        store.keep([1, 2], for: key, began: 5)
        #expect(await eventually { store.statistics.writes == 1 })
        #expect(await store.bytes(for: key) == [1, 2])
        #expect(place.content.withLock { $0.values.keys.map(\.text) } == ["v1:key"])
        let figures = store.statistics
        #expect(figures.hits == 1 && figures.misses == 1 && figures.isAvailable)
        #expect(figures.late + figures.failed + figures.skipped + figures.droppedWrites + figures.failedWrites == 0)
    }

    @Test func `many lookups and writes at the same time are all completed`() async {
        let place = Place(writers: 4)
        let store = store(place)
        for number in 0..<200 {
            store.keep([UInt8(truncatingIfNeeded: number)], for: StoredKey("\(number)", labels: []), began: 0)
        }
        #expect(await eventually { store.statistics.writes == 200 })
        let found = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await store.bytes(for: StoredKey("\(number)", labels: [])) == [UInt8(truncatingIfNeeded: number)]
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(found == 200)
    }

    @Test func `lookups in a hanging place end at the time limit, and are soon skipped`() async {
        let place = Place()
        place.content.withLock { $0.hangs = true }
        let store = store(place, timeout: .milliseconds(1))
        for _ in 0..<ResultStore.maxFailures { #expect(await store.bytes(for: key) == nil) }
        #expect(store.statistics.late == ResultStore.maxFailures && !store.statistics.isAvailable)
        for _ in 0..<1000 { #expect(await store.bytes(for: key) == nil) }
        #expect(store.statistics.skipped == 1000 && store.statistics.late == ResultStore.maxFailures)
        // After each pause, one lookup tests the place, until no thread is left.
        for _ in 0..<10 {
            clock.advance(by: ResultStore.pause)
            for _ in 0..<3 { #expect(await store.bytes(for: key) == nil) }
        }
        #expect(store.statistics.late == ResultStore.lookupThreads)
        #expect(await eventually { place.content.withLock { $0.reads } == ResultStore.lookupThreads })
        place.content.withLock { content in
            content.hangs = false
            content.values[StoredKey("v1:key", labels: key.labels)] = [3]
        }
        clock.advance(by: ResultStore.pause)
        #expect(
            await eventually {
                let found = await store.bytes(for: key)
                if found == nil { clock.advance(by: ResultStore.pause) }
                return found == [3]
            }
        )
        #expect(store.statistics.isAvailable)
    }

    @Test func `failed lookups make the place unavailable until a test succeeds`() async {
        let place = Place()
        place.content.withLock { $0.failure = StoreFailure("broken") }
        let store = store(place)
        for _ in 0..<ResultStore.maxFailures { #expect(await store.bytes(for: key) == nil) }
        #expect(store.statistics.failed == ResultStore.maxFailures)
        #expect(await store.bytes(for: key) == nil)
        #expect(store.statistics.skipped == 1)
        clock.advance(by: ResultStore.pause)
        #expect(await store.bytes(for: key) == nil)
        #expect(store.statistics.failed == ResultStore.maxFailures + 1 && !store.statistics.isAvailable)
        place.content.withLock { $0.failure = nil }
        #expect(await store.bytes(for: key) == nil)
        #expect(store.statistics.skipped == 2)
        clock.advance(by: ResultStore.pause)
        #expect(await store.bytes(for: key) == nil)
        #expect(store.statistics.misses == 1 && store.statistics.isAvailable)
    }

    @Test func `single failures between successes do not make the place unavailable`() async {
        let place = Place()
        let store = store(place)
        for _ in 0..<3 * ResultStore.maxFailures {
            for failure in [StoreFailure("broken"), nil] {
                place.content.withLock { $0.failure = failure }
                #expect(await store.bytes(for: key) == nil)
            }
        }
        #expect(store.statistics.isAvailable && store.statistics.skipped == 0)
    }

    @Test func `after a failed write, values are dropped for a time`() async {
        let place = Place()
        let store = store(place)
        place.content.withLock { $0.failure = StoreFailure("full") }
        store.keep([1], for: key, began: 0)
        #expect(await eventually { store.statistics.failedWrites == 1 })
        place.content.withLock { $0.failure = nil }
        store.keep([1], for: key, began: 0)
        #expect(store.statistics.droppedWrites == 1)
        clock.advance(by: ResultStore.writePause)
        store.keep([2], for: key, began: 0)
        #expect(await eventually { store.statistics.writes == 1 })
        #expect(await store.bytes(for: key) == [2])
    }

    @Test func `a value that is too large is dropped`() {
        let store = store(Place())
        store.keep([UInt8](repeating: 0, count: 101), for: key, began: 0)
        #expect(store.statistics.droppedWrites == 1)
    }

    @Test func `a purge reports whether the place executed it`() async {
        let place = Place()
        let store = store(place)
        #expect(await store.purge(["source-1", "content"]))
        #expect(place.content.withLock { $0.purged } == [["source-1", "content"]])
        place.content.withLock { $0.failure = StoreFailure("full") }
        #expect(await !store.purge(["source-1"]))
    }

    /// A cache of values that are equal to their records.
    private func cache(_ results: ResultStore, budget: Int = 1 << 20) -> TieredCache<[UInt8]> {
        TieredCache(
            name: "result",
            budget: budget,
            store: nil,
            results: results,
            coding: .init(lifetime: .seconds(60)) {
                SharedRecord(head: $0)
            } decode: {
                ($0.head, $0.head.count)
            }
        )
    }

    @Test(arguments: [0, 1 << 20])
    func `a cache finds a value of an earlier process, even without memory`(budget: Int) async {
        let place = Place()
        let store = store(place)
        let first = cache(store, budget: budget)
        first.keep([1, 2, 3], for: "k", bytes: 3, labels: ["source-1"], began: 5)
        #expect(await eventually { store.statistics.writes == 1 })
        let second = cache(store, budget: budget)
        #expect(second.isEnabled && second.value(for: "k") == nil)
        let found = await second.missedValue(for: "k", labels: ["source-1"])
        #expect(found?.value == [1, 2, 3] && found?.level == .stored)
        #expect(second.value(for: "k") == (budget == 0 ? nil : [1, 2, 3]))
    }

    @Test func `a cache keeps neither a value that was purged during its lookup nor a damaged value`() async {
        let place = Place()
        let store = store(place)
        cache(store).keep([1, 2, 3], for: "k", bytes: 3)
        #expect(await eventually { store.statistics.writes == 1 })
        let second = cache(store)
        _ = await second.missedValue(for: "k", isCurrent: { false })
        #expect(second.value(for: "k") == nil)
        place.content.withLock { content in
            for key in content.values.keys { content.values[key]?[5] ^= 1 }
        }
        #expect(await second.missedValue(for: "k")?.value == nil)
    }
}
