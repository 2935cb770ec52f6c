import Caching
import Testing

/// The file format of a result store.
struct StoredEntryTests {
    private let key = StoredKey("headroom:1:result:ab/cd", labels: ["source-0123456789abcdef", "ab"])
    private let entry: StoredEntry
    private let bytes: [UInt8]

    init() throws {
        entry = StoredEntry((0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }, for: key, began: 1000, end: 5000)
        bytes = try #require(entry.encoded)
    }

    @Test func `an entry can be decoded with its own key`() throws {
        #expect(StoredEntry(bytes, for: key) == entry)
        // The labels of the request may differ from the labels of the entry.
        let other = try #require(StoredEntry(bytes, for: StoredKey(key.text, labels: [])))
        #expect(other.key.labels == key.labels && other.value == entry.value)
    }

    @Test func `every truncation and every changed byte is detected`() {
        for count in 0..<bytes.count { #expect(StoredEntry(Array(bytes[..<count]), for: key) == nil, "\(count)") }
        for index in bytes.indices {
            for change in [UInt8(1), 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] ^= change
                #expect(StoredEntry(damaged, for: key) == nil, "\(index)")
            }
            // A lost block of a file consists of zeros.
            var lost = bytes
            for later in index..<lost.count { lost[later] = 0 }
            #expect(StoredEntry(lost, for: key) == nil, "\(index)")
        }
    }

    @Test func `longer, foreign and moved entries are detected`() {
        #expect(StoredEntry(bytes + [0], for: key) == nil)
        #expect(StoredEntry(bytes + bytes, for: key) == nil)
        #expect(StoredEntry([UInt8](repeating: 0xFF, count: 1000), for: key) == nil)
        #expect(StoredEntry(bytes, for: StoredKey("headroom:1:result:ab/ce", labels: key.labels)) == nil)
    }

    @Test func `extreme lengths are rejected without a trap`() {
        // The lengths of key, labels and value follow the mark, the digest and two times.
        for (offset, count) in [(52, 4), (56, 4), (60, 8), (36, 8), (44, 8)] {
            for byte in [UInt8(0xFF), 0x7F] {
                var changed = bytes
                for index in offset..<offset + count { changed[index] = 0xFF }
                changed[offset + count - 1] = byte
                #expect(StoredEntry(changed, for: key) == nil)
                #expect(StoredEntry.Head(changed)?.key.text == nil, "\(offset)")
            }
        }
    }

    @Test func `a key that is too long is not encoded`() {
        let long = StoredKey(String(repeating: "k", count: StoredEntry.maxKeyBytes), labels: ["l"])
        #expect(StoredEntry([1], for: long, began: 0, end: 1).encoded == nil)
        let longest = StoredKey(String(repeating: "k", count: StoredEntry.maxKeyBytes - 1), labels: ["l"])
        let bytes = StoredEntry([1], for: longest, began: 0, end: 1).encoded ?? []
        #expect(StoredEntry(bytes, for: longest)?.value == [1])
    }

    @Test(arguments: [
        (0, 100, 50, true), (0, 100, 99, true), (0, 100, 100, false), (0, 100, 500, false),
        // The clock of the writer may differ by a minute, but not by more.
        (110, 200, 50, true), (111, 200, 50, false),
        (0, StoredEntry.maxLifetime + 60, 0, true), (0, StoredEntry.maxLifetime + 61, 0, false),
    ])
    func `an entry is served until it expires, if its times are plausible`(
        began: Int,
        end: Int,
        now: Int,
        isCurrent: Bool
    ) {
        #expect(StoredEntry([], for: key, began: began, end: end).isCurrent(at: now) == isCurrent)
    }
}
