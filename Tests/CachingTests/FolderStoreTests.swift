import Caching
import Foundation
import Glibc
import Synchronization
import TestPrograms
import Testing

/// Values in a folder with damaged, foreign, expired, purged and evicted files.
struct FolderStoreTests {
    private let folder: TemporaryFolder
    private let clock = Clock()

    /// A clock that tests set, in seconds since 1970.
    private final class Clock: Sendable {
        private let value = Atomic(Int(Date().timeIntervalSince1970))
        var time: Int { value.load(ordering: .relaxed) }
        func advance(by seconds: Int) { value.add(seconds, ordering: .relaxed) }
    }

    init() throws { folder = try TemporaryFolder() }

    private func store(limit: Int = 64 << 20, lifetime: Int = 1000) -> FolderStore {
        FolderStore(folder.path, limit: limit, lifetime: lifetime, now: { [clock] in clock.time })
    }

    private func key(_ number: Int, _ labels: String...) -> StoredKey { StoredKey("key \(number)", labels: labels) }

    @Test func `another process with the same folder reads the written values`() throws {
        let (one, other) = (store(), store())
        for (number, value) in [[], [1, 2, 3], [UInt8](repeating: 7, count: 1 << 20)].enumerated() {
            #expect(try one.read(key(number)) == nil)
            try one.write(value, for: key(number), began: clock.time)
            #expect(try one.read(key(number)) == value && other.read(key(number)) == value)
        }
        try other.write([9], for: key(1), began: clock.time)
        #expect(try one.read(key(1)) == [9])
        #expect(folder.entries.count == 3)
    }

    @Test func `a truncated file is a miss and is removed, wherever it ends`() throws {
        let store = store()
        let key = key(1, "source-1")
        try store.write([UInt8](repeating: 5, count: 100), for: key, began: clock.time)
        let path = try #require(folder.entries.first)
        let bytes = folder.bytes(of: path)
        #expect(bytes.count > 150)
        for count in 0..<bytes.count {
            try folder.write(Array(bytes[..<count]), to: path)
            #expect(try store.read(key) == nil, "\(count)")
            #expect(folder.entries.isEmpty)
        }
        #expect(store.damaged == bytes.count)
        try folder.write(bytes, to: path)
        #expect(try store.read(key) == [UInt8](repeating: 5, count: 100))
    }

    @Test(arguments: ["changed", "longer", "foreign", "of another key", "too large", "link", "pipe"])
    func `a damaged or foreign file is a miss and is removed`(kind: String) throws {
        let store = store()
        try store.write([1, 2, 3], for: key(1), began: clock.time)
        let path = try #require(folder.entries.first)
        let bytes = folder.bytes(of: path)
        switch kind {
        case "changed": try folder.write(bytes.dropLast() + [4], to: path)
        case "longer": try folder.write(bytes + [0], to: path)
        case "foreign": try folder.write(Array("not an entry".utf8), to: path)
        case "of another key":
            try store.write([4], for: key(2), began: clock.time)
            let other = try #require(folder.entries.first { $0 != path })
            try folder.write(folder.bytes(of: other), to: path)
        case "too large": #expect(truncate(path, off_t(store.maxValueBytes + StoredEntry.maxOverhead + 1)) == 0)
        case "link":
            try folder.write(bytes, to: folder.path + "/elsewhere")
            #expect(unlink(path) == 0 && symlink(folder.path + "/elsewhere", path) == 0)
        default: #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
        }
        #expect(try store.read(key(1)) == nil)
        #expect(store.damaged == 1)
        #expect(access(path, F_OK) != 0)
        try store.write([5], for: key(1), began: clock.time)
        #expect(try store.read(key(1)) == [5])
    }

    @Test func `a folder with the name of an entry is a miss`() throws {
        let store = store()
        try store.write([1], for: key(1), began: clock.time)
        let path = try #require(folder.entries.first)
        #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
        #expect(try store.read(key(1)) == nil)
    }

    @Test func `an expired entry is a miss and is removed`() throws {
        let store = store(lifetime: 1000)
        try store.write([1], for: key(1), began: clock.time)
        clock.advance(by: 999)
        #expect(try store.read(key(1)) == [1])
        clock.advance(by: 1)
        #expect(try store.read(key(1)) == nil)
        #expect(folder.entries.isEmpty)
    }

    @Test func `maintenance removes expired entries and old temporary files`() throws {
        let store = store(lifetime: 1000)
        for number in 0..<3 { try store.write([1], for: key(number), began: clock.time) }
        let temporary = folder.path + "/results-1/new/1-1"
        try folder.write([1], to: temporary)
        store.maintain()
        #expect(folder.entries.count == 3 && folder.bytes(of: temporary) == [1])
        clock.advance(by: 4000)
        store.maintain()
        #expect(folder.entries.isEmpty && access(temporary, F_OK) != 0)
        #expect(store.usage?.bytes == 0)
    }

    // MARK: Limit

    @Test func `the least recently used entries are evicted`() throws {
        let store = store(limit: 64 << 20, lifetime: 100_000)
        let value = [UInt8](repeating: 1, count: 1 << 20)
        for number in 0..<60 {
            try store.write(value, for: key(number), began: clock.time)
            // The first entries are the oldest.
            for path in folder.entries where number == 0 { try folder.setTime(clock.time - 5000, of: path) }
        }
        #expect(store.usage?.evictions == 0)
        let first = try #require(folder.entries.first { modified($0) < clock.time - 4000 })
        for number in 60..<70 { try store.write(value, for: key(number), began: clock.time) }
        let usage = try #require(store.usage)
        #expect(usage.evictions > 0 && usage.bytes <= usage.limit)
        #expect(access(first, F_OK) != 0)
        // The last value was not evicted.
        #expect(try store.read(key(69)) == value)
        #expect(folder.entries.count == 70 - usage.evictions)
    }

    private func modified(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mtim.tv_sec : .max
    }

    @Test func `a new process counts the entries of earlier processes before it exceeds the limit`() throws {
        let value = [UInt8](repeating: 1, count: 1 << 20)
        let first = store(limit: 64 << 20)
        for number in 0..<60 { try first.write(value, for: key(number), began: clock.time) }
        let second = store(limit: 64 << 20)
        // Nothing is read at the start.
        #expect(second.usage?.bytes == 0)
        for number in 60..<70 { try second.write(value, for: key(number), began: clock.time) }
        #expect(second.usage?.evictions ?? 0 > 0)
        #expect(FolderStore.storedBytes(in: folder.path) <= 64 << 20)
    }

    @Test func `a value that is too large is rejected`() throws {
        let store = store(limit: 64 << 20)
        #expect(store.maxValueBytes == 16 << 20)
        #expect(throws: StoreFailure.self) {
            try store.write([UInt8](repeating: 0, count: store.maxValueBytes + 1), for: key(1), began: clock.time)
        }
        #expect(self.store(limit: 16 << 20).maxValueBytes == 4 << 20)
    }

    // MARK: Failures

    @Test func `a folder that does not exist is a miss, and a write fails`() throws {
        let store = FolderStore(folder.path + "/none", limit: 64 << 20, lifetime: 1000, now: { [clock] in clock.time })
        #expect(try store.read(key(1)) == nil)
        #expect(throws: StoreFailure.self) { try store.write([1], for: key(1), began: clock.time) }
        #expect(FolderStore.problem(with: folder.path + "/none") == "open: No such file or directory")
        #expect(FolderStore.problem(with: folder.path) == nil)
        #expect(folder.files.isEmpty)
    }

    @Test func `a write that fails leaves no file`() throws {
        let store = store()
        try store.write([1], for: key(1), began: clock.time)
        let path = try #require(folder.entries.first)
        // A folder that is not empty cannot be replaced by a file.
        #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
        try folder.write([], to: path + "/file")
        #expect(throws: StoreFailure.self) { try store.write([2], for: key(1), began: clock.time) }
        #expect(!folder.files.contains { $0.contains("/new/") })
    }

    @Test func `a folder that was emptied is used again`() throws {
        let store = store()
        try store.write([1], for: key(1), began: clock.time)
        try FileManager.default.removeItem(atPath: folder.path + "/results-1")
        #expect(try store.read(key(1)) == nil)
        try store.write([2], for: key(1), began: clock.time)
        #expect(try store.read(key(1)) == [2])
    }

    // MARK: Purges

    @Test func `a purge hides the values of a label in all processes`() throws {
        let (one, other) = (store(), store())
        try one.write([1], for: key(1, "source-a", "content"), began: clock.time)
        try one.write([2], for: key(2, "source-b"), began: clock.time)
        try one.purge(["source-a"])
        for store in [one, other, self.store()] {
            #expect(try store.read(key(1, "source-a", "content")) == nil)
            #expect(try store.read(key(2, "source-b")) == [2])
        }
    }

    @Test func `a purge hides a value by the labels of its request and of its first request`() throws {
        let (first, second) = (key(1, "source-a", "content"), key(1, "source-b", "content"))
        for label in ["source-a", "source-b", "content"] {
            let store = store()
            try store.write([1], for: first, began: clock.time)
            #expect(try store.read(second) == [1])
            try store.purge([label])
            #expect(try store.read(second) == nil, "\(label)")
            clock.advance(by: 100)
        }
    }

    @Test func `a value whose sources were read before a purge is not stored`() throws {
        let (store, key) = (store(), key(1, "source-a"))
        let before = clock.time
        try store.write([1], for: self.key(2), began: before)
        clock.advance(by: 10)
        try store.purge(["source-a"])
        try store.write([1], for: key, began: before)
        #expect(folder.entries.count == 1)
        clock.advance(by: 10)
        try store.write([2], for: key, began: clock.time)
        #expect(try store.read(key) == [2])
    }

    @Test func `maintenance removes the files of purged values`() throws {
        let store = store()
        for number in 0..<10 { try store.write([1], for: key(number, "source-\(number % 2)"), began: clock.time) }
        try store.purge(["source-1"])
        #expect(folder.entries.count == 10)
        store.maintain()
        #expect(folder.entries.count == 5)
    }

    @Test(arguments: ["removed", "truncated", "foreign", "link"])
    func `a store hides all older values if its purges are lost`(kind: String) throws {
        let store = store()
        try store.write([1], for: key(1), began: clock.time)
        clock.advance(by: 10)
        let path = folder.path + "/results-1/purges"
        switch kind {
        case "removed": #expect(unlink(path) == 0)
        case "truncated": #expect(truncate(path, 100) == 0)
        case "foreign": try folder.write([UInt8](repeating: 0xFF, count: folder.bytes(of: path).count), to: path)
        default: #expect(rename(path, path + "-old") == 0 && symlink(path + "-old", path) == 0)
        }
        #expect(try store.read(key(1)) == nil)
        try store.write([2], for: key(1), began: clock.time)
        #expect(try store.read(key(1)) == [2])
    }
}
