import Caching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct ByteCacheTests {
    /// A cache with a budget for this number of empty values.
    private func cache(entries: Int) -> ByteCache<Int, String> {
        ByteCache(budget: entries * ByteCache<Int, String>.bytesPerEntry)
    }

    @Test func `the least recently used value is evicted first`() {
        let cache = cache(entries: 4)
        for key in 1...4 { cache.store("\(key)", for: key, bytes: 0) }
        #expect(cache.value(for: 1) == "1")
        cache.store("5", for: 5, bytes: 0)
        #expect(cache.value(for: 2) == nil)
        #expect([1, 3, 4, 5].allSatisfy { cache.value(for: $0) == "\($0)" })
    }

    @Test func `the budget applies to values of any size`() {
        let cache = ByteCache<Int, Int>(budget: 100_000)
        var generator = SystemRandomNumberGenerator()
        for key in 0..<2000 {
            cache.store(key, for: key % 300, bytes: Int.random(in: 0...30_000, using: &generator))
            #expect(cache.statistics.bytes <= 100_000)
            if let value = cache.value(for: key % 300) { #expect(value == key) }
        }
        #expect(cache.statistics.evictions > 0)
    }

    @Test func `the cache behaves like a list of keys in the order of their last use`() {
        let cache = cache(entries: 8)
        var naive: [Int] = []
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let key = Int.random(in: 0..<16, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                cache.remove(key)
                naive.removeAll { $0 == key }
            case 1:
                let isThere = naive.contains(key)
                #expect((cache.value(for: key) != nil) == isThere)
                if isThere {
                    naive.removeAll { $0 == key }
                    naive.append(key)
                }
            default:
                cache.store("\(key)", for: key, bytes: 0)
                naive.removeAll { $0 == key }
                naive.append(key)
                if naive.count > 8 { naive.removeFirst() }
            }
            #expect(cache.statistics.entries == naive.count)
        }
    }

    @Test func `a value that is too large is not stored, and the value that it would replace is removed`() {
        let cache = ByteCache<Int, String>(budget: 100_000)
        cache.store("small", for: 1, bytes: 10)
        cache.store("other", for: 2, bytes: 10)
        cache.store("large", for: 1, bytes: 60_000)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.value(for: 2) == "other")
    }

    @Test func `a value may use a quarter of the budget, with its entry`() {
        let cache = ByteCache<Int, String>(budget: 100_000)
        #expect(cache.maxEntryBytes == 25_000)
        let largest = cache.maxEntryBytes - ByteCache<Int, String>.bytesPerEntry
        cache.store("largest", for: 1, bytes: largest)
        cache.store("too large", for: 2, bytes: largest + 1)
        #expect(cache.value(for: 1) == "largest")
        #expect(cache.value(for: 2) == nil)
    }

    @Test func `a budget of 0 stores and counts nothing`() {
        let cache = ByteCache<Int, String>(budget: 0)
        cache.store("value", for: 1, bytes: 0)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.statistics == CacheStatistics())
    }

    @Test func `hits, misses and evictions are counted`() {
        let cache = cache(entries: 4)
        for key in 1...5 { cache.store("\(key)", for: key, bytes: 0) }
        _ = cache.value(for: 5)
        _ = cache.value(for: 6)
        let statistics = cache.statistics
        #expect(statistics.stores == 5 && statistics.evictions == 1 && statistics.entries == 4)
        #expect(statistics.hits == 1 && statistics.misses == 1)
        #expect(statistics.bytes == statistics.budget)
    }
}
