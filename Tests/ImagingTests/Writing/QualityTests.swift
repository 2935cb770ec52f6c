import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct QualityTests {
    /// An image with edges, slopes and fine texture.
    private func image() throws -> PlanarImage {
        let size = PixelSize(width: 160, height: 120)
        var noise = SeededGenerator(seed: 7)
        let grain = (0..<size.area).map { _ in Int.random(in: -9...9, using: &noise) }
        return try TestImage.gray(size) { x, y in
            let slope = x + y / 2
            let disc = (x - 75) * (x - 75) + (y - 55) * (y - 55) < 1200 ? 70 : 0
            return UInt8(clamping: slope + disc + grain[y * size.width + x])
        }
    }

    @Test(arguments: [30, 50, 70, 82, 90])
    func `a quality value means about the same in every lossy format`(quality: Int) throws {
        let source = try image()
        func likeness(_ format: OutputFormat) throws -> Double {
            let bytes = try ImageEncoder.encode(source, as: format, quality: quality)
            let result = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
            return StructuralSimilarity(result.planes[0], source.planes[0]).mean
        }
        let expected = try likeness(.jpeg)
        for format in OutputFormat.allCases where ![.jpeg, .png, .gif].contains(format) {
            let found = try likeness(format)
            #expect(abs(found - expected) < 0.1, "\(format): \(found), JPEG: \(expected)")
        }
    }
}
