import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct GIFDecoderTests {
    private static let palette: [GIFFile.RGB] = [(0, 0, 0), (255, 0, 0), (0, 200, 0), (10, 20, 250)]
    private static let size = PixelSize(width: 21, height: 17)

    private static func stripes(_ x: Int, _ y: Int) -> UInt8 { UInt8((x / 3 + y / 2) % 4) }

    private static func file(_ frames: [GIFFile.Frame], size: PixelSize = size) -> GIFFile {
        GIFFile(size, palette: palette, frames: frames)
    }

    private static func plain() -> GIFFile { file([.init(PixelRect(size), index: stripes)]) }

    private static func decode(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws -> PlanarImage {
        let header = try ImageHeader.read(bytes)
        let image = try ImageDecoder.decode(bytes, header: header, limits: limits)
        #expect(header.format == .gif && image.size == header.size && image.colorModel == header.colorModel)
        #expect(header.hasAlpha || image.alpha == nil)
        return image
    }

    /// Compares an image with the expected index of each pixel; nil is transparent.
    private static func expect(
        _ image: PlanarImage,
        palette: [GIFFile.RGB] = palette,
        _ index: (Int, Int) -> UInt8?
    ) {
        for y in 0..<image.size.height {
            for x in 0..<image.size.width {
                let wanted = index(x, y)
                #expect((image.alpha?[x: x, y: y] ?? 255) == (wanted == nil ? 0 : 255), "\(x), \(y)")
                guard let wanted else { continue }
                let color = palette[Int(wanted)]
                #expect(image.planes.map { $0[x: x, y: y] } == [color.red, color.green, color.blue], "\(x), \(y)")
            }
        }
    }

    @Test(arguments: [(1, 1), (2, 3), (21, 17), (300, 5)], [false, true])
    func `an image has its colours`(sides: (Int, Int), isInterlaced: Bool) throws {
        let size = PixelSize(width: sides.0, height: sides.1)
        var frame = GIFFile.Frame(PixelRect(size), index: Self.stripes)
        frame.isInterlaced = isInterlaced
        let image = try Self.decode(Self.file([frame], size: size).bytes)
        #expect(image.size == size && image.alpha == nil)
        Self.expect(image, Self.stripes)
    }

    @Test func `a local palette has priority over the global palette`() throws {
        var frame = GIFFile.Frame(PixelRect(Self.size), index: Self.stripes)
        let own: [GIFFile.RGB] = [(1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12)]
        frame.palette = own
        Self.expect(try Self.decode(Self.file([frame]).bytes), palette: own, Self.stripes)
        Self.expect(try Self.decode(GIFFile(Self.size, palette: [], frames: [frame]).bytes), palette: own, Self.stripes)
    }

    @Test func `transparent pixels and the rest of the screen are transparent`() throws {
        let rect = PixelRect(x: 3, y: 2, width: 10, height: 9)
        let frame = GIFFile.Frame(rect, transparent: 2, index: Self.stripes)
        let image = try Self.decode(Self.file([frame]).bytes)
        Self.expect(image) { x, y in
            guard rect.contains(PixelRect(x: x, y: y, width: 1, height: 1)) else { return nil }
            let index = Self.stripes(x - 3, y - 2)
            return index == 2 ? nil : index
        }
    }

    @Test func `frames without a visible pixel are skipped`() throws {
        let empty = GIFFile.Frame(PixelRect(Self.size), transparent: 1) { _, _ in 1 }
        let image = GIFFile.Frame(PixelRect(Self.size), index: Self.stripes)
        let later = GIFFile.Frame(PixelRect(Self.size)) { _, _ in 3 }
        Self.expect(try Self.decode(Self.file([empty, empty, image, later]).bytes), Self.stripes)
        // Within the amount of work that the limit allows.
        let limits = DecodeLimits(maxPixels: 2 * Self.size.area)
        Self.expect(try Self.decode(Self.file([empty, empty, image]).bytes, limits: limits)) { _, _ in nil }
        Self.expect(try Self.decode(Self.file([empty]).bytes)) { _, _ in nil }
    }

    @Test func `the first frame extends the screen, and later frames are clipped`() throws {
        let first = PixelRect(x: 10, y: 5, width: 21, height: 17)
        let empty = GIFFile.Frame(first, transparent: 0) { _, _ in 0 }
        let beyond = GIFFile.Frame(PixelRect(x: 25, y: 20, width: 40, height: 30)) { _, _ in 1 }
        let image = try Self.decode(Self.file([empty, beyond]).bytes)
        #expect(image.size == PixelSize(width: 31, height: 22))
        Self.expect(image) { x, y in x >= 25 && y >= 20 ? 1 : nil }
        let shown = try Self.decode(
            Self.file([.init(first, index: Self.stripes)], size: .init(width: 0, height: 0)).bytes
        )
        #expect(shown.size == PixelSize(width: 31, height: 22))
    }

    @Test func `a file cut in the first half of its first frame is incomplete, a longer file is damaged`() throws {
        var bytes = Self.plain().bytes
        let whole = bytes.count
        bytes += Self.plain().bytes.dropFirst(13)
        var shortestShown = Int.max
        for length in 0..<bytes.count {
            let part = Array(bytes.prefix(length))
            if length < 6 {
                #expect(throws: CodecError.unsupportedFormat(named: nil)) { try Self.decode(part) }
            } else if length < whole - 4 {
                do {
                    let image = try Self.decode(part)
                    #expect(image.isDamaged)
                    shortestShown = min(shortestShown, length)
                } catch let error as CodecError {
                    #expect(error == .truncated(.gif))
                    #expect(length < shortestShown, "a longer part is rejected than a part that was shown")
                }
            } else if length >= whole {
                Self.expect(try Self.decode(part), Self.stripes)
            }
        }
        #expect((whole / 3..<whole - 4).contains(shortestShown))
    }

    @Test(arguments: 0..<3)
    func `a file with wrong bytes yields an error or the same image each time`(index: Int) throws {
        let rect = PixelRect(x: 3, y: 2, width: 10, height: 9)
        var interlaced = GIFFile.Frame(rect, transparent: 2, index: Self.stripes)
        interlaced.isInterlaced = true
        let empty = GIFFile.Frame(PixelRect(Self.size), transparent: 1) { _, _ in 1 }
        let bytes = [Self.plain(), Self.file([interlaced]), Self.file([empty, interlaced])][index].bytes
        var generator = SeededGenerator(seed: UInt64(index))
        let limits = DecodeLimits(maxPixels: 1 << 20, maxBytes: 1 << 24)
        for _ in 0..<600 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 6..<damaged.count, using: &generator)
                damaged[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            guard let image = try? Self.decode(damaged, limits: limits) else { continue }
            #expect(ImageDifference(image, try Self.decode(damaged, limits: limits)).maximum == 0)
        }
    }

    @Test func `sizes are checked before pixels are decoded`() throws {
        let screen = PixelSize(width: 65_535, height: 65_535)
        let frame = GIFFile.Frame(PixelRect(x: 0, y: 0, width: 1, height: 1)) { _, _ in 1 }
        let bytes = Self.file([frame], size: screen).bytes
        let header = try ImageHeader.read(bytes)
        #expect(header.size == screen && header.decodedBytes(atScale: .full) >= 4 * screen.area)
        #expect(throws: CodecError.tooLarge(screen, limit: .pixels(50_000_000))) {
            try ImageDecoder.decode(bytes, header: header)
        }
    }

    @Test func `a file without an image is corrupt`() throws {
        #expect(throws: CodecError.corrupt(.gif, "it has no image")) { try Self.decode(Self.file([]).bytes) }
    }

    /// The placeholder of lazysizes, and the smallest file that browsers accept, without any codes.
    @Test(
        arguments: [
            [33, 0xF9, 4, 1, 10, 0, 1, 0, 44, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 59],
            [44, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0, 59],
        ] as [[UInt8]]
    )
    func `a frame without pixel data is transparent`(blocks: [UInt8]) throws {
        let image = try Self.decode(Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0] + blocks)
        #expect(image.size == PixelSize(width: 1, height: 1) && image.alpha?[x: 0, y: 0] == 0)
    }

    @Test func `frames without pixel data in an animation show the previous frames`() throws {
        let whole = GIFFile.Frame(PixelRect(Self.size), index: Self.stripes)
        var colored = whole
        colored.palette = Self.palette
        let frames = try Animations.frames(GIFFile(Self.size, palette: [], frames: [whole, colored, whole]).bytes)
        #expect(frames.count == 3)
        Self.expect(frames[0].image) { _, _ in nil }
        for frame in frames.dropFirst() { Self.expect(frame.image) { Self.stripes($0, $1) } }
        let still = try Self.decode(GIFFile(Self.size, palette: [], frames: [whole, colored]).bytes)
        Self.expect(still) { Self.stripes($0, $1) }
        let part = PixelRect(x: 2, y: 3, width: 9, height: 8)
        let file = GIFFile(Self.size, palette: [], frames: [whole, colored, whole]).bytes
        let cropped = try Animations.frames(try GIFCropping.crop(file, to: part, plays: 1))
        #expect(cropped.count == 3)
        Self.expect(cropped[0].image) { _, _ in nil }
        Self.expect(cropped[2].image) { Self.stripes($0 + part.x, $1 + part.y) }
    }

    @Test(arguments: [(0, 0), (5, 0), (0, 5)])
    func `a first frame without pixels shows nothing`(sides: (width: Int, height: Int)) throws {
        let empty = GIFFile.Frame(PixelRect(x: 0, y: 0, width: sides.width, height: sides.height)) { _, _ in 1 }
        let whole = GIFFile.Frame(PixelRect(Self.size), index: Self.stripes)
        Self.expect(try Self.decode(Self.file([empty, whole]).bytes)) { Self.stripes($0, $1) }
        Self.expect(try Self.decode(Self.file([empty]).bytes)) { _, _ in nil }
        let frames = try Animations.frames(Self.file([empty, whole]).bytes)
        #expect(frames.count == 2)
        Self.expect(frames[0].image) { _, _ in nil }
        // The first frame with pixels determines the size of a file without a screen size.
        let none = PixelSize(width: 0, height: 0)
        #expect(try Self.decode(Self.file([empty, whole], size: none).bytes).size == Self.size)
        #expect(throws: CodecError.corrupt(.gif, "it has no pixels")) {
            try Self.decode(Self.file([empty, empty], size: none).bytes)
        }
    }

    @Test func `the sample can be decoded`() throws {
        let image = try Self.decode(try #require(InputFormat.gif.sample))
        #expect(image.planes.map { $0[x: 0, y: 0] } == [255, 255, 255])
    }
}
