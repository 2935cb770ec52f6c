import Foundation
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// The quality of decoding at a reduced scale followed by scaling, compared with Lanczos scaling of the full image.
@Suite(.limitedConcurrency) struct ScalingQualityTests {
    private static let size = PixelSize(width: 600, height: 450)

    /// The content of a test image.
    enum Subject: CaseIterable {
        /// Rings that become finer towards the edges, up to three quarters of the maximum frequency at half the size.
        case zonePlate
        /// Noise smoothed at several scales, similar to leaves, hair and cloth.
        case texture
        /// Waves of several wavelengths.
        case waves
    }

    private func image(_ subject: Subject) throws -> PlanarImage {
        switch subject {
        case .zonePlate:
            let reach = Double(Self.size.width) / 2
            return try TestImage.gray(Self.size) { x, y in
                let (a, b) = (Double(x) - reach, Double(y) - Double(Self.size.height) / 2)
                // The slope of the phase is the frequency: 3/16 of a period per pixel at the left and right edges.
                return UInt8(128 + 100 * cos(2 * .pi * 3 / 32 * (a * a + b * b) / reach))
            }
        case .texture:
            var noise: [Plane] = []
            for (index, length) in [40, 120, 300].enumerated() {
                let grain = PixelSize(width: length, height: length * 3 / 4)
                let plane = try TestImage.noise(grain, seed: UInt64(index + 1)).planes[0]
                let region = FractionalRect(PixelRect(grain))
                noise.append(try Resampler.resample(plane, region: region, to: Self.size, filter: .cubic))
            }
            return try TestImage.gray(Self.size) { x, y in
                UInt8(noise.reduce(0) { $0 + Int($1[x: x, y: y]) } / 3)
            }
        case .waves:
            return try TestImage.waves(Self.size)
        }
    }

    /// An image, a size, and the similarity of libvips 8.18 (`vips_thumbnail`) to the same reference, measured with
    /// JPEG files of the same images; docs/contributing/image-quality.md lists photos.
    private static let cases: [(Subject, (width: Int, height: Int), libvips: Double)] = [
        (.zonePlate, (300, 225), 1), (.zonePlate, (240, 180), 1), (.zonePlate, (200, 150), 0.9999),
        (.zonePlate, (140, 105), 0.9962), (.texture, (300, 225), 0.9999), (.texture, (240, 180), 0.9999),
        (.texture, (200, 150), 0.9999), (.texture, (140, 105), 0.9996), (.waves, (300, 225), 1),
        (.waves, (240, 180), 1), (.waves, (200, 150), 1), (.waves, (140, 105), 0.9997),
    ]

    @Test(arguments: cases)
    func `a scaled-down JPEG is about as exact as libvips's output`(
        subject: Subject,
        target: (width: Int, height: Int),
        libvips: Double
    ) throws {
        let bytes = try ImageEncoder.encode(try image(subject), as: .jpeg, quality: 95)
        let header = try ImageHeader.read(bytes)
        let size = PixelSize(width: target.width, height: target.height)
        // The scale that DecodePlan chooses.
        let scale = DecodeScale.fast(atLeast: 1.5 * Double(size.width) / Double(Self.size.width))
        let reduced = try ImageDecoder.decode(bytes, header: header, scale: scale).planes[0]
        let result = try Resampler.resample(reduced, region: FractionalRect(PixelRect(reduced.size)), to: size)
        let whole = try ImageDecoder.decode(bytes, header: header).planes[0]
        let region = FractionalRect(PixelRect(Self.size))
        let reference = try NaiveResampler.resample(whole, region: region, to: size, filter: .lanczos)
        let similarity = StructuralSimilarity(result, reference).mean
        #expect(similarity >= libvips - 0.006)
    }

    @Test func `similarity is high for similar images and low for different images`() throws {
        let size = PixelSize(width: 40, height: 30)
        let noise = try TestImage.noise(size, seed: 1).planes[0]
        let other = try TestImage.noise(size, seed: 2).planes[0]
        let brighter = try Plane(size) { UInt8(min(255, Int(noise[x: $0, y: $1]) + 10)) }
        #expect(StructuralSimilarity(noise, noise).mean == 1)
        #expect(abs(StructuralSimilarity(noise, other).mean) < 0.1)
        #expect((0.9..<1).contains(StructuralSimilarity(noise, brighter).mean))
    }
}
