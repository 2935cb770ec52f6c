import Geometry
import Imaging

/// Chooses a few animation frames for the face search: the frames that differ most.
struct FrameSample {
    /// The side of the small images that are compared, in pixels.
    private static let side = 16
    /// The minimum root mean square difference of two frames that count as different, on a scale of 255.
    ///
    /// A mean of absolute differences would miss a new face that covers only a few of these pixels.
    private static let minDifference = 3.0

    private var thumbnails: [[UInt8]] = []

    /// Adds the next frame.
    mutating func add(_ image: PlanarImage) throws(CodecError) {
        let luma = try image.luma()
        let whole = FractionalRect(PixelRect(luma.size))
        let small = try Resampler.resample(luma, region: whole, to: Self.size, filter: .linear)
        thumbnails.append(small.compactSamples)
    }

    /// The numbers of the chosen frames, counted from 0, in order.
    ///
    /// The first frame is always chosen. Each further frame has the maximum difference from all frames chosen earlier
    /// (González 1985).
    var chosen: [Int] {
        guard let first = thumbnails.first else { return [] }
        var chosen = [0]
        var distances = thumbnails.map { Self.difference($0, first) }
        while chosen.count < DetectionResult.maxFrames,
            let farthest = distances.indices.max(by: { distances[$0] < distances[$1] }),
            distances[farthest] >= Self.minDifference
        {
            chosen.append(farthest)
            for index in thumbnails.indices {
                distances[index] = min(distances[index], Self.difference(thumbnails[index], thumbnails[farthest]))
            }
        }
        return chosen.sorted()
    }

    private static let size = PixelSize(width: side, height: side)

    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        var sum = 0
        for index in one.indices {
            let difference = Int(one[index]) - Int(other[index])
            sum += difference * difference
        }
        return (Double(sum) / Double(one.count)).squareRoot()
    }
}
