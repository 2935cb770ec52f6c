/// Reads bytes sequentially.
final class WireReader {
    private let all: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { all = bytes }

    /// Whether all bytes were read.
    var isAtEnd: Bool { position == all.count }

    /// The next bytes.
    func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count <= all.count - position else { throw WireDecoder.Malformed() }
        defer { position += count }
        return all[position..<position + count]
    }

    /// The next number.
    func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        try bytes(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Whether a mark comes next.
    func comes(_ mark: UInt16) -> Bool {
        position + 2 <= all.count && UInt16(all[position]) | UInt16(all[position + 1]) << 8 == mark
    }

    /// Skips a mark that ``comes(_:)`` has found.
    func skipMark() { position += 2 }

    /// Reads a required mark.
    func expect(_ mark: UInt16) throws {
        guard comes(mark) else { throw WireDecoder.Malformed() }
        skipMark()
    }

    /// The name of the next enumeration case; nil if there is none.
    func peekCase() -> String? {
        guard comes(WireMark.enumerationCase) else { return nil }
        let start = position
        defer { position = start }
        skipMark()
        return try? String(from: self)
    }
}
