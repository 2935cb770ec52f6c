import Decompression
import Testing

@Suite struct CompressedFormatTests {
    /// `url=x` in a format.
    struct Sample: Sendable {
        let format: CompressedFormat
        let bytes: [UInt8]
    }

    private static let text = Array("url=x".utf8)
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 45, 202, 177, 173, 0, 0, 65, 115, 221, 67, 5, 0, 0, 0,
    ]
    private static let zstandard: [UInt8] = [
        40, 181, 47, 253, 36, 5, 41, 0, 0, 117, 114, 108, 61, 120, 53, 60, 189, 240,
    ]
    private static let samples = [
        Sample(format: .gzip, bytes: gzip),
        Sample(format: .deflate, bytes: [120, 156, 43, 45, 202, 177, 173, 0, 0, 6, 76, 2, 9]),
        Sample(format: .deflate, bytes: [43, 45, 202, 177, 173, 0, 0]),
        Sample(format: .brotli, bytes: [33, 16, 0, 4, 117, 114, 108, 61, 120, 3]),
        Sample(format: .zstandard, bytes: zstandard),
    ]

    /// The decoded bytes and the length of the stream; nil if it is not whole.
    private func decoded(_ format: CompressedFormat, _ bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        var output: [UInt8] = []
        let end = format.decode(bytes, restart: { output = [] }) { piece in
            output += piece
            return true
        }
        return end.map { (output, $0) }
    }

    @Test(arguments: samples) func `a stream is decoded to its end`(sample: Sample) {
        #expect(decoded(sample.format, sample.bytes)?.bytes == Self.text)
        let more = decoded(sample.format, sample.bytes + [0, 1, 2])
        #expect(more?.bytes == Self.text && more?.end == sample.bytes.count)
    }

    @Test(arguments: samples) func `no part of a stream is whole`(sample: Sample) {
        for length in 0..<sample.bytes.count {
            #expect(decoded(sample.format, Array(sample.bytes.prefix(length))) == nil, "\(length)")
        }
    }

    @Test(arguments: samples) func `decoding ends when its output is refused`(sample: Sample) {
        var calls = 0
        let end = sample.format.decode(sample.bytes, restart: { calls += 100 }) { piece in
            calls += piece.isEmpty ? 0 : 1
            return piece.isEmpty
        }
        #expect(end == nil && calls == 1)
    }

    @Test func `members of gzip and frames of Zstandard follow each other`() {
        for (format, bytes) in [(CompressedFormat.gzip, Self.gzip), (.zstandard, Self.zstandard)] {
            let two = decoded(format, bytes + bytes)
            #expect(two?.bytes == Self.text + Self.text && two?.end == 2 * bytes.count)
            #expect(decoded(format, bytes + bytes.dropLast()) == nil)
        }
    }

    @Test func `raw deflate that begins like zlib is decoded anew`() {
        // A stored block of 0x8801 bytes, whose first two bytes are those of zlib's header: 0x78 and 0x01.
        let content = (0..<0x8801).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let header: [UInt8] = [0x78, 0x01, 0x88, 0xFE, 0x77]
        #expect(decoded(.deflate, header + content + [1, 0, 0, 0xFF, 0xFF])?.bytes == content)
    }

    @Test func `a window above that of the content coding is refused`() {
        // A frame with a window of 16 MiB and one raw block, the last one.
        let wide: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 14 << 3, 0x09, 0, 0, 0x41]
        #expect(decoded(.zstandard, wide) == nil)
        var narrow = wide
        narrow[5] = 13 << 3
        #expect(decoded(.zstandard, narrow)?.bytes == [0x41])
    }

    @Test func `two formats are recognised by their first bytes`() {
        #expect(CompressedFormat(beginningOf: Self.gzip) == .gzip)
        #expect(CompressedFormat(beginningOf: Self.zstandard[...]) == .zstandard)
        for bytes in [[], [0x1F, 0x8B], [0x78, 0x9C, 8], Self.zstandard.prefix(3)] as [ArraySlice<UInt8>] {
            #expect(CompressedFormat(beginningOf: bytes) == nil)
        }
    }
}
