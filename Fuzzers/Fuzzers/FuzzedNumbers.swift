/// Decodes an input into numbers.
///
/// The length of one number does not affect the other numbers.
struct FuzzedNumbers {
    private var rest: ArraySlice<UInt8>

    init(_ input: UnsafeBufferPointer<UInt8>) { rest = Array(input)[...] }

    /// Returns the next byte; 0 after the last byte.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Returns a number of any size.
    ///
    /// Its first byte determines the number of further bytes, and whether they are an offset from a limit of the range.
    mutating func number() -> Int {
        let kind = byte()
        var value: UInt64 = 0
        for _ in 0..<(kind & 7) + 1 { value = value << 8 | UInt64(byte()) }
        let number = Int(truncatingIfNeeded: value)
        switch kind >> 3 & 7 {
        case 0: return Int.max &- number
        case 1: return Int.min &+ number
        case 2: return 1_700_000_000 &+ number
        case 3: return (1 << 31) &- number
        case 4: return 253_402_300_799 &- number
        default: return number
        }
    }

    /// Returns a text; the next byte is its maximum number of bytes.
    mutating func text() -> String {
        let count = Int(byte())
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }
}
