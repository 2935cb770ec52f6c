import CImageCodec
import Geometry
import Imaging
import TestPacing
import TestPictures
import Testing

@Suite(.limitedConcurrency) struct PNGDecoderTests {
    private static let kinds = OddPNG.ColorType.allCases.flatMap { type in type.depths.map { (type, $0) } }
    private static let palette: [[UInt8]] = (0..<256).map { index in
        [UInt8(index), UInt8(255 - index), UInt8(index * 7 & 0xFF)]
    }
    private static let paletteBytes: [UInt8] = palette.flatMap { $0 }

    @Test(arguments: kinds, [false, true])
    func `every colour type and depth is read, interlaced or not`(
        kind: (type: OddPNG.ColorType, depth: Int),
        isInterlaced: Bool
    ) throws {
        let most = 1 << kind.depth - 1
        func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int { (x * 3 + y * 5 + channel * 11) * 37 % (most + 1) }
        for size in [PixelSize(width: 1, height: 1), PixelSize(width: 13, height: 11), PixelSize(width: 40, height: 3)]
        {
            let chunks = kind.type == .palette ? [("PLTE", Array(Self.paletteBytes.prefix(3 << kind.depth)))] : []
            let png = OddPNG(kind.type, depth: kind.depth, isInterlaced: isInterlaced, chunks: chunks)
            let bytes = png.encode(size, sample: sample)
            let header = try ImageHeader.read(bytes)
            #expect(header.size == size && header.bitDepth == kind.depth && header.isProgressive == isInterlaced)
            #expect(header.hasAlpha == (kind.type == .rgba || kind.type == .grayAlpha))
            let image = try ImageDecoder.decode(bytes, header: header)
            #expect(image.colorModel == header.colorModel)
            #expect(image.colorModel == (kind.type == .gray || kind.type == .grayAlpha ? .gray : .rgb))
            let planes = image.planes + (image.alpha.map { [$0] } ?? [])
            for (channel, plane) in planes.enumerated() {
                let expected = try Plane(size) { x, y in
                    if kind.type == .palette {
                        return Self.palette[sample(x, y, 0)][channel]
                    }
                    return UInt8((Double(sample(x, y, channel)) * 255 / Double(most)).rounded())
                }
                #expect(ImageDifference(plane, expected).maximum == 0)
            }
        }
    }

    @Test func `transparent colours become alpha`() throws {
        let size = PixelSize(width: 4, height: 1)
        let gray = OddPNG(.gray, depth: 4, chunks: [("tRNS", [0, 2])]).encode(size) { x, _, _ in x }
        let rgb = OddPNG(.rgb, chunks: [("tRNS", [0, 2, 0, 2, 0, 2])]).encode(size) { x, _, _ in x }
        let deep = OddPNG(.gray, depth: 16, chunks: [("tRNS", [0, 2])]).encode(size) { x, _, _ in x }
        for bytes in [gray, rgb, deep] {
            let header = try ImageHeader.read(bytes)
            #expect(header.hasAlpha)
            let alpha = try #require(try ImageDecoder.decode(bytes, header: header).alpha)
            #expect((0..<4).map { alpha[x: $0, y: 0] } == [255, 255, 0, 255])
        }
        let chunks = [("PLTE", Array(Self.paletteBytes.prefix(12))), ("tRNS", [10, 20] as [UInt8])]
        let palette = OddPNG(.palette, depth: 2, chunks: chunks).encode(size) { x, _, _ in x }
        let alpha = try #require(try ImageDecoder.decode(palette, header: try ImageHeader.read(palette)).alpha)
        #expect((0..<4).map { alpha[x: $0, y: 0] } == [10, 20, 255, 255])
    }

    @Test func `alpha that is opaque everywhere is dropped`() throws {
        let bytes = OddPNG(.rgba).encode(PixelSize(width: 5, height: 5)) { _, _, channel in channel == 3 ? 255 : 9 }
        let header = try ImageHeader.read(bytes)
        #expect(header.hasAlpha)
        #expect(try ImageDecoder.decode(bytes, header: header).alpha == nil)
    }

    @Test func `luma sees transparent pixels over white`() throws {
        let bytes = OddPNG(.rgba).encode(PixelSize(width: 2, height: 1)) { x, _, channel in channel == 3 ? x * 128 : 0 }
        let luma = try ImageDecoder.decodeLuma(bytes, header: try ImageHeader.read(bytes))
        #expect(luma[x: 0, y: 0] == 255 && luma[x: 1, y: 0] == 127)
    }

    @Test func `a scale requested of a PNG changes nothing`() throws {
        let bytes = OddPNG(.gray).encode(PixelSize(width: 9, height: 7)) { _, _, _ in 1 }
        let header = try ImageHeader.read(bytes)
        let scale = DecodeScale(eighths: 2)
        #expect(try ImageDecoder.decode(bytes, header: header, scale: scale).size == header.size(atScale: scale))
    }

    @Test func `a cut or damaged PNG is an error`() throws {
        let size = PixelSize(width: 30, height: 30)
        let bytes = OddPNG(.rgb).encode(size) { x, y, channel in (x * y + channel) & 0xFF }
        let header = try ImageHeader.read(bytes)
        var limits = DecodeLimits()
        limits.servesDamaged = false
        #expect(throws: CodecError.truncated(.png)) {
            try ImageDecoder.decode(Array(bytes.prefix(bytes.count - 200)), header: header, limits: limits)
        }
        var damaged = bytes
        damaged[43] ^= 0xFF
        #expect(throws: CodecError.self) { try ImageDecoder.decode(damaged, header: header) }
    }

    @Test func `a text chunk that unpacks to much is never unpacked`() throws {
        let bomb = Array("Comment\0\0".utf8) + OddPNG.zlib(Array(repeating: 65, count: 10_000_000))
        let bytes = OddPNG(.gray, chunks: [("zTXt", bomb)]).encode(PixelSize(width: 3, height: 3)) { _, _, _ in 5 }
        #expect(try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes)).planes[0][x: 1, y: 1] == 5)
    }

    @Test(arguments: [(64, true), (512, true), (513, false), (4096, false)])
    func `a colour profile is unpacked up to the limit of a chunk and not beyond`(kilobytes: Int, isRead: Bool) throws {
        let count = kilobytes << 10
        var profile = TestProfile.bytes(space: "GRAY")
        profile += [UInt8](repeating: 0, count: count - profile.count)
        profile.replaceSubrange(0..<4, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) })
        let chunk = Array("Grey\0\0".utf8) + OddPNG.zlib(profile)
        let file = OddPNG(.gray, chunks: [("iCCP", chunk)]).encode(PixelSize(width: 3, height: 3)) { _, _, _ in 5 }
        var decoder: OpaquePointer?
        var info = hr_png_info()
        var error = hr_error()
        let limits = hr_png_limits(
            max_side: 100,
            max_chunk_memory: 512 << 10,
            ignores_checksums: false,
            whole: false
        )
        file.withUnsafeBufferPointer { bytes in
            #expect(hr_png_open(bytes.baseAddress!, bytes.count, limits, &decoder, &info, &error) == HR_OK)
            #expect(info.icc_count == (isRead ? count : 0))
            hr_png_close(decoder)
        }
    }
}
