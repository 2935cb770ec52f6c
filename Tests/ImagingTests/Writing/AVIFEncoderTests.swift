#if AVIF
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Files are written with aom and read with dav1d, which is an independent implementation.
@Suite(.limitedConcurrency) struct AVIFEncoderTests {
    private func decoded(_ bytes: [UInt8]) throws -> PlanarImage {
        try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    private func converted(_ image: PlanarImage, to model: ColorModel) throws -> PlanarImage {
        let whole = FractionalRect(PixelRect(image.size))
        return try Resampler.resample(image, region: whole, to: image.size, model: model)
    }

    @Test(arguments: [(1, 1), (2, 3), (17, 9), (160, 121), (255, 64)], [40, 82, 100])
    func `a smooth image is preserved from every colour model`(sides: (Int, Int), quality: Int) throws {
        let size = PixelSize(width: sides.0, height: sides.1)
        let source = try TestImage.gradient(size)
        let models: [ColorModel] = [.rgb, .ycbcr(.none), .ycbcr(.halved), .ycbcr(.halvedAcross)]
        for model in models {
            let bytes = try ImageEncoder.encode(try converted(source, to: model), as: .avif, quality: quality)
            #expect(OutputFormat.sniff(bytes) == .avif)
            let result = try decoded(bytes)
            #expect(result.size == size && result.alpha == nil)
            if size.area >= 200 {
                #expect(ImageDifference(try converted(result, to: .rgb), source).psnr > (quality < 80 ? 30 : 33))
            }
        }
    }

    @Test func `planes keep their subsampling, and other images get the subsampling for their quality`() throws {
        let source = try TestImage.gradient(PixelSize(width: 33, height: 21))
        for subsampling in [ChromaSubsampling.none, .halved, .halvedAcross] {
            let image = try converted(source, to: .ycbcr(subsampling))
            #expect(try decoded(try ImageEncoder.encode(image, as: .avif)).colorModel == .ycbcr(subsampling))
        }
        for (quality, subsampling) in [(89, ChromaSubsampling.halved), (90, .none)] {
            let bytes = try ImageEncoder.encode(source, as: .avif, quality: quality)
            #expect(try ImageHeader.read(bytes).colorModel == .ycbcr(subsampling))
        }
    }

    @Test func `grey stays grey`() throws {
        let source = try TestImage.waves(PixelSize(width: 83, height: 61))
        let result = try decoded(try ImageEncoder.encode(source, as: .avif))
        #expect(result.colorModel == .gray)
        #expect(ImageDifference(result, source).psnr > 33)
    }

    @Test func `a higher quality yields more bytes and a smaller difference`() throws {
        let source = try TestImage.waves(PixelSize(width: 200, height: 150))
        let files = try [20, 60, 82, 95].map { try ImageEncoder.encode(source, as: .avif, quality: $0) }
        #expect(files.map(\.count) == files.map(\.count).sorted())
        let likeness = try files.map { ImageDifference(try decoded($0).planes[0], source.planes[0]).psnr }
        #expect(likeness == likeness.sorted())
        #expect(try ImageEncoder.encode(source, as: .avif) == files[2])
    }

    /// Strokes as in letters, in five colours.
    ///
    /// With `noise`, every other pixel differs by 2 of 255.
    private func strokes(at shift: Int = 0, noise: Bool = false) throws -> PlanarImage {
        try TestImage.rgb(PixelSize(width: 240, height: 160)) { x, y in
            let cell = ((x + shift) / 9 * 7 + y / 13 * 5) % 11
            let isInk = cell < 5 && (y % 13 > 3) && ((x + shift) % 9 == cell || y % 13 == 4 + cell)
            let value = (isInk ? 40 + 20 * cell : 240) - (noise && (x ^ y) % 2 == 0 ? 2 : 0)
            return (UInt8(value), UInt8(value), UInt8(isInk ? 200 : 240))
        }
    }

    @Test func `strokes take fewer bytes if they are not hidden by noise`() throws {
        let (drawn, noisy) = (try strokes(), try strokes(noise: true))
        #expect(drawn.isDrawn && !noisy.isDrawn)
        let still = try ImageEncoder.encode(drawn, as: .avif)
        let other = try ImageEncoder.encode(noisy, as: .avif)
        #expect(still.count * 4 < other.count * 3, "\(still.count) and \(other.count) bytes")
        #expect(ImageDifference(try converted(try decoded(still), to: .rgb), drawn).psnr > 25)

        func film(noise: Bool) throws -> [UInt8] {
            let writer = try AnimationEncoder.begin(.avif, size: drawn.size, plays: 0)
            for frame in 0..<4 { try writer.add(try strokes(at: 2 * frame, noise: noise), milliseconds: 100) }
            return try writer.finish()
        }
        let (moving, grainy) = (try film(noise: false), try film(noise: true))
        #expect(moving.count * 4 < grainy.count * 3, "\(moving.count) and \(grainy.count) bytes")
        #expect(try Animations.frames(moving).count == 4)
    }

    @Test(arguments: [(1, 1), (16, 16), (45, 33)], [false, true])
    func `alpha and the profile are kept`(sides: (Int, Int), isGray: Bool) throws {
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
            let bytes = try ImageEncoder.encode(source, as: .avif)
            #expect(try ImageHeader.read(bytes).hasAlpha)
            let result = try decoded(bytes)
            #expect(ImageDifference(try #require(result.alpha), opacity).maximum <= 6)
            #expect(result.iccProfile == (isGray ? nil : profile))
            if size.area > 1000 {
                let luma = (try result.luma(), try source.luma())
                #expect(ImageDifference(luma.0, luma.1).psnr > 30)
            }
        }
    }

    @Test func `equal images yield equal bytes`() throws {
        let source = try TestImage.gradient(PixelSize(width: 70, height: 50))
        #expect(try ImageEncoder.encode(source, as: .avif) == ImageEncoder.encode(source, as: .avif))
    }

    @Test(arguments: [(16384, 2), (2, 16384)]) func `long images can be encoded`(sides: (Int, Int)) throws {
        let long = try TestImage.gray(PixelSize(width: sides.0, height: sides.1)) { _, _ in 90 }
        #expect(try decoded(try ImageEncoder.encode(long, as: .avif)).size == long.size)
    }
}
#endif
