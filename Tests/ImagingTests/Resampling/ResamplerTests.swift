import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct ResamplerTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let source: (Int, Int)
        let region: (Double, Double, Double, Double)
        let target: (Int, Int)

        var testDescription: String { "\(source) \(region) to \(target)" }
    }

    private static let cases = [
        Case(source: (97, 61), region: (0, 0, 97, 61), target: (40, 25)),
        Case(source: (97, 61), region: (10.25, 3.5, 60.5, 40), target: (33, 21)),
        Case(source: (97, 61), region: (10, 3, 20, 15), target: (57, 50)),
        Case(source: (97, 61), region: (0, 0, 97, 61), target: (97, 20)),
        Case(source: (97, 61), region: (0.5, 0.5, 90, 60), target: (90, 60)),
        Case(source: (200, 3), region: (0, 0, 200, 3), target: (11, 2)),
        Case(source: (64, 64), region: (-4, -4, 72, 72), target: (36, 36)),
    ]

    @Test(arguments: cases, [Resampler.Filter.lanczos, .cubic, .linear])
    private func `scaling agrees with a naive reference`(test: Case, filter: Resampler.Filter) throws {
        let image = try TestImage.waves(PixelSize(width: test.source.0, height: test.source.1))
        let region = FractionalRect(
            x: test.region.0,
            y: test.region.1,
            width: test.region.2,
            height: test.region.3
        )
        let size = PixelSize(width: test.target.0, height: test.target.1)
        let result = try Resampler.resample(image.planes[0], region: region, to: size, filter: filter)
        let expected = try NaiveResampler.resample(image.planes[0], region: region, to: size, filter: filter)
        #expect(ImageDifference(result, expected).maximum <= 2)
    }

    // A side with unchanged length is not filtered, but the spline of the reference would change it.
    @Test(arguments: cases.filter { $0.region.2 != Double($0.target.0) && $0.region.3 != Double($0.target.1) })
    private func `a spline agrees with the reference`(test: Case) throws {
        try `scaling agrees with a naive reference`(test: test, filter: .spline)
    }

    // Vector instructions read samples from one or two registers. Some width ratios reach the limits of these
    // registers.
    @Test(arguments: [285...300, 301...316, 317...332, 448...452, 598...602, 898...902, 1198...1202] as [ClosedRange])
    func `every width ratio agrees with a naive reference`(widths: ClosedRange<Int>) throws {
        let size = PixelSize(width: 150, height: 2)
        for width in widths {
            let plane = try TestImage.noise(PixelSize(width: width, height: 2), seed: UInt64(width)).planes[0]
            let region = FractionalRect(x: 0, y: 0, width: Double(width), height: 2)
            let result = try Resampler.resample(plane, region: region, to: size, filter: .lanczos)
            let expected = try NaiveResampler.resample(plane, region: region, to: size, filter: .lanczos)
            #expect(ImageDifference(result, expected).maximum <= 4, "\(width) to 150 columns")
        }
    }

    @Test(arguments: [(1, 1), (2, 2), (1, 50), (3, 2), (600, 1), (1, 600)], [(1, 1), (2, 3), (50, 40)])
    func `the smallest and narrowest planes scale to any size`(source: (Int, Int), target: (Int, Int)) throws {
        let flat = try Plane(PixelSize(width: source.0, height: source.1)) { _, _ in 77 }
        let size = PixelSize(width: target.0, height: target.1)
        let result = try Resampler.resample(flat, region: FractionalRect(PixelRect(flat.size)), to: size)
        #expect(ImageDifference(result, try Plane(size) { _, _ in 77 }).maximum == 0)
    }

    @Test(arguments: [.nan, .infinity, 1e300, 0, -5] as [Double])
    func `an empty or infinite region is an error`(width: Double) throws {
        let plane = try Plane(PixelSize(width: 8, height: 8)) { _, _ in 0 }
        let region = FractionalRect(x: width, y: 0, width: width, height: 8)
        #expect(throws: CodecError.self) { try Resampler.resample(plane, region: region, to: plane.size) }
    }

    @Test func `whole pixels at their own size are copied exactly`() throws {
        let image = try TestImage.gradient(PixelSize(width: 50, height: 40))
        let rect = PixelRect(x: 7, y: 11, width: 21, height: 13)
        let crop = try Resampler.resample(image, region: FractionalRect(rect), to: rect.size, model: .rgb)
        for (plane, original) in zip(crop.planes, image.planes) {
            let expected = try Plane(rect.size) { original[x: 7 + $0, y: 11 + $1] }
            #expect(ImageDifference(plane, expected).maximum == 0)
        }
        let whole = FractionalRect(PixelRect(image.size))
        let same = try Resampler.resample(image, region: whole, to: image.size, model: .rgb)
        #expect(same.planes[0] === image.planes[0])
    }

    @Test(arguments: [0, 1, 2, 3], [ChromaSubsampling.halved, .halvedAcross, .none])
    func `a crop keeps chroma aligned with its pixels wherever it starts`(
        left: Int,
        subsampling: ChromaSubsampling
    ) throws {
        let width = 10 + left % 2
        let size = PixelSize(width: 41, height: 23)
        let image = try slope(size, subsampling)
        let rect = PixelRect(x: left, y: 2 * left, width: width, height: 9)
        let region = FractionalRect(rect)
        let crop = try Resampler.resample(image, region: region, to: rect.size, model: image.colorModel)
        #expect(crop.colorModel == image.colorModel)
        let whole = FractionalRect(PixelRect(rect.size))
        let full = try Resampler.resample(crop, region: whole, to: rect.size, model: .ycbcr(.none))
        for y in 2..<7 {
            for x in 2..<width - 2 {
                #expect(abs(Int(full.planes[1][x: x, y: y]) - (20 + 5 * (left + x))) <= 2)
                #expect(abs(Int(full.planes[2][x: x, y: y]) - (20 + 7 * (2 * left + y))) <= 3)
            }
        }
    }

    /// Chroma with a slope of 5 per pixel to the right and 7 per pixel downwards.
    private func slope(_ size: PixelSize, _ subsampling: ChromaSubsampling) throws -> PlanarImage {
        let chroma = subsampling.chromaSize(of: size)
        let (across, down) = (Double(subsampling.horizontal), Double(subsampling.vertical))
        let planes = [
            try Plane(size) { _, _ in 128 },
            try Plane(chroma) { x, _ in UInt8(min(255, (20 + 5 * ((Double(x) + 0.5) * across - 0.5)).rounded())) },
            try Plane(chroma) { _, y in UInt8(min(255, (20 + 7 * ((Double(y) + 0.5) * down - 0.5)).rounded())) },
        ]
        return PlanarImage(size: size, colorModel: .ycbcr(subsampling), planes: planes)
    }

    @Test func `colours are converted as JFIF defines`() throws {
        let size = PixelSize(width: 16, height: 16)
        let whole = FractionalRect(PixelRect(size))
        for color in TestImage.quadrantColors + [(255, 255, 255), (0, 0, 0), (255, 0, 0)] {
            let rgb = try TestImage.rgb(size) { _, _ in color }
            let (red, green, blue) = (Double(color.red), Double(color.green), Double(color.blue))
            let luma = 0.299 * red + 0.587 * green + 0.114 * blue
            let expected = [luma, 128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402]
            let ycbcr = try Resampler.resample(rgb, region: whole, to: size, model: .ycbcr(.halved))
            for (plane, value) in zip(ycbcr.planes, expected) {
                #expect(abs(Double(plane[x: 4, y: 4]) - min(value, 255)) <= 1)
            }
            let gray = try Resampler.resample(rgb, region: whole, to: size, model: .gray)
            #expect(abs(Double(gray.planes[0][x: 4, y: 4]) - luma) <= 1)
            let back = try Resampler.resample(ycbcr, region: whole, to: size, model: .rgb)
            #expect(ImageDifference(back, rgb).maximum <= 3)
        }
    }

    @Test func `grey becomes RGB and YCbCr without colour`() throws {
        let size = PixelSize(width: 9, height: 5)
        let gray = try TestImage.waves(size)
        let whole = FractionalRect(PixelRect(size))
        let rgb = try Resampler.resample(gray, region: whole, to: size, model: .rgb)
        #expect(rgb.planes.allSatisfy { $0 === gray.planes[0] })
        let ycbcr = try Resampler.resample(gray, region: whole, to: size, model: .ycbcr(.halved))
        #expect(ycbcr.planes[0] === gray.planes[0] && ycbcr.planes[1][x: 4, y: 2] == 128)
    }

    @Test func `transparent pixels do not bleed when scaled`() throws {
        // Opaque blue next to transparent red: the output must contain no red.
        let size = PixelSize(width: 64, height: 64)
        let colors = try TestImage.rgb(size) { x, _ in x < 30 ? (0, 0, 255) : (255, 0, 0) }
        let alpha = try Plane(size) { x, _ in x < 30 ? 255 : 0 }
        let image = PlanarImage(size: size, colorModel: .rgb, planes: colors.planes, alpha: alpha)
        let small = PixelSize(width: 20, height: 20)
        let result = try Resampler.resample(image, region: FractionalRect(PixelRect(size)), to: small, model: .rgb)
        let opacity = try #require(result.alpha)
        for x in 0..<20 where opacity[x: x, y: 10] > 8 {
            #expect(result.planes[0][x: x, y: 10] <= 2 && result.planes[2][x: x, y: 10] >= 253)
        }
        #expect(opacity[x: 0, y: 10] == 255 && opacity[x: 19, y: 10] == 0)
    }

    @Test func `scaling a JPEG's planes gives the same result as scaling its RGB image`() throws {
        let bytes = try ImageEncoder.encode(try TestImage.gradient(PixelSize(width: 301, height: 199)), as: .jpeg)
        let image = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
        let region = FractionalRect(x: 31.5, y: 20.25, width: 200, height: 150)
        let size = PixelSize(width: 67, height: 51)
        let direct = try Resampler.resample(image, region: region, to: size, model: .rgb)
        let whole = FractionalRect(PixelRect(image.size))
        let rgb = try Resampler.resample(image, region: whole, to: image.size, model: .rgb)
        let detour = try Resampler.resample(rgb, region: region, to: size, model: .rgb)
        #expect(ImageDifference(direct, detour).mean < 1)
    }
}
