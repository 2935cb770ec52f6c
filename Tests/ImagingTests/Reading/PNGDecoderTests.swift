import CImageCodec
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct PNGDecoderTests {
    private static let kinds = OddPNG.ColorType.allCases.flatMap { type in type.depths.map { (type, $0) } }
    private static let palette: [[UInt8]] = (0..<256).map { index in
        [UInt8(index), UInt8(255 - index), UInt8(index * 7 & 0xFF)]
    }
    private static let paletteBytes: [UInt8] = palette.flatMap { $0 }

    /// A file that Xcode would make from a file with samples in this order.
    private static func optimized(_ file: [UInt8], parts: Int) throws -> [UInt8] {
        let kind = Array("IDAT".utf8)
        let start = try #require(file.firstRange(of: kind)).upperBound
        let stream = file[start..<file.count - 16]
        // Without the header and checksum of zlib.
        let raw = Array(stream.dropFirst(2).dropLast(4))
        let length = (raw.count + parts - 1) / parts
        let chunks = stride(from: 0, to: raw.count, by: length).flatMap { place in
            OddPNG.chunk("IDAT", Array(raw[place..<min(place + length, raw.count)]))
        }
        return file[..<8] + OddPNG.chunk("CgBI", [0x50, 0, 0x20, 2]) + file[8..<start - 8] + chunks
            + OddPNG.chunk("IEND", [])
    }

    @Test(arguments: [OddPNG.ColorType.rgb, .rgba, .gray, .grayAlpha], [(1, true), (3, true), (1, false), (3, false)])
    func `a PNG from Xcode has the right colours and alpha`(
        type: OddPNG.ColorType,
        variant: (parts: Int, servesDamaged: Bool)
    ) throws {
        let (parts, servesDamaged) = variant
        let size = PixelSize(width: 13, height: 11)
        func color(_ x: Int, _ y: Int, _ channel: Int) -> Int { (x * 3 + y * 5 + channel * 71) % 256 }
        func alpha(_ x: Int, _ y: Int) -> Int { [255, 128, 64, 0][(x + y) % 4] }
        let colors = type == .rgb || type == .rgba ? 3 : 1
        let hasAlpha = type == .rgba || type == .grayAlpha
        let file = OddPNG(type).encode(size) { x, y, channel in
            if channel == colors { return alpha(x, y) }
            let value = color(x, y, colors == 3 ? 2 - channel : 0)
            return hasAlpha ? (value * alpha(x, y) + 127) / 255 : value
        }
        let bytes = try Self.optimized(file, parts: parts)
        let header = try ImageHeader.read(bytes)
        #expect(header.size == size && header.hasAlpha == hasAlpha && header.animation == nil)
        var limits = DecodeLimits()
        limits.servesDamaged = servesDamaged
        let image = try ImageDecoder.decode(bytes, header: header, limits: limits)
        #expect(!image.isDamaged)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let opacity = hasAlpha ? alpha(x, y) : 255
                if hasAlpha { #expect(image.alpha.map { Int($0[x: x, y: y]) } == opacity) }
                // Premultiplied samples have fewer steps.
                let tolerance = opacity == 255 ? 0 : opacity == 128 ? 1 : 2
                guard opacity > 0 else { continue }
                for channel in 0..<colors {
                    #expect(abs(Int(image.planes[channel][x: x, y: y]) - color(x, y, channel)) <= tolerance)
                }
            }
        }
        for length in stride(from: 0, to: bytes.count, by: 17) {
            guard let header = try? ImageHeader.read(Array(bytes.prefix(length))) else { continue }
            _ = try? ImageDecoder.decode(Array(bytes.prefix(length)), header: header)
        }
    }

    @Test(arguments: kinds, [false, true])
    func `every colour type and depth is supported, with and without interlacing`(
        kind: (type: OddPNG.ColorType, depth: Int),
        isInterlaced: Bool
    ) throws {
        let maximum = 1 << kind.depth - 1
        func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int { (x * 3 + y * 5 + channel * 11) * 37 % (maximum + 1) }
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
            let planes = image.allPlanes
            for (channel, plane) in planes.enumerated() {
                let expected = try Plane(size) { x, y in
                    if kind.type == .palette {
                        return Self.palette[sample(x, y, 0)][channel]
                    }
                    return UInt8((Double(sample(x, y, channel)) * 255 / Double(maximum)).rounded())
                }
                #expect(ImageDifference(plane, expected).maximum == 0)
            }
        }
    }

    @Test(arguments: [OddPNG.ColorType.rgb, .rgba, .gray, .grayAlpha], [[0], [1], [2], [3], [4], [4, 1, 3, 0, 2]])
    func `rows with every filter are decoded, from one chunk or many`(type: OddPNG.ColorType, filters: [UInt8]) throws {
        // Steep edges next to uniform areas, so that each neighbour is the nearest neighbour of some pixel.
        func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int { (x / 3 * 71 + y / 2 * 113 + x * y * channel) & 0xFF }
        for size in [(1, 1), (1, 9), (2, 3), (5, 4), (31, 17), (64, 5)].map({ PixelSize(width: $0.0, height: $0.1) }) {
            for maximum in [Int.max, 1, 50] {
                var png = OddPNG(type)
                png.filters = filters
                png.maxBytesOfChunk = maximum
                let bytes = png.encode(size, sample: sample)
                let image = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
                #expect(!image.isDamaged)
                let planes = image.allPlanes
                for (channel, plane) in planes.enumerated() {
                    let expected = try Plane(size) { UInt8(sample($0, $1, channel)) }
                    #expect(ImageDifference(plane, expected).maximum == 0, "\(size), channel \(channel)")
                }
            }
        }
    }

    @Test(arguments: [(200, 200), (3000, 2000), (3000, 4000), (60_000, 60_000)])
    func `the memory of an image that is inflated at once includes its rows`(width: Int, height: Int) throws {
        let row = 1 + width * 3
        let small = OddPNG(.rgb).encode(PixelSize(width: 1, height: 1)) { _, _, _ in 9 }
        let sides = OddPNG.numbers([width, height])
        let header = try ImageHeader.read(small[..<8] + OddPNG.chunk("IHDR", sides + [8, 2, 0, 0, 0]) + small[33...])
        let planes = 3 * width * height
        // Up to 32 MiB of rows.
        let isWhole = row * height <= 32 << 20
        let needed = header.decodedBytes(atScale: .full)
        #expect(isWhole ? needed >= planes + row * height : needed < planes + width * 16 * 3 + height * 64 * 3)
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

    @Test func `a fully opaque alpha channel is dropped`() throws {
        let bytes = OddPNG(.rgba).encode(PixelSize(width: 5, height: 5)) { _, _, channel in channel == 3 ? 255 : 9 }
        let header = try ImageHeader.read(bytes)
        #expect(header.hasAlpha)
        #expect(try ImageDecoder.decode(bytes, header: header).alpha == nil)
    }

    @Test func `luma is computed with transparent pixels over white`() throws {
        let bytes = OddPNG(.rgba).encode(PixelSize(width: 2, height: 1)) { x, _, channel in channel == 3 ? x * 128 : 0 }
        let luma = try ImageDecoder.decodeLuma(bytes, header: try ImageHeader.read(bytes))
        #expect(luma[x: 0, y: 0] == 255 && luma[x: 1, y: 0] == 127)
    }

    @Test func `a scale requested for a PNG has no effect`() throws {
        let bytes = OddPNG(.gray).encode(PixelSize(width: 9, height: 7)) { _, _, _ in 1 }
        let header = try ImageHeader.read(bytes)
        let scale = DecodeScale(eighths: 2)
        #expect(try ImageDecoder.decode(bytes, header: header, scale: scale).size == header.size(atScale: scale))
    }

    @Test func `a truncated or damaged PNG is an error`() throws {
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

    @Test func `a text chunk that decompresses to many bytes is not decompressed`() throws {
        let bomb = Array("Comment\0\0".utf8) + OddPNG.zlib(Array(repeating: 65, count: 10_000_000))
        let bytes = OddPNG(.gray, chunks: [("zTXt", bomb)]).encode(PixelSize(width: 3, height: 3)) { _, _, _ in 5 }
        #expect(try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes)).planes[0][x: 1, y: 1] == 5)
    }

    @Test(arguments: [(64, true), (512, true), (513, false), (4096, false)])
    func `a colour profile is decompressed only up to the chunk limit`(kilobytes: Int, isRead: Bool) throws {
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
            ignores_pixel_checksum: false,
            whole: false
        )
        file.withUnsafeBufferPointer { bytes in
            #expect(hr_png_open(bytes.baseAddress!, bytes.count, limits, &decoder, &info, &error) == HR_OK)
            #expect(info.icc_count == (isRead ? count : 0))
            hr_png_close(decoder)
        }
    }
}
