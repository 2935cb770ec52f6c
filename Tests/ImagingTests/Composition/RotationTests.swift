import Foundation
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Rotated images, compared with the function that draws them.
@Suite(.limitedConcurrency) struct RotationTests {
    private static let size = PixelSize(width: 120, height: 90)

    /// A smooth function on the plane.
    private static func value(_ x: Double, _ y: Double) -> Double { 128 + 60 * sin(x / 9) + 50 * cos(y / 7) }

    private static func waves() throws -> PlanarImage {
        try TestImage.gray(size) { x, y in UInt8(value(Double(x) + 0.5, Double(y) + 0.5).rounded()) }
    }

    @Test(arguments: [0.0, 17, -30, 90, 180, -135])
    func `each pixel has the value at the rotated position`(roll: Double) throws {
        let turn = Rotation(centre: PixelPoint(x: 60, y: 45), place: PixelPoint(x: 20, y: 20), roll: roll)
        let target = PixelSize(width: 40, height: 40)
        let result = try Self.waves().turned(turn, to: target, on: .white)
        #expect(result.size == target && result.alpha == nil)
        let angle = roll * .pi / 180
        for y in 0..<40 {
            for x in 0..<40 {
                let (dx, dy) = (Double(x) + 0.5 - 20, Double(y) + 0.5 - 20)
                // The right side of an image that leans clockwise is lower.
                let expected = Self.value(
                    60 + dx * cos(angle) - dy * sin(angle),
                    45 + dx * sin(angle) + dy * cos(angle)
                )
                #expect(abs(Double(result.planes[0][x: x, y: y]) - expected) < 3, "\(x), \(y)")
            }
        }
    }

    @Test func `the background fills the area outside the image`() throws {
        let turn = Rotation(centre: PixelPoint(x: 0, y: 0), place: PixelPoint(x: 30, y: 30), roll: 0)
        let source = try TestImage.rgb(Self.size) { _, _ in (10, 20, 200) }
        let target = PixelSize(width: 60, height: 60)
        func pixel(_ image: PlanarImage, _ x: Int, _ y: Int) -> [UInt8] { image.planes.map { $0[x: x, y: y] } }
        let red = try source.turned(turn, to: target, on: .color(red: 250, green: 0, blue: 0))
        #expect(pixel(red, 10, 10) == [250, 0, 0] && pixel(red, 50, 50) == [10, 20, 200])
        let clear = try source.turned(turn, to: target, on: .transparent)
        let alpha = try #require(clear.alpha)
        #expect(alpha[x: 10, y: 50] == 0 && alpha[x: 50, y: 50] == 255)
        // A blurred background continues the image and is darker.
        let blurred = pixel(try source.turned(turn, to: target, on: .blur), 5, 5)
        #expect(zip(blurred, [10, 20, 200] as [Double]).allSatisfy { abs(Double($0) - $1 * 0.75) < 3 })
    }

    @Test func `transparent pixels show the background`() throws {
        let opaque = try TestImage.rgb(Self.size) { _, _ in (10, 20, 200) }
        let half = try TestImage.gray(Self.size) { x, _ in x < 60 ? 0 : 255 }.planes[0]
        let image = PlanarImage(size: Self.size, colorModel: .rgb, planes: opaque.planes, alpha: half)
        let turn = Rotation(centre: PixelPoint(x: 60, y: 45), place: PixelPoint(x: 20, y: 20), roll: 0)
        let result = try image.turned(turn, to: PixelSize(width: 40, height: 40), on: .white)
        #expect(result.planes[0][x: 5, y: 20] == 255 && result.planes[0][x: 35, y: 20] == 10)
    }

    @Test func `positions far outside the image cause no invalid access`() throws {
        for centre in [PixelPoint(x: 1e15, y: -1e15), PixelPoint(x: -1e300, y: 0)] {
            let turn = Rotation(centre: centre, place: PixelPoint(x: 0, y: 0), roll: 45)
            let result = try Self.waves().turned(turn, to: PixelSize(width: 8, height: 8), on: .white)
            #expect(result.planes[0][x: 4, y: 4] == 255)
        }
    }
}
