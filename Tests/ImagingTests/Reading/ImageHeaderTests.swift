import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct ImageHeaderTests {
    @Test func `a JPEG that declares a huge size is rejected before memory is reserved`() throws {
        var bytes = try OddJPEG(.ycbcr).encode(PixelSize(width: 8, height: 8)) { _, _, _ in 0 }
        let frame = try #require(JPEGSegments.segments(bytes).first { bytes[$0.lowerBound + 1] == 0xC0 })
        bytes.replaceSubrange(frame.lowerBound + 5..<frame.lowerBound + 9, with: [0xFD, 0xE8, 0xFD, 0xE8])
        let header = try ImageHeader.read(bytes)
        #expect(header.size == PixelSize(width: 65000, height: 65000))
        #expect(header.decodedBytes(atScale: .full) >= 3 * 65000 * 65000)
        #expect(throws: CodecError.tooLarge(header.size, limit: .pixels(50_000_000))) {
            try ImageDecoder.decode(bytes, header: header, scale: DecodeScale(eighths: 1))
        }
        #expect(throws: CodecError.tooLarge(header.size, limit: .side(1000))) {
            try ImageDecoder.decodeLuma(bytes, header: header, limits: DecodeLimits(maxSide: 1000))
        }
    }

    @Test func `a PNG that declares a huge size is rejected before memory is reserved`() throws {
        var bytes = OddPNG(.rgba, depth: 16, isInterlaced: true).encode(PixelSize(width: 1, height: 1)) { _, _, _ in 0 }
        let size: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]
        let rest = Array(bytes[24..<29])
        bytes.replaceSubrange(8..<33, with: OddPNG.chunk("IHDR", size + rest))
        // libpng may reject the file first; in both cases nothing is decoded.
        let error = #expect(throws: CodecError.self) {
            let header = try ImageHeader.read(bytes)
            #expect(header.decodedBytes(atScale: .full) == .max)
            _ = try ImageDecoder.decode(bytes, header: header)
        }
        #expect(error != nil)
    }

    @Test func `a limit in bytes includes the library's memory`() throws {
        let size = PixelSize(width: 320, height: 240)
        let baseline = try ImageHeader.read(try OddJPEG(.ycbcr).encode(size) { _, _, _ in 50 })
        let bytes = try OddJPEG(.ycbcr, isProgressive: true).encode(size) { _, _, _ in 50 }
        let progressive = try ImageHeader.read(bytes)
        // At every scale, each coefficient has two bytes and one bit.
        let coefficients = 3 * size.area * 17 / 8
        for scale in [DecodeScale.full, DecodeScale(eighths: 1)] {
            let more = progressive.decodedBytes(atScale: scale) - baseline.decodedBytes(atScale: scale)
            #expect(more == coefficients)
        }
        #expect(baseline.decodedBytes(atScale: .full) == 3 * size.area)
        let limits = DecodeLimits(maxBytes: coefficients)
        #expect(throws: CodecError.tooLarge(size, limit: .bytes(coefficients))) {
            try ImageDecoder.decode(bytes, header: progressive, limits: limits)
        }
    }

    @Test func `each error describes its cause in a sentence`() {
        let size = PixelSize(width: 90000, height: 10)
        let foreign = CodecError.unsupportedFormat(named: "SVG")
        #expect("\(foreign)" == "SVG images are not supported; send \(InputFormat.choices).")
        #expect("\(CodecError.truncated(.png))" == "The PNG image is incomplete: the data end too early.")
        let side = CodecError.tooLarge(size, limit: .side(65535))
        #expect("\(side)" == "The image of 90000 × 10 pixels is too large: at most 65535 pixels per side are allowed.")
    }
}
