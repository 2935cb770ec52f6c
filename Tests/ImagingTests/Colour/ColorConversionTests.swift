import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// The conversion of outputs to sRGB, compared with a naive floating-point conversion.
@Suite(.limitedConcurrency) struct ColorConversionTests {
    struct Space: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let colorants: ColorProfile.Colorants
        let curve: ColorProfile.Curve
    }

    static let spaces = [
        Space(testDescription: "Adobe RGB", colorants: ColorProfile.adobeColorants, curve: .gamma(2.2)),
        Space(testDescription: "Display P3", colorants: ColorProfile.displayP3Colorants, curve: .srgb),
        Space(testDescription: "gamma 1.8", colorants: ColorProfile.srgbColorants, curve: .gamma(1.8)),
        Space(testDescription: "linear", colorants: ColorProfile.displayP3Colorants, curve: .gamma(1)),
    ]

    static let size = PixelSize(width: 48, height: 40)
    static let whole = FractionalRect(PixelRect(size))

    /// Colours from the whole RGB cube.
    private func colors() throws -> PlanarImage {
        try TestImage.rgb(Self.size) { x, y in
            (UInt8(x * 255 / 47), UInt8(y * 255 / 39), UInt8((x * 7 + y * 13) % 256))
        }
    }

    @Test(arguments: spaces) func `colours of a profile with a matrix and curves are converted to sRGB`(
        space: Space
    ) throws {
        let plain = try colors()
        let profile = try #require(ColorProfile(space.colorants, space.curve).profile)
        let source = PlanarImage(size: Self.size, colorModel: .rgb, planes: plain.planes, iccProfile: profile)
        let result = try source.rendered(Self.whole, to: Self.size, model: .rgb, profile: .srgb)
        #expect(result.iccProfile == nil)
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                let color = plain.planes.map { Double($0[x: x, y: y]) }
                let expected = NaiveColor.srgb(color, space.colorants, space.curve)
                for (plane, value) in zip(result.planes, expected) {
                    #expect(abs(Double(plane[x: x, y: y]) - value) <= 2, "\(color) at \(x), \(y)")
                }
            }
        }
    }

    @Test(arguments: [1, 1.8, 2.2]) func `greys are converted to sRGB and stay grey`(gamma: Double) throws {
        let profile = try #require(ColorProfile(gray: .gamma(gamma)).profile)
        let size = PixelSize(width: 256, height: 1)
        let plane = try Plane(size) { x, _ in UInt8(x) }
        let source = PlanarImage(size: size, colorModel: .gray, planes: [plane], iccProfile: profile)
        let region = FractionalRect(PixelRect(size))
        let result = try source.rendered(region, to: size, model: .gray, profile: .srgb)
        #expect(result.colorModel == .gray && result.iccProfile == nil)
        for x in 0..<256 {
            let expected = NaiveColor.encoded((Double(x) / 255).power(gamma))
            #expect(abs(Double(result.planes[0][x: x, y: 0]) - expected) <= 1.5, "\(x)")
        }
    }

    @Test(arguments: ["RGB ", "CMYK"]) func `colours of a profile with a table are converted to sRGB`(
        space: String
    ) throws {
        // Ink on paper or light, without hue. For ink, lightness is the product of the channels' transmissions; for
        // light, it is the sum of the channels.
        func lightness(_ corner: [Int]) -> Double {
            space == "CMYK"
                ? zip(corner, [0.7, 0.6, 0.8, 0.0]).reduce(100) { $0 * ($1.0 == 1 ? $1.1 : 1) }
                : zip(corner, [30, 60, 10]).reduce(0) { $0 + Double($1.0) * $1.1 }
        }
        let table = ColorProfile(table: space) { [lightness($0), 0, 0] }
        let profile = try #require(table.profile)
        let channels = space == "CMYK" ? 4 : 3
        let size = PixelSize(width: 16, height: 1)
        let planes = try (0..<channels).map { channel in
            // In a plane, 255 means no ink. In the table, 1 means full ink.
            try Plane(size) { x, _ in (x >> channel & 1 == 1) == (space == "CMYK") ? 0 : 255 }
        }
        let model: ColorModel = space == "CMYK" ? .cmyk : .rgb
        let source = PlanarImage(size: size, colorModel: model, planes: planes, iccProfile: profile)
        let region = FractionalRect(PixelRect(size))
        for use in ProfileUse.allCases where use == .srgb || model == .cmyk {
            let result = try source.rendered(region, to: size, model: .rgb, profile: use)
            for x in 0..<size.width {
                let corner = (0..<channels).map { x >> $0 & 1 }
                let expected = NaiveColor.srgb(lab: [lightness(corner), 0, 0])
                for (plane, value) in zip(result.planes, expected) {
                    #expect(abs(Double(plane[x: x, y: 0]) - value) <= 3, "\(corner)")
                }
            }
        }
    }

    @Test(arguments: [ColorModel.ycbcr(.halved), .ycbcr(.none)])
    func `luma and chroma are converted like RGB colours`(model: ColorModel) throws {
        let flat = try TestImage.rgb(Self.size) { _, _ in (200, 90, 60) }
        let profile = try #require(ColorProfile(ColorProfile.adobeColorants, .gamma(2.2)).profile)
        let tagged = PlanarImage(size: Self.size, colorModel: .rgb, planes: flat.planes, iccProfile: profile)
        let ycbcr = try Resampler.resample(tagged, region: Self.whole, to: Self.size, model: model)
        #expect(ycbcr.iccProfile == profile)
        let small = PixelSize(width: 20, height: 18)
        let result = try ycbcr.rendered(Self.whole, to: small, model: model, profile: .srgb)
        #expect(result.colorModel == model && result.size == small && result.iccProfile == nil)
        let rgb = try Resampler.resample(result, region: FractionalRect(PixelRect(small)), to: small, model: .rgb)
        let expected = NaiveColor.srgb([200, 90, 60], ColorProfile.adobeColorants, .gamma(2.2))
        for (plane, value) in zip(rgb.planes, expected) {
            #expect(abs(Double(plane[x: 9, y: 9]) - value) <= 3)
        }
    }

    @Test func `an sRGB profile changes no sample and is dropped`() throws {
        let plain = try colors()
        for profile in [
            ColorProfile(ColorProfile.srgbColorants, .srgb),
            ColorProfile(ColorProfile.srgbColorants, .srgb).adding("xxxx", [1]),
        ] {
            let icc = try #require(profile.profile)
            let source = PlanarImage(size: Self.size, colorModel: .rgb, planes: plain.planes, iccProfile: icc)
            let result = try source.rendered(Self.whole, to: Self.size, model: .rgb, profile: .srgb)
            #expect(result.iccProfile == nil && ImageDifference(result, plain).maximum == 0)
            // No plane is copied.
            #expect(zip(result.planes, plain.planes).allSatisfy { $0 === $1 })
        }
    }

    @Test func `keeping the profile leaves the samples unchanged`() throws {
        let plain = try colors()
        let profile = try #require(ColorProfile(ColorProfile.adobeColorants, .gamma(2.2)).profile)
        let source = PlanarImage(size: Self.size, colorModel: .rgb, planes: plain.planes, iccProfile: profile)
        let result = try source.rendered(Self.whole, to: Self.size, model: .rgb, profile: .keep)
        #expect(result.iccProfile == profile && ImageDifference(result, plain).maximum == 0)
    }

    @Test func `a damaged profile is ignored`() throws {
        let plain = try colors()
        let whole = ColorProfile(ColorProfile.adobeColorants, .gamma(2.2)).bytes
        var link = whole
        link.replaceSubrange(12..<16, with: "link".utf8)
        var tags = whole
        tags.replaceSubrange(128..<132, with: [255, 255, 255, 255])
        for bytes in [Array(whole.prefix(140)), Array(whole.prefix(300)), link, tags] {
            let profile = try #require(ICCProfile(bytes))
            let source = PlanarImage(size: Self.size, colorModel: .rgb, planes: plain.planes, iccProfile: profile)
            let result = try source.rendered(Self.whole, to: Self.size, model: .rgb, profile: .srgb)
            #expect(result.iccProfile == nil && ImageDifference(result, plain).maximum == 0)
        }
    }

    @Test func `floating-point elements are not evaluated`() throws {
        // Evaluating a DToB1 with a million elements at the same offset would take minutes.
        let curves = ColorProfile(ColorProfile.adobeColorants, .gamma(2.2))
        let count: [UInt8] = [0, 0, 0, 200]
        let element = Array("mpet".utf8) + [0, 0, 0, 0, 0, 3, 0, 3] + count + [UInt8](repeating: 0, count: 1600)
        let profile = try #require(curves.adding("D2B1", element).profile)
        let plain = try colors()
        let source = PlanarImage(size: Self.size, colorModel: .rgb, planes: plain.planes, iccProfile: profile)
        let expected = PlanarImage(
            size: Self.size,
            colorModel: .rgb,
            planes: plain.planes,
            iccProfile: curves.profile
        )
        let results = try [source, expected].map {
            try $0.rendered(Self.whole, to: Self.size, model: .rgb, profile: .srgb)
        }
        #expect(ImageDifference(results[0], results[1]).maximum == 0)
    }
}
