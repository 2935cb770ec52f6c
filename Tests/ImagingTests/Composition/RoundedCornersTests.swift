import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Elliptical rounded corners, compared with a count of sample points.
@Suite(.limitedConcurrency) struct RoundedCornersTests {
    /// The fraction of a pixel's 16×16 points that are inside the outline.
    private static func coverage(_ x: Int, _ y: Int, _ size: PixelSize, _ across: Double, _ down: Double) -> Double {
        let (width, height) = (Double(size.width), Double(size.height))
        var inside = 0
        for row in 0..<16 {
            for column in 0..<16 {
                let px = Double(x) + (Double(column) + 0.5) / 16
                let py = Double(y) + (Double(row) + 0.5) / 16
                // Mirrored into the upper left corner.
                let u = across - min(px, width - px)
                let v = down - min(py, height - py)
                let isCut = u > 0 && v > 0 && u * u / (across * across) + v * v / (down * down) > 1
                inside += isCut ? 0 : 1
            }
        }
        return Double(inside) / 256
    }

    @Test(arguments: [
        (40, 40, 20.0, 20.0), (41, 41, 20.5, 20.5), (80, 40, 40, 20), (33, 70, 16.5, 35), (50, 30, 8, 8),
        (50, 30, 15, 15), (20, 20, 0, 0), (1, 1, 0.5, 0.5), (100, 3, 1.5, 1.5),
    ])
    func `the alpha of a pixel is the fraction of its area inside the outline`(
        width: Int,
        height: Int,
        across: Double,
        down: Double
    ) throws {
        let size = PixelSize(width: width, height: height)
        let cut = try TestImage.gradient(size).roundedOff(across: across, down: down)
        let alpha = try #require(cut.alpha)
        var sum = 0.0
        for y in 0..<height {
            for x in 0..<width {
                let expected = Self.coverage(x, y, size, across, down)
                let found = Double(alpha[x: x, y: y]) / 255
                sum += abs(found - expected)
                // The edge of a thin ellipse bends too much within a pixel, so the distance to the edge does not
                // determine the coverage.
                #expect(abs(found - expected) < (min(across, down) < 4 ? 0.35 : 0.12), "\(x),\(y)")
            }
        }
        #expect(sum / Double(size.area) < 0.03 || size.area == 1)
    }

    @Test func `the image's own transparency is kept`() throws {
        let size = PixelSize(width: 30, height: 30)
        let image = try TestImage.rgb(size) { _, _ in (10, 20, 30) }
        let half = PlanarImage(
            size: size,
            colorModel: .rgb,
            planes: image.planes,
            alpha: try Plane(size) { _, _ in 128 }
        )
        let cut = try half.roundedOff(across: 15, down: 15)
        #expect(cut.alpha?[x: 15, y: 15] == 128 && cut.alpha?[x: 0, y: 0] == 0)
        #expect(cut.planes[2][x: 15, y: 15] == 30)
    }
}
