import Framing
import Geometry
import Imaging
import Pipeline

/// The small jobs that show whether a worker can work: before it enters the sandbox, and again inside.
enum Rehearsal {
    static let size = PixelSize(width: 48, height: 32)

    /// A picture of stripes, with a profile that is converted.
    static func picture() throws(CodecError) -> PlanarImage {
        var planes: [Plane] = []
        for index in 0..<3 {
            planes.append(try Plane(size) { x, y in UInt8((x * 2 + y * 3 + index * 40) % 128) })
        }
        let displayP3 = ColorDescription(primaries: 12, transfer: 13)
        let profile = ICCProfile(displayP3, for: .rgb)
        return PlanarImage(size: size, colorModel: .rgb, planes: planes, iccProfile: profile)
    }

    /// An animation of two frames.
    static func animation(_ format: ImageFormat) throws(CodecError) -> [UInt8] {
        let writer = try AnimationEncoder.begin(format, size: size, plays: 0)
        let picture = try picture()
        try writer.add(picture, milliseconds: 100)
        let planes = [picture.planes[1], picture.planes[2], picture.planes[0]]
        try writer.add(PlanarImage(size: size, colorModel: .rgb, planes: planes), milliseconds: 100)
        return try writer.finish()
    }

    /// A job that decodes, looks for faces once and encodes.
    static func job() throws(CodecError) -> FrameJob {
        let source = try ImageEncoder.encode(try picture(), as: .jpeg)
        var job = FrameJob(source: source, answer: .image(ImageOutput(format: .jpeg)))
        job.options.accuracy = .low
        job.options.resultSize.width = size.width / 2
        return job
    }
}
