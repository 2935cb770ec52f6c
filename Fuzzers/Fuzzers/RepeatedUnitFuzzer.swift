import Imaging
import TestImages

extension Fuzzer {
    /// Small files of every format with a part that is repeated up to 256 KiB; the decoding time must grow linearly.
    ///
    /// The input selects a file, a part of the file, and bytes inside the part. The part starts at a chunk, a segment or any
    /// byte.
    static let repeatedUnits = Fuzzer(name: "repeated-units", maxLength: 64, seeds: { [Array(0...9)] }) { input in
        guard let sources = try? Self.sources.get(), !sources.isEmpty else { return }
        var numbers = FuzzedNumbers(input)
        let file = sources[(Int(numbers.byte()) << 8 | Int(numbers.byte())) % sources.count]
        let starts = Self.units(file)
        let isUnit = numbers.byte() % 4 > 0 && starts.count > 1
        let part: Range<Int>
        if isUnit {
            let index = Int(numbers.byte()) % (starts.count - 1)
            part = starts[index]..<starts[index + 1]
        } else {
            let start = Int(numbers.byte()) * file.count / 256
            part = start..<min(file.count, start + 1 + Int(numbers.byte()))
        }
        guard !part.isEmpty else { return }
        var unit = Array(file[part])
        for _ in 0..<numbers.byte() % 4 { unit[Int(numbers.byte()) % unit.count] = numbers.byte() }
        let count = min(Self.maxBytes / unit.count, 1 << (Int(numbers.byte()) % 18))
        var large = Array(file[..<part.upperBound])
        large += Array(repeatElement(unit, count: count).joined())
        large += file[part.upperBound...]
        let start = Work.now
        let digest = DecodedDigest(large, limits: .ofFuzzers, maxFrames: 50)
        // Each frame covers the whole canvas.
        Work.check(
            since: start,
            bytes: large.count,
            pixels: digest == nil ? 0 : 50 << 14,
            .ofDecoders,
            in: "repeated-units"
        )
    }

    private static let maxBytes = 256 << 10
    private static let sources = Result { try DamagedFile.sources().map(\.bytes) }

    /// Returns the offsets of the chunks of a PNG or WebP, of the segments of a JPEG, or of the boxes of a HEIF file; an empty
    /// list for GIF.
    private static func units(_ file: [UInt8]) -> [Int] {
        func number(_ offset: Int, _ count: Int, isLittle: Bool = false) -> Int {
            guard offset + count <= file.count else { return file.count }
            return (0..<count).reduce(0) { $0 << 8 | Int(file[offset + (isLittle ? count - 1 - $1 : $1)]) }
        }
        let (first, length): (Int, (Int) -> Int)
        switch OutputFormat.sniff(file) {
        case .png: (first, length) = (8, { number($0, 4) + 12 })
        case .webp:
            (first, length) = (12, { (number($0 + 4, 4, isLittle: true) + 9) / 2 * 2 })
        case .jpeg: (first, length) = (2, { number($0 + 2, 2) + 2 })
        case .gif: return []
        default: (first, length) = (0, { max(number($0, 4), 8) })
        }
        var starts: [Int] = []
        var offset = first
        while offset < file.count, starts.count < 1000 {
            starts.append(offset)
            offset += length(offset)
        }
        return starts
    }
}
