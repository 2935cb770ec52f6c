import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct ImageEncoderTests {
    private func decoded(_ bytes: [UInt8]) throws -> PlanarImage {
        try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    private func rgb(_ image: PlanarImage) throws -> PlanarImage {
        try Resampler.resample(image, region: FractionalRect(PixelRect(image.size)), to: image.size, model: .rgb)
    }

    @Test(arguments: [(1, 1), (2, 3), (8, 8), (17, 9), (160, 121), (255, 64)])
    func `PNG preserves every pixel`(sides: (Int, Int)) throws {
        let size = PixelSize(width: sides.0, height: sides.1)
        let alpha = try Plane(size) { x, y in UInt8((x + y) % 200) }
        for image in [try TestImage.gradient(size), try TestImage.noise(size, seed: 1)] {
            for opacity in [nil, alpha] {
                let source = PlanarImage(
                    size: size,
                    colorModel: image.colorModel,
                    planes: image.planes,
                    alpha: opacity
                )
                let result = try decoded(try ImageEncoder.encode(source, as: .png))
                #expect(result.colorModel == source.colorModel)
                // Transparent pixels are white.
                #expect(ImageDifference(result, try source.hidingColors()).maximum == 0)
                if let opacity {
                    let isHidden = result.planes.allSatisfy { $0[x: 0, y: 0] == 255 }
                    #expect(isHidden && opacity[x: 0, y: 0] == 0)
                    #expect(ImageDifference(try #require(result.alpha), opacity).maximum == 0)
                } else {
                    #expect(result.alpha == nil)
                }
            }
        }
    }

    @Test(arguments: [(1, 1), (2, 3), (8, 8), (17, 9), (160, 121), (255, 64)], [40, 82, 90, 100])
    func `JPEG preserves a smooth image`(sides: (Int, Int), quality: Int) throws {
        let size = PixelSize(width: sides.0, height: sides.1)
        let source = try TestImage.gradient(size)
        let bytes = try ImageEncoder.encode(source, as: .jpeg, quality: quality)
        let header = try ImageHeader.read(bytes)
        #expect(header.size == size && !header.isProgressive)
        #expect(header.colorModel == .ycbcr(quality < 90 ? .halved : .none))
        let result = try rgb(try decoded(bytes))
        // Steep slopes in tiny images lose most of their chroma.
        #expect(ImageDifference(result, source).psnr > (size.area < 200 ? 8 : quality < 80 ? 30 : 33))
    }

    @Test func `a higher quality yields more bytes and a smaller difference`() throws {
        let source = try TestImage.waves(PixelSize(width: 200, height: 150))
        let files = try [20, 60, 82, 95].map { try ImageEncoder.encode(source, as: .jpeg, quality: $0) }
        #expect(files.map(\.count) == files.map(\.count).sorted())
        let likeness = try files.map { ImageDifference(try decoded($0), source).psnr }
        #expect(likeness == likeness.sorted())
        #expect(try ImageEncoder.encode(source, as: .jpeg) == files[2])
        #expect(try ImageEncoder.encode(source, as: .jpeg, quality: 500).count > files[3].count)
    }

    @Test(arguments: [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (4, 2), (4, 4), (3, 3)])
    func `YCbCr with any subsampling can be written and read again`(factors: (Int, Int)) throws {
        let size = PixelSize(width: 45, height: 37)
        let subsampling = ChromaSubsampling(horizontal: factors.0, vertical: factors.1)
        let chroma = subsampling.chromaSize(of: size)
        let planes = [
            try Plane(size) { x, y in UInt8(3 * x + y) },
            try Plane(chroma) { _, _ in 100 },
            try Plane(chroma) { _, _ in 160 },
        ]
        let source = PlanarImage(size: size, colorModel: .ycbcr(subsampling), planes: planes)
        let result = try decoded(try ImageEncoder.encode(source, as: .jpeg))
        #expect(ImageDifference(result.planes[0], source.planes[0]).psnr > 35)
        #expect(abs(Int(result.planes[1][x: 1, y: 1]) - 100) <= 2)
        if factors.0 * factors.1 <= 8 { #expect(result.colorModel == source.colorModel) }
    }

    @Test func `a JPEG's planes are written to a new JPEG without conversion`() throws {
        let bytes = try ImageEncoder.encode(try TestImage.gradient(PixelSize(width: 64, height: 48)), as: .jpeg)
        let first = try decoded(bytes)
        let again = try decoded(try ImageEncoder.encode(first, as: .jpeg))
        #expect(ImageDifference(first, again).psnr > 45)
    }

    @Test func `transparent pixels are white in a JPEG`() throws {
        let size = PixelSize(width: 48, height: 16)
        let black = try TestImage.gray(size) { _, _ in 0 }
        let alpha = try Plane(size) { x, _ in x < 16 ? 0 : x < 32 ? 51 : 255 }
        for planes in [black.planes, [black.planes[0], black.planes[0], black.planes[0]]] {
            let model: ColorModel = planes.count == 1 ? .gray : .rgb
            let image = PlanarImage(size: size, colorModel: model, planes: planes, alpha: alpha)
            let luma = try decoded(try ImageEncoder.encode(image, as: .jpeg, quality: 95)).planes[0]
            for (x, value) in [(8, 255), (24, 204), (40, 0)] {
                #expect(abs(Int(luma[x: x, y: 8]) - value) <= 3)
            }
        }
    }

    @Test func `a JPEG is converted to a PNG with the same colours`() throws {
        let source = try TestImage.quadrants(PixelSize(width: 64, height: 64))
        let jpeg = try decoded(try ImageEncoder.encode(source, as: .jpeg, quality: 95))
        let png = try decoded(try ImageEncoder.encode(jpeg, as: .png))
        #expect(png.colorModel == .rgb)
        #expect(ImageDifference(png, source).mean < 2)
    }

    @Test func `an image that exceeds the limits of JPEG is rejected`() throws {
        let long = try TestImage.gray(PixelSize(width: 65501, height: 1)) { _, _ in 0 }
        #expect(throws: CodecError.tooLarge(long.size, limit: .format(.jpeg))) {
            try ImageEncoder.encode(long, as: .jpeg)
        }
        #expect(try decoded(try ImageEncoder.encode(long, as: .png)).size == long.size)
    }

    /// GIF does not support colour profiles.
    private static let profiled = OutputFormat.allCases.filter { $0 != .gif }

    @Test(arguments: profiled, profiled)
    func `a colour profile is kept if its colour space matches`(first: OutputFormat, second: OutputFormat) throws {
        let size = PixelSize(width: 16, height: 16)
        let color = try TestImage.gradient(size)
        let profile = try #require(ICCProfile(TestProfile.bytes(space: "RGB ")))
        let tagged = PlanarImage(size: size, colorModel: .rgb, planes: color.planes, iccProfile: profile)
        let once = try decoded(try ImageEncoder.encode(tagged, as: first))
        #expect(once.iccProfile == profile)
        let twice = try decoded(try ImageEncoder.encode(once, as: second))
        #expect(twice.iccProfile == profile)
        let region = FractionalRect(PixelRect(size))
        #expect(try Resampler.resample(twice, region: region, to: size, model: .gray).iccProfile == nil)
    }

    @Test func `a profile of another colour space is dropped`() throws {
        let size = PixelSize(width: 16, height: 16)
        let gray = try #require(ICCProfile(TestProfile.bytes(space: "GRAY")))
        let rgb = try #require(ICCProfile(TestProfile.bytes(space: "RGB ")))
        let color = try TestImage.gradient(size)
        #expect(PlanarImage(size: size, colorModel: .rgb, planes: color.planes, iccProfile: gray).iccProfile == nil)
        let ink = JPEGSegments.inserting(
            0xE2,
            Array("ICC_PROFILE\0".utf8) + [1, 1] + rgb.bytes,
            into: try OddJPEG(.cmyk).encode(size) { _, _, _ in 9 }
        )
        #expect(try decoded(ink).iccProfile == nil)
        #expect(ICCProfile(Array(rgb.bytes.prefix(100))) == nil)
    }

    @Test func `other metadata are not copied`() throws {
        let plain = try ImageEncoder.encode(try TestImage.quadrants(PixelSize(width: 32, height: 32)), as: .jpeg)
        let tagged = JPEGSegments.tagged(3, plain)
        let result = try ImageEncoder.encode(try decoded(tagged), as: .jpeg)
        #expect(!JPEGSegments.segments(result).contains { result[$0.lowerBound + 1] == 0xE1 })
        #expect(try ImageHeader.read(result).orientation == .up)
    }
}

/// A minimal ICC profile (ICC.1:2022, 7.2 and 7.3) for libpng: a header, one tag, and padding, because libpng does not
/// read profiles that compress to very few bytes.
enum TestProfile {
    static func bytes(space: String) -> [UInt8] {
        // The white point of the profile connection space, D50.
        let white: [UInt8] = [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]
        var profile = [UInt8](repeating: 0, count: 132)
        profile[2] = 2
        profile.replaceSubrange(8..<12, with: [2, 0x10, 0, 0])
        profile.replaceSubrange(12..<16, with: Array("mntr".utf8))
        profile.replaceSubrange(16..<20, with: Array(space.utf8))
        profile.replaceSubrange(20..<24, with: Array("XYZ ".utf8))
        profile.replaceSubrange(36..<40, with: Array("acsp".utf8))
        profile.replaceSubrange(68..<80, with: white)
        profile[131] = 1
        profile += Array("wtpt".utf8) + [0, 0, 0, 144, 0, 0, 0, 20]
        profile += Array("XYZ ".utf8) + [0, 0, 0, 0] + white
        var generator = SeededGenerator(seed: 1)
        return profile + (profile.count..<512).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
