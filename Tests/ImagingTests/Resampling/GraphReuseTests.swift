import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// The reuse of zimg's filter graphs for later images, which must not affect outputs.
@Suite(.limitedConcurrency) struct GraphReuseTests {
    private static let source = PixelSize(width: 420, height: 300)

    @Test(arguments: [(0.0, 0.0), (3, 5), (64, 64), (131, 97), (170, 140), (131.25, 97.5), (200, 170)])
    func `a region yields the same samples wherever it is`(x: Double, y: Double) throws {
        let waves = try TestImage.waves(Self.source).planes[0]
        let region = FractionalRect(x: x, y: y, width: 200, height: 120)
        let size = PixelSize(width: 90, height: 54)
        for filter in [Resampler.Filter.lanczos, .cubic, .linear] {
            let result = try Resampler.resample(waves, region: region, to: size, filter: filter)
            let expected = try NaiveResampler.resample(waves, region: region, to: size, filter: filter)
            #expect(ImageDifference(result, expected).maximum <= 2)
        }
    }

    @Test func `images with the same geometry do not affect each other`() throws {
        let region = FractionalRect(x: 10, y: 20, width: 300, height: 200)
        let size = PixelSize(width: 100, height: 70)
        for value in [0, 255, 31, 200] as [UInt8] {
            let flat = try Plane(Self.source) { _, _ in value }
            let result = try Resampler.resample(flat, region: region, to: size)
            #expect(ImageDifference(result, try Plane(size) { _, _ in value }).maximum == 0)
        }
    }

    @Test func `scaling many geometries on many threads yields the same results as one after another`() async throws {
        let waves = try TestImage.waves(Self.source).planes[0]
        // More geometries than the cache can hold, so that some graphs are rebuilt.
        let sizes = (0..<90).map { PixelSize(width: 20 + $0, height: 15 + $0) }
        let region = FractionalRect(x: 7, y: 3, width: 240, height: 180)
        let expected = try sizes.map { try Resampler.resample(waves, region: region, to: $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for turn in 0..<8 {
                group.addTask {
                    for index in sizes.indices.map({ ($0 * 7 + turn * 13) % sizes.count }) {
                        let result = try Resampler.resample(waves, region: region, to: sizes[index])
                        #expect(ImageDifference(result, expected[index]).maximum == 0)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
