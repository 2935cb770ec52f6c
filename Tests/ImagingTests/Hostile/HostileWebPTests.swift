import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// A damaged WebP file must yield an error or an image of the declared size.
@Suite(.limitedConcurrency) struct HostileWebPTests {
    private static let limits = DecodeLimits(maxPixels: 1 << 20, maxBytes: 1 << 24)
    private static let size = PixelSize(width: 29, height: 23)

    /// Small files of every kind, without chunks after the first image.
    private static func samples() throws -> [[UInt8]] {
        let colors = try TestImage.gradient(size)
        let opacity = try Plane(size) { x, y in UInt8((x * 5 + y * 3) % 256) }
        let seeThrough = PlanarImage(size: size, colorModel: .rgb, planes: colors.planes, alpha: opacity)
        let lossy = try ImageEncoder.encode(colors, as: .webp)
        let withAlpha = try ImageEncoder.encode(seeThrough, as: .webp)
        let lossless = try WebPFile.lossless(size) { x, y in (UInt8(x * y & 0xFF), UInt8(x), UInt8(y), 255) }
        let profile = WebPFile.chunk("ICCP", TestProfile.bytes(space: "RGB "))
        let place = PixelRect(x: 2, y: 4, width: size.width, height: size.height)
        let canvas = PixelSize(width: 40, height: 30)
        return [
            lossy,
            withAlpha,
            lossless,
            WebPFile.extended(size, [.profile, .exif], profile + WebPFile.image(of: lossless)),
            WebPFile.animation(canvas, WebPFile.frame(place, WebPFile.image(of: withAlpha))),
        ]
    }

    private static func decode(_ bytes: [UInt8], servesDamaged: Bool = true) throws(CodecError) -> PlanarImage {
        var limits = limits
        limits.servesDamaged = servesDamaged
        let header = try ImageHeader.read(bytes)
        let image = try ImageDecoder.decode(bytes, header: header, limits: limits)
        #expect(image.size == header.size && image.colorModel == header.colorModel)
        return image
    }

    @Test(arguments: 0..<5)
    func `a file truncated at any byte is incomplete if any damage is an error`(index: Int) throws {
        let bytes = try Self.samples()[index]
        _ = try Self.decode(bytes)
        // The last byte may only be the padding to an even length.
        for length in 12..<bytes.count - 1 {
            #expect(throws: CodecError.truncated(.webp)) {
                try Self.decode(Array(bytes.prefix(length)), servesDamaged: false)
            }
        }
        for length in 0..<12 {
            #expect(throws: CodecError.unsupportedFormat(named: nil)) { try Self.decode(Array(bytes.prefix(length))) }
        }
    }

    @Test(arguments: 0..<5)
    func `a file with wrong bytes yields an error or the same image each time`(index: Int) throws {
        let bytes = try Self.samples()[index]
        var generator = SeededGenerator(seed: UInt64(index))
        for _ in 0..<600 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 12..<damaged.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0, 1: damaged[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 2: damaged.remove(at: place)
                default: damaged.insert([0, 0xFF, 0x80].randomElement(using: &generator) ?? 0, at: place)
                }
            }
            guard let image = try? Self.decode(damaged) else { continue }
            // Uninitialised samples would differ between two runs.
            let again = try Self.decode(damaged)
            #expect(ImageDifference(image, again).maximum == 0)
            if let alpha = image.alpha { #expect(ImageDifference(alpha, try #require(again.alpha)).maximum == 0) }
        }
    }

    @Test func `a huge declared canvas is rejected before memory is reserved`() throws {
        let still = try WebPFile.lossless(Self.size) { _, _ in (1, 2, 3, 255) }
        let canvas = PixelSize(width: 1 << 24, height: 1 << 24)
        let bytes = WebPFile.animation(canvas, WebPFile.frame(PixelRect(Self.size), WebPFile.image(of: still)))
        let header = try ImageHeader.read(bytes)
        #expect(header.size == canvas && header.decodedBytes(atScale: .full) >= 4 * canvas.area)
        #expect(throws: CodecError.tooLarge(canvas, limit: .side(65535))) {
            try ImageDecoder.decode(bytes, header: header)
        }
    }

    @Test func `a huge declared bitstream size is rejected before memory is reserved`() throws {
        var bytes = try ImageEncoder.encode(try TestImage.gradient(Self.size), as: .webp)
        // The width and height of a key frame, after the frame tag and the start code (RFC 6386, 9.1).
        bytes.replaceSubrange(26..<30, with: [0xFF, 0x3F, 0xFF, 0x3F])
        let header = try ImageHeader.read(bytes)
        #expect(header.size == PixelSize(width: 16383, height: 16383))
        #expect(throws: CodecError.tooLarge(header.size, limit: .pixels(50_000_000))) {
            try ImageDecoder.decodeLuma(bytes, header: header)
        }
    }

    @Test func `a limit in bytes includes the library's memory`() throws {
        let lossless = try ImageHeader.read(try WebPFile.lossless(Self.size) { _, _ in (1, 2, 3, 9) })
        // For each pixel: four planes, four interleaved samples, and four bytes for libwebp.
        #expect(lossless.decodedBytes(atScale: .full) >= 12 * Self.size.area)
        let lossy = try ImageEncoder.encode(try TestImage.gradient(Self.size), as: .webp)
        let header = try ImageHeader.read(lossy)
        let minimum = Self.size.area * 3 / 2
        #expect(header.decodedBytes(atScale: .full) >= minimum)
        #expect(throws: CodecError.tooLarge(Self.size, limit: .bytes(minimum))) {
            try ImageDecoder.decode(lossy, header: header, limits: DecodeLimits(maxBytes: minimum))
        }
    }

    @Test func `an image whose size differs from the declared size is rejected`() throws {
        let still = WebPFile.image(of: try WebPFile.lossless(Self.size) { _, _ in (1, 2, 3, 255) })
        let canvas = PixelSize(width: 30, height: 30)
        let beyond = PixelRect(x: 4, y: 0, width: Self.size.width, height: Self.size.height)
        let other = PixelRect(x: 0, y: 0, width: 20, height: 20)
        for bytes in [
            WebPFile.extended(canvas, [], still),
            WebPFile.animation(canvas, WebPFile.frame(beyond, still)),
            WebPFile.animation(canvas, WebPFile.frame(other, still)),
        ] {
            #expect(throws: CodecError.corrupt(.webp, "its size differs from the declared size")) {
                try ImageHeader.read(bytes)
            }
        }
    }

    @Test(
        arguments: [
            [],
            WebPFile.chunk("XMP ", [1, 2]),
            WebPFile.chunk("ALPH", [0, 0]),
            WebPFile.chunk("VP8X", [0, 0]),
            WebPFile.chunk("VP8X", Array(repeating: 0, count: 10)),
            WebPFile.chunk("VP8 ", []),
            WebPFile.chunk("VP8L", [0x2F]),
            WebPFile.chunk("VP8X", [2] + Array(repeating: 0, count: 9)) + WebPFile.chunk("ANMF", [0, 0]),
            WebPFile.chunk("VP8X", [2] + Array(repeating: 0, count: 9))
                + WebPFile.chunk("ANMF", Array(repeating: 0, count: 16)),
            Array("VP8 ".utf8) + [0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]]
    )
    func `a file without an image is corrupt`(chunks: [UInt8]) throws {
        let error = #expect(throws: CodecError.self) { try ImageHeader.read(WebPFile.riff(chunks)) }
        guard case .corrupt(.webp, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `many chunks are skipped`() throws {
        let still = WebPFile.image(of: try WebPFile.lossless(Self.size) { _, _ in (1, 2, 3, 255) })
        for type in ["ALPH", "JUNK", "ANMF"] {
            let many = Array(repeatElement(WebPFile.chunk(type, []), count: 100_000).joined())
            let header = try? ImageHeader.read(WebPFile.extended(Self.size, .exif, many + still + many))
            // A second ALPH chunk may be rejected.
            #expect(header?.size == Self.size || (header == nil && type == "ALPH"))
        }
    }
}
