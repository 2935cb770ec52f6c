#if AVIF
/// The fields of a sequence header that a configuration also contains (AV1 specification, 5.5; AV1-ISOBMFF, 2.3).
struct AV1SequenceHeader {
    private var profile = 0
    private var level = 0
    private var tier = 0
    private var hasHighDepth = false
    private var hasTwelveBits = false
    private var isMonochrome = false
    private var sharesAcross = true
    private var sharesDown = true
    private var samplePosition = 0

    /// Finds the sequence header among the first units of a coded image; nil if it is missing or incomplete.
    init?(_ data: ArraySlice<UInt8>) {
        guard let unit = Self.unit(data) else { return nil }
        var bits = Bits(bytes: unit)
        read(&bits)
        guard !bits.isOver else { return nil }
    }

    /// The content of `av1C`.
    var configuration: [UInt8] {
        var flags = UInt8(tier << 7 | samplePosition)
        if hasHighDepth { flags |= 0x40 }
        if hasTwelveBits { flags |= 0x20 }
        if isMonochrome { flags |= 0x10 }
        if sharesAcross { flags |= 0x08 }
        if sharesDown { flags |= 0x04 }
        return [0x81, UInt8(profile << 5 | level), flags, 0]
    }

    /// The maximum number of units before the sequence header, such as a temporal delimiter and metadata.
    private static let maxUnits = 8

    private static func unit(_ data: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = data
        for _ in 0..<maxUnits {
            guard let head = rest.popFirst() else { return nil }
            let (type, isExtended, hasSize) = (head >> 3 & 15, head & 4 != 0, head & 2 != 0)
            if isExtended, rest.popFirst() == nil { return nil }
            var size = rest.count
            if hasSize {
                guard let stated = number(&rest), stated <= rest.count else { return nil }
                size = stated
            }
            if type == 1 { return rest.prefix(size) }
            rest = rest.dropFirst(size)
        }
        return nil
    }

    /// Reads a number of at most 32 bits with seven bits in each byte (4.10.5).
    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var value = 0
        for index in 0..<5 {
            guard let byte = rest.popFirst() else { return nil }
            value |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    private mutating func read(_ bits: inout Bits) {
        profile = bits.next(3)
        bits.skip(1)
        let isReduced = bits.flag
        if isReduced {
            level = bits.next(5)
        } else {
            readOperatingPoints(&bits)
        }
        let (width, height) = (bits.next(4) + 1, bits.next(4) + 1)
        bits.skip(width + height)
        if !isReduced, bits.flag { bits.skip(7) }
        // Large blocks, two kinds of intra prediction.
        bits.skip(3)
        if !isReduced { skipTools(&bits) }
        // Super resolution, directional filter, restoration.
        bits.skip(3)
        readColors(&bits)
    }

    private mutating func readOperatingPoints(_ bits: inout Bits) {
        var delayBits = 0
        if bits.flag {
            bits.skip(64)
            if bits.flag { bits.skipVariable() }
            if bits.flag {
                delayBits = bits.next(5) + 1
                bits.skip(42)
            }
        }
        let hasDelay = bits.flag
        for index in 0...bits.next(5) {
            bits.skip(12)
            let level = bits.next(5)
            let tier = level > 7 ? bits.next(1) : 0
            if index == 0 { (self.level, self.tier) = (level, tier) }
            if delayBits > 0, bits.flag { bits.skip(2 * delayBits + 1) }
            if hasDelay, bits.flag { bits.skip(4) }
        }
    }

    private func skipTools(_ bits: inout Bits) {
        bits.skip(4)
        let hasOrder = bits.flag
        if hasOrder { bits.skip(2) }
        // 1: each image selects its tools.
        let usesScreenTools = bits.flag || bits.flag
        if usesScreenTools, !bits.flag { bits.skip(1) }
        if hasOrder { bits.skip(3) }
    }

    private mutating func readColors(_ bits: inout Bits) {
        hasHighDepth = bits.flag
        hasTwelveBits = profile == 2 && hasHighDepth && bits.flag
        isMonochrome = profile != 1 && bits.flag
        let colors = bits.flag ? [bits.next(8), bits.next(8), bits.next(8)] : [2, 2, 2]
        if isMonochrome { return }
        if colors == [1, 13, 0] {
            (sharesAcross, sharesDown) = (false, false)
            return
        }
        bits.skip(1)
        switch profile {
        case 0: (sharesAcross, sharesDown) = (true, true)
        case 1: (sharesAcross, sharesDown) = (false, false)
        default:
            sharesAcross = !hasTwelveBits || bits.flag
            sharesDown = hasTwelveBits && sharesAcross && bits.flag
        }
        if sharesAcross, sharesDown { samplePosition = bits.next(2) }
    }
}

/// Reads bits, starting with the highest bit of the first byte; returns zeros after the last byte.
private struct Bits {
    let bytes: ArraySlice<UInt8>
    private var place = 0

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Whether more bits were read than the bytes contain.
    var isOver: Bool { place > 8 * bytes.count }

    var flag: Bool { mutating get { next(1) == 1 } }

    /// A number of at most 32 bits.
    mutating func next(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            let index = bytes.startIndex + place / 8
            let bit = index < bytes.endIndex ? bytes[index] >> (7 - place % 8) & 1 : 0
            value = value << 1 | Int(bit)
            place += 1
        }
        return value
    }

    mutating func skip(_ count: Int) { place += count }

    /// Skips a number whose bits are preceded by the same number of zeros (4.10.3).
    mutating func skipVariable() {
        var zeroes = 0
        while zeroes < 32, !isOver, next(1) == 0 { zeroes += 1 }
        skip(zeroes < 32 ? zeroes : 0)
    }
}
#endif
