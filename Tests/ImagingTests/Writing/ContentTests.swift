import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// The part of an image inside its uniform border.
@Suite(.limitedConcurrency) struct ContentTests {
    /// Compares every pixel with the corner pixel.
    private func reference(_ image: PlanarImage, in part: PixelRect, tolerance: Int) -> PixelRect? {
        var found: PixelRect?
        for y in part.rows {
            for x in part.columns {
                let planes = image.allPlanes
                let differs = planes.contains { plane in
                    // A sample in a subsampled plane covers several pixels.
                    let (across, down) = (
                        (image.size.width + plane.size.width - 1) / plane.size.width,
                        (image.size.height + plane.size.height - 1) / plane.size.height
                    )
                    let corner = plane[x: part.x / across, y: part.y / down]
                    return abs(Int(plane[x: x / across, y: y / down]) - Int(corner)) > tolerance
                }
                guard differs else { continue }
                let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
                found = found.map { $0.union(pixel) } ?? pixel
            }
        }
        return found
    }

    @Test func `the content of a plane equals the result of a naive search in 2,000 cases`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            let size = PixelSize(
                width: .random(in: 1...24, using: &random),
                height: .random(in: 1...24, using: &random)
            )
            // Few pixels differ, so that borders and uniform images occur.
            var spots: [Int: UInt8] = [:]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                spots[.random(in: 0..<size.area, using: &random)] = .random(in: 90...120, using: &random)
            }
            let image = try TestImage.gray(size) { x, y in spots[y * size.width + x] ?? 100 }
            let x = Int.random(in: 0..<size.width, using: &random)
            let y = Int.random(in: 0..<size.height, using: &random)
            let part = PixelRect(
                x: x,
                y: y,
                width: .random(in: 1...(size.width - x), using: &random),
                height: .random(in: 1...(size.height - y), using: &random)
            )
            let tolerance = Int.random(in: 0...12, using: &random)
            let expected = reference(image, in: part, tolerance: tolerance)
            try #require(image.content(in: part, tolerance: tolerance) == expected, "\(size) \(part) \(spots)")
        }
    }

    @Test(arguments: [ColorModel.rgb, .ycbcr(.none), .ycbcr(.halved)])
    func `every component is compared`(model: ColorModel) throws {
        let size = PixelSize(width: 41, height: 33)
        let inner = PixelRect(x: 6, y: 10, width: 21, height: 9)
        // The same luma, but a different colour.
        let image = try TestImage.rgb(size) { x, y in
            inner.contains(PixelRect(x: x, y: y, width: 1, height: 1)) ? (200, 49, 100) : (100, 100, 100)
        }
        let whole = PixelRect(size)
        let converted = try Resampler.resample(image, region: FractionalRect(whole), to: size, model: model)
        let content = try #require(converted.content(in: whole, tolerance: 4))
        #expect(content == reference(converted, in: whole, tolerance: 4))
        #expect(content.contains(inner))
        #expect(content.width <= inner.width + 4 && content.height <= inner.height + 4)
    }

    @Test func `a transparent border may have any colours`() throws {
        let size = PixelSize(width: 30, height: 20)
        let inner = PixelRect(x: 5, y: 4, width: 12, height: 7)
        func isInside(_ x: Int, _ y: Int) -> Bool { inner.contains(PixelRect(x: x, y: y, width: 1, height: 1)) }
        let colors = try TestImage.gradient(size)
        let alpha = try Plane(size) { x, y in isInside(x, y) ? 255 : 0 }
        let image = PlanarImage(size: size, colorModel: .rgb, planes: colors.planes, alpha: alpha)
        #expect(image.content(in: PixelRect(size), tolerance: 0) == inner)
        let opaque = PlanarImage(
            size: size,
            colorModel: .gray,
            planes: [try Plane(size) { _, _ in 7 }],
            alpha: try Plane(size) { x, y in isInside(x, y) ? 0 : 255 }
        )
        #expect(opaque.content(in: PixelRect(size), tolerance: 0) == inner)
    }
}
