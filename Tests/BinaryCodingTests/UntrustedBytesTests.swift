import BinaryCoding
import Testing

/// Decoding of bytes that the encoder did not write.
@Suite struct UntrustedBytesTests {
    private struct Record: Codable, Hashable {
        var name: String
        var numbers: [UInt16]
        var kind: Kind
        var last: Int8?
    }

    private enum Kind: Codable, Hashable {
        case plain
        case named(String)
    }

    private let record = Record(name: "abc", numbers: [1, 2], kind: .named("d"), last: 3)

    private func decoded(_ bytes: [UInt8]) throws -> Record { try BinaryCoder.value(Record.self, from: bytes) }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try BinaryCoder.value(type, from: bytes)
    }

    @Test func `every prefix is rejected, except if it lacks only an optional last member`() throws {
        let bytes = try BinaryCoder.bytes(of: record)
        let withoutLast = bytes.count - 3
        for count in 0..<bytes.count where count != withoutLast {
            #expect(throws: (any Error).self, "\(count) bytes") { try decoded(Array(bytes.prefix(count))) }
        }
        #expect(try decoded(Array(bytes.prefix(withoutLast))).last == nil)
    }

    @Test func `bytes after the value are rejected`() throws {
        let bytes = try BinaryCoder.bytes(of: record)
        #expect(try decoded(bytes) == record)
        for more in [[0], [0xFF, 0xFF], bytes] {
            #expect(throws: (any Error).self) { try decoded(bytes + more) }
        }
    }

    @Test func `a changed bit yields an error or another value, but no crash`() throws {
        let bytes = try BinaryCoder.bytes(of: record)
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << bit
                let value = try? decoded(changed)
                #expect(value != record, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test func `members with a different type are rejected`() throws {
        struct Other: Codable {
            var title: String
            var numbers: [UInt16]
            var kind: Kind
        }
        struct Swapped: Codable {
            var numbers: [UInt16]
            var name: String
            var kind: Kind
        }
        let bytes = try BinaryCoder.bytes(of: record)
        #expect(throws: (any Error).self) { try decoded(Other.self, bytes) }
        #expect(throws: (any Error).self) { try decoded(Swapped.self, bytes) }
        #expect(throws: (any Error).self) { try decoded([Record].self, bytes) }
    }

    @Test func `an unknown case name is rejected`() throws {
        enum More: Codable {
            case named(String)
            case unknown(String)
        }
        #expect(throws: (any Error).self) {
            try decoded(Kind.self, try BinaryCoder.bytes(of: More.unknown("d")))
        }
        #expect(try decoded(Kind.self, try BinaryCoder.bytes(of: More.named("d"))) == .named("d"))
    }

    @Test func `an invalid raw value is rejected`() throws {
        enum Word: String, Codable { case one }
        #expect(throws: (any Error).self) { try decoded(Word.self, try BinaryCoder.bytes(of: "two")) }
    }

    @Test(arguments: [0x7F, 0xFF] as [UInt8])
    func `no memory is reserved for a declared number of missing elements`(highest: UInt8) {
        // 2 or 4 billion elements, or bytes of text.
        let count: [UInt8] = [0xFF, 0xFF, 0xFF, highest]
        #expect(throws: (any Error).self) { try decoded([UInt64].self, count) }
        #expect(throws: (any Error).self) { try decoded([UInt64].self, count + [0xFF, 0xFF, 1]) }
        #expect(throws: (any Error).self) { try decoded(String.self, [0xFC, 0xFF] + count + [0x61]) }
    }

    @Test func `text that is not UTF-8 is replaced`() throws {
        var bytes = try BinaryCoder.bytes(of: "abc")
        bytes[bytes.count - 1] = 0xFF
        #expect(try decoded(String.self, bytes) == "ab\u{FFFD}")
    }
}
