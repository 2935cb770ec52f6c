import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct WebPEncoderTests {
    private func decoded(_ bytes: [UInt8]) throws -> PlanarImage {
        try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    private func rgb(_ image: PlanarImage) throws -> PlanarImage {
        try Resampler.resample(image, region: FractionalRect(PixelRect(image.size)), to: image.size, model: .rgb)
    }

    @Test(arguments: [(1, 1), (2, 3), (17, 9), (160, 121), (255, 64)], [40, 80, 100])
    func `a smooth image is preserved`(sides: (Int, Int), quality: Int) throws {
        let size = PixelSize(width: sides.0, height: sides.1)
        let source = try TestImage.gradient(size)
        let full = try Resampler.resample(
            source,
            region: FractionalRect(PixelRect(size)),
            to: size,
            model: .ycbcr(.none)
        )
        for image in [source, full] {
            let result = try rgb(try decoded(try ImageEncoder.encode(image, as: .webp, quality: quality)))
            // Steep slopes in tiny images lose most of their chroma.
            #expect(ImageDifference(result, source).psnr > (size.area < 200 ? 8 : quality < 80 ? 30 : 33))
        }
    }

    @Test func `grey stays grey`() throws {
        let source = try TestImage.waves(PixelSize(width: 83, height: 61))
        let result = try decoded(try ImageEncoder.encode(source, as: .webp))
        #expect(ImageDifference(result.planes[0], source.planes[0]).psnr > 33)
        for chroma in result.planes.dropFirst() {
            #expect(ImageDifference(chroma, try Plane(chroma.size) { _, _ in 128 }).maximum <= 1)
        }
    }

    @Test func `planes that are encoded and decoded repeatedly do not drift`() throws {
        let size = PixelSize(width: 64, height: 48)
        let first = try decoded(try ImageEncoder.encode(try TestImage.gradient(size), as: .webp, quality: 100))
        #expect(first.colorModel == .ycbcr(.halved))
        var image = first
        for _ in 0..<4 {
            image = try decoded(try ImageEncoder.encode(image, as: .webp, quality: 100))
        }
        #expect(ImageDifference(first, image).psnr > 40)
    }

    @Test func `a higher quality yields more bytes and a smaller difference`() throws {
        let source = try TestImage.waves(PixelSize(width: 200, height: 150))
        let files = try [20, 60, 82, 95].map { try ImageEncoder.encode(source, as: .webp, quality: $0) }
        #expect(files.map(\.count) == files.map(\.count).sorted())
        let likeness = try files.map { ImageDifference(try decoded($0).planes[0], source.planes[0]).psnr }
        #expect(likeness == likeness.sorted())
        #expect(try ImageEncoder.encode(source, as: .webp) == files[2])
        #expect(try ImageEncoder.encode(source, as: .webp, quality: 500).count > files[3].count)
    }

    @Test(arguments: [(1, 1), (16, 16), (45, 33)], [false, true])
    func `alpha is exact, and the profile is kept`(sides: (Int, Int), isGray: Bool) throws {
        let size = PixelSize(width: sides.0, height: sides.1)
        let opacity = try Plane(size) { x, y in UInt8((x * 5 + y * 3) % 256) }
        let colors = isGray ? try TestImage.waves(size) : try TestImage.gradient(size)
        for profile in [nil, ICCProfile(TestProfile.bytes(space: "RGB "))] {
            let source = PlanarImage(
                size: size,
                colorModel: colors.colorModel,
                planes: colors.planes,
                alpha: opacity,
                iccProfile: profile
            )
            let result = try decoded(try ImageEncoder.encode(source, as: .webp))
            #expect(result.colorModel == .rgb)
            #expect(ImageDifference(try #require(result.alpha), opacity).maximum == 0)
            #expect(result.iccProfile == (isGray ? nil : profile))
            if size.area > 1000 {
                let luma = (try result.luma(), try source.luma())
                #expect(ImageDifference(luma.0, luma.1).psnr > 30)
            }
        }
    }

    @Test func `libwebp decodes a file with a profile in the same way`() throws {
        let size = PixelSize(width: 33, height: 21)
        let plain = try TestImage.gradient(size)
        // An odd length requires a padding byte.
        let profile = try #require(ICCProfile(TestProfile.bytes(space: "RGB ") + [0]))
        #expect(profile.bytes.count % 2 == 1)
        let tagged = PlanarImage(size: size, colorModel: .rgb, planes: plain.planes, iccProfile: profile)
        let bytes = try ImageEncoder.encode(tagged, as: .webp)
        #expect(try decoded(bytes).iccProfile == profile)
        let reference = try WebPFile.reference(try ImageEncoder.encode(plain, as: .webp))
        #expect(ImageDifference(try WebPFile.reference(bytes), reference).maximum == 0)
    }

    @Test func `a profile without its header flag is ignored`() throws {
        let size = PixelSize(width: 8, height: 8)
        let still = try ImageEncoder.encode(try TestImage.gradient(size), as: .webp)
        let chunks = WebPFile.chunk("ICCP", TestProfile.bytes(space: "RGB ")) + WebPFile.image(of: still)
        #expect(try decoded(WebPFile.extended(size, .profile, chunks)).iccProfile != nil)
        #expect(try decoded(WebPFile.extended(size, [], chunks)).iccProfile == nil)
    }

    @Test(arguments: [(16384, 1), (1, 16384)])
    func `an image that exceeds the limits of WebP is rejected`(sides: (Int, Int)) throws {
        let long = try TestImage.gray(PixelSize(width: sides.0, height: sides.1)) { _, _ in 0 }
        #expect(throws: CodecError.tooLarge(long.size, limit: .format(.webp))) {
            try ImageEncoder.encode(long, as: .webp)
        }
        let longest = try TestImage.gray(PixelSize(width: 16383, height: 2)) { _, _ in 0 }
        #expect(try decoded(try ImageEncoder.encode(longest, as: .webp)).size == longest.size)
    }
}
