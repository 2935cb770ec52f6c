import Caching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct SharedRecordTests {
    private let record = SharedRecord(head: Array("head".utf8), body: Array("the body".utf8))

    @Test func `a record is restored unchanged, but only under its own key`() {
        let bytes = record.framed(for: "key")
        #expect(SharedRecord(framed: bytes, for: "key") == record)
        #expect(SharedRecord(framed: bytes, for: "another") == nil)
        let empty = SharedRecord(head: [])
        #expect(SharedRecord(framed: empty.framed(for: ""), for: "") == empty)
    }

    @Test func `a record that is truncated or followed by more bytes is rejected`() {
        let bytes = record.framed(for: "key")
        for count in 0..<bytes.count { #expect(SharedRecord(framed: Array(bytes[..<count]), for: "key") == nil) }
        #expect(SharedRecord(framed: bytes + [0], for: "key") == nil)
    }

    @Test func `every changed byte is detected`() {
        let bytes = record.framed(for: "key")
        for index in bytes.indices {
            for bit in [UInt8(1), 0x80] {
                var changed = bytes
                changed[index] ^= bit
                #expect(SharedRecord(framed: changed, for: "key") == nil)
            }
        }
    }

    @Test func `lengths that exceed any memory are rejected`() {
        var bytes = record.framed(for: "key")
        for index in 4..<20 { bytes[index] = 0xFF }
        #expect(SharedRecord(framed: bytes, for: "key") == nil)
    }
}
