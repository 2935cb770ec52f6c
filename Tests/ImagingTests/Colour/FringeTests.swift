import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// The edges of scaled transparent images: colours are weighted by alpha before their conversion.
@Suite(.limitedConcurrency) struct FringeTests {
    private static let size = PixelSize(width: 60, height: 60)
    private static let color: TestImage.RGB = (200, 90, 60)

    /// An opaque disc on transparent black.
    private func disc(_ profile: ICCProfile?) throws -> PlanarImage {
        func isInside(_ x: Int, _ y: Int) -> Bool { (x - 30) * (x - 30) + (y - 30) * (y - 30) < 500 }
        let colors = try TestImage.rgb(Self.size) { isInside($0, $1) ? Self.color : (0, 0, 0) }
        let alpha = try Plane(Self.size) { isInside($0, $1) ? 255 : 0 }
        return PlanarImage(size: Self.size, colorModel: .rgb, planes: colors.planes, alpha: alpha, iccProfile: profile)
    }

    static let profiles = [
        nil, ColorProfile(ColorProfile.adobeColorants, .gamma(2.2)),
        ColorProfile(ColorProfile.srgbColorants, .gamma(1)),
    ]

    @Test(arguments: profiles, [PixelSize(width: 23, height: 23), PixelSize(width: 91, height: 77)])
    func `an edge is not darker than the adjacent colours`(profile: ColorProfile?, size: PixelSize) throws {
        let whole = FractionalRect(PixelRect(Self.size))
        let source = try disc(profile?.profile)
        let centre = PixelSize(width: size.width / 2, height: size.height / 2)
        let scaled = try source.rendered(whole, to: size, model: .rgb, profile: .srgb)
        let alpha = try #require(scaled.alpha)
        let inside = scaled.planes.map { Int($0[x: centre.width, y: centre.height]) }
        let flat = try source.rendered(whole, to: size, model: .ycbcr(.none), profile: .srgb)
        let opaque = try Resampler.resample(flat, region: FractionalRect(PixelRect(size)), to: size, model: .rgb)
        var edges = 0
        for y in 0..<size.height {
            for x in 0..<size.width where alpha[x: x, y: y] > 24 {
                let color = scaled.planes.map { Int($0[x: x, y: y]) }
                // Lanczos overshoots at an edge, so the edge may be brighter.
                #expect(zip(color, inside).allSatisfy { $0 >= $1 - 14 }, "\(color) at \(x), \(y)")
                edges += alpha[x: x, y: y] < 250 ? 1 : 0
                // Over white, no pixel is darker than the disc.
                let over = opaque.planes.map { Int($0[x: x, y: y]) }
                #expect(zip(over, inside).allSatisfy { $0 >= $1 - 14 }, "\(over) over white at \(x), \(y)")
            }
        }
        #expect(edges > 10)
    }
}
