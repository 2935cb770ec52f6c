import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct EncodingOptionsTests {
    private static let size = PixelSize(width: 70, height: 50)

    private func decoded(_ bytes: [UInt8]) throws -> PlanarImage {
        try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    @Test(arguments: OutputFormat.allCases.filter { ![.png, .webp, .gif].contains($0) }, ChromaFormat.allCases)
    func `chroma subsampling is as requested`(format: OutputFormat, chroma: ChromaFormat) throws {
        let colors = try TestImage.gradient(Self.size)
        for quality in [82, 90] {
            var options = EncodingOptions(quality: quality)
            options.chroma = chroma
            let expected: ChromaSubsampling =
                switch chroma {
                case .halved: .halved
                case .full: .none
                case .auto: quality < 90 ? .halved : .none
                }
            #expect(ImageEncoder.model(for: .ycbcr(.halvedAcross), as: format, options) == .ycbcr(expected))
            let bytes = try ImageEncoder.encode(colors, as: format, options)
            #expect(try ImageHeader.read(bytes).colorModel == .ycbcr(expected))
        }
    }

    @Test func `a progressive JPEG has the same pixels in fewer bytes`() throws {
        let source = try TestImage.waves(PixelSize(width: 300, height: 200))
        var options = EncodingOptions(quality: 70)
        let baseline = try ImageEncoder.encode(source, as: .jpeg, options)
        options.isProgressive = true
        let progressive = try ImageEncoder.encode(source, as: .jpeg, options)
        #expect(try !ImageHeader.read(baseline).isProgressive && ImageHeader.read(progressive).isProgressive)
        #expect(progressive.count < baseline.count)
        #expect(ImageDifference(try decoded(progressive), try decoded(baseline)).maximum == 0)
    }

    /// An image with `count` colours; with `hasAlpha`, every third colour is transparent.
    private func image(colors count: Int, hasAlpha: Bool) throws -> PlanarImage {
        let size = PixelSize(width: 64, height: 48)
        func index(_ x: Int, _ y: Int) -> Int { (x + y * size.width) % count }
        let planes = try (0..<3).map { plane in
            try Plane(size) { x, y in
                UInt8((index(x, y) * [1, 7, 31][plane] + index(x, y) / 256 * plane + plane * 9) % 256)
            }
        }
        let alpha = try hasAlpha ? Plane(size) { x, y in index(x, y) % 3 == 0 ? UInt8(index(x, y) % 200) : 255 } : nil
        return PlanarImage(size: size, colorModel: .rgb, planes: planes, alpha: alpha)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 255, 256, 257], [false, true])
    func `a PNG with at most 256 colours has a palette and is lossless`(count: Int, hasAlpha: Bool) throws {
        let source = try image(colors: count, hasAlpha: hasAlpha)
        let bytes = try ImageEncoder.encode(source, as: .png)
        // IHDR: the depth at byte 24, the colour type at 25; 3 is a palette.
        let depth: UInt8 = count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8
        #expect(bytes[25] == (count <= 256 ? 3 : hasAlpha ? 6 : 2))
        #expect(bytes[24] == (count <= 256 ? depth : 8))
        let result = try decoded(bytes)
        #expect(ImageDifference(result, try source.hidingColors()).maximum == 0)
        if let alpha = source.alpha { #expect(ImageDifference(try #require(result.alpha), alpha).maximum == 0) }
    }

    @Test func `a palette makes a drawing smaller`() throws {
        let size = PixelSize(width: 200, height: 150)
        func tile(_ x: Int, _ y: Int) -> TestImage.RGB {
            (x / 20 + y / 15) % 3 == 0 ? (200, 30, 40) : (UInt8(x / 40 * 30), 90, 250)
        }
        let drawing = try TestImage.rgb(size) { x, y in tile(x, y) }
        // More than 256 colours along two edges.
        let other = try TestImage.rgb(size) { x, y in
            if x == 0 { return (UInt8(y), UInt8(y / 2), 0) }
            return y == 0 ? (0, UInt8(x), UInt8(x)) : tile(x, y)
        }
        #expect(try ImageEncoder.encode(drawing, as: .png)[25] == 3 && ImageEncoder.encode(other, as: .png)[25] == 2)
        #expect(try ImageEncoder.encode(drawing, as: .png).count * 2 < ImageEncoder.encode(other, as: .png).count)
    }
}
