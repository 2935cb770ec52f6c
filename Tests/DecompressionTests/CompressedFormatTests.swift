import Decompression
import Testing

@Suite struct CompressedFormatTests {
    /// The text `url=x` in a format.
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

    /// Collects decoded bytes.
    private final class Output: DecodedOutput {
        var bytes: [UInt8] = []
        var decoderBytes = 0
        var removals = 0
        /// The number of calls with decoded bytes.
        var calls = 0
        var acceptsBytes = true
        var hasMemory = true

        func removeAll() {
            bytes = []
            removals += 1
        }

        func reserve(decoderBytes: Int) -> Bool {
            self.decoderBytes = decoderBytes
            return hasMemory
        }

        func append(_ piece: UnsafeRawBufferPointer) -> Bool {
            bytes += piece
            calls += piece.isEmpty ? 0 : 1
            return acceptsBytes || piece.isEmpty
        }
    }

    /// The decoded bytes and the length of the stream; nil if the stream is incomplete.
    private func decoded(_ format: CompressedFormat, _ bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        let output = Output()
        guard let end = try? format.decode(bytes, DecodingLimits(receivedBytes: bytes.count), into: output) else {
            return nil
        }
        return (output.bytes, end)
    }

    /// The reason why a stream is not decoded; nil if it is decoded.
    private func failure(_ format: CompressedFormat, _ bytes: [UInt8], isInner: Bool = false) -> DecodingError? {
        do throws(DecodingError) {
            let limits = DecodingLimits(receivedBytes: bytes.count, isInner: isInner)
            _ = try format.decode(bytes, limits, into: Output())
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: samples) func `a stream is decoded to its end`(sample: Sample) {
        #expect(decoded(sample.format, sample.bytes)?.bytes == Self.text)
        let more = decoded(sample.format, sample.bytes + [0, 1, 2])
        #expect(more?.bytes == Self.text && more?.end == sample.bytes.count)
    }

    @Test(arguments: samples) func `every prefix of a stream is incomplete`(sample: Sample) {
        for length in 0..<sample.bytes.count {
            #expect(decoded(sample.format, Array(sample.bytes.prefix(length))) == nil, "\(length)")
        }
    }

    @Test(arguments: samples) func `decoding stops if its output is rejected`(sample: Sample) {
        let output = Output()
        output.acceptsBytes = false
        #expect(throws: DecodingError.stopped) {
            try sample.format.decode(sample.bytes, DecodingLimits(receivedBytes: 100), into: output)
        }
        #expect(output.calls == 1 && output.removals == 0)
    }

    @Test(arguments: samples) func `decoding does not start without memory for the decoder`(sample: Sample) {
        let output = Output()
        output.hasMemory = false
        #expect(throws: DecodingError.noMemory) {
            try sample.format.decode(sample.bytes, DecodingLimits(receivedBytes: 100), into: output)
        }
        #expect(output.calls == 0)
    }

    /// Streams of 4 MiB of zeros and more.
    private static let bombs = [
        Sample(format: .brotli, bytes: brotliZeros),
        Sample(format: .zstandard, bytes: zstandardZeros),
        Sample(format: .gzip, bytes: gzipZeros),
        Sample(format: .deflate, bytes: Array(gzipZeros.dropFirst(10))),
    ]
    private static let brotliZeros: [UInt8] = [155, 255, 255, 63, 248, 39, 0, 226, 177, 64, 32, 247, 254, 7]
    /// One frame whose blocks repeat a byte 128 KiB times.
    private static let zstandardZeros: [UInt8] =
        [0x28, 0xB5, 0x2F, 0xFD, 0x00, 13 << 3]
        + Array(repeating: [0x02, 0x00, 0x10, 0x00], count: 160).flatMap(\.self)
        + [0x03, 0x00, 0x10, 0x00]
    /// One block in which each byte represents four copies of 258 zeros.
    private static let gzipZeros: [UInt8] =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 6, 127, 160]
        + Array(repeating: 0, count: 4000)

    @Test(arguments: bombs) func `a small stream that decodes to many bytes is stopped`(sample: Sample) {
        let maximum = DecodingLimits(receivedBytes: sample.bytes.count).maxBytes
        #expect(maximum == max(DecodingLimits.freeBytes, 64 * sample.bytes.count))
        #expect(failure(sample.format, sample.bytes) == .tooManyBytes(limit: maximum))
        let minimum = DecodingLimits(receivedBytes: sample.bytes.count, isInner: true).maxBytes
        #expect(failure(sample.format, sample.bytes, isInner: true) == .tooManyBytes(limit: minimum))
    }

    @Test func `the numbers of members and frames are limited`() {
        for (format, bytes) in [(CompressedFormat.gzip, Self.gzip), (.zstandard, Self.zstandard)] {
            let maximum = Array(repeating: bytes, count: DecodingLimits.maxFrames).flatMap(\.self)
            #expect(decoded(format, maximum)?.bytes.count == DecodingLimits.maxFrames * Self.text.count)
            #expect(failure(format, maximum + bytes) == .tooManyFrames)
        }
    }

    @Test(
        arguments: [
            // Windows of 64 KiB, 1 KiB, 4 MiB and 16 MiB (RFC 7932 §9.1).
            ([0x00], 1 << 16), ([0x21], 1 << 10), ([0x0B], 1 << 22), ([0x0F], 1 << 24),
        ] as [([UInt8], Int)]
    )
    func `the first bits of a Brotli stream determine the memory of its window`(bytes: [UInt8], window: Int) {
        let output = Output()
        _ = try? CompressedFormat.brotli.decode(bytes, DecodingLimits(receivedBytes: 1 << 20), into: output)
        #expect(output.decoderBytes == window + 256 << 10)
    }

    @Test func `the largest frame determines the memory of a Zstandard window`() {
        // Frames with windows of 1 KiB and 4.5 MiB, each with one raw block.
        let frames = [0, 12 << 3 | 1].map { [0x28, 0xB5, 0x2F, 0xFD, 0x00, $0, 0x09, 0, 0, 0x41] as [UInt8] }
        for stream in [frames[0] + frames[1], frames[1] + frames[0]] {
            let output = Output()
            _ = try? CompressedFormat.zstandard.decode(stream, DecodingLimits(receivedBytes: 1 << 20), into: output)
            #expect(output.bytes == [0x41, 0x41])
            #expect(output.decoderBytes == 9 << 19 + 256 << 10)
        }
    }

    @Test func `gzip members and Zstandard frames can be concatenated`() {
        for (format, bytes) in [(CompressedFormat.gzip, Self.gzip), (.zstandard, Self.zstandard)] {
            let two = decoded(format, bytes + bytes)
            #expect(two?.bytes == Self.text + Self.text && two?.end == 2 * bytes.count)
            #expect(decoded(format, bytes + bytes.dropLast()) == nil)
        }
    }

    @Test func `raw deflate that starts like zlib is decoded again as raw deflate`() {
        // A stored block of 0x8801 bytes; its first two bytes equal a zlib header: 0x78 and 0x01.
        let content = (0..<0x8801).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let header: [UInt8] = [0x78, 0x01, 0x88, 0xFE, 0x77]
        #expect(decoded(.deflate, header + content + [1, 0, 0, 0xFF, 0xFF])?.bytes == content)
    }

    @Test func `a window above the limit of the content coding is rejected`() {
        // A frame with a window of 16 MiB and one raw block, which is the last one.
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
