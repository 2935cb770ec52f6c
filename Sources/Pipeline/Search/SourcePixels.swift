import Geometry
import Imaging

/// The pixels of a job's source, decoded once at the smallest scale that serves, and again only when more are needed.
struct SourcePixels {
    private let job: FrameJob
    private let header: ImageHeader
    private let limits: DecodeLimits
    private var picture: (image: PlanarImage, scale: DecodeScale)?
    private var grey: (plane: Plane, scale: DecodeScale)?

    /// The time spent on decoding so far.
    private(set) var duration = Duration.zero

    init(job: FrameJob, header: ImageHeader, limits: DecodeLimits) {
        self.job = job
        self.header = header
        self.limits = limits
    }

    /// The luma at a scale that has at least `size`, or the whole source's.
    ///
    /// It depends on the sizes that were asked for before, and not on the scale of the picture in colour, which follows
    /// from the result: so the same faces are found whatever is made of them.
    mutating func luma(atLeast size: PixelSize) throws(PipelineError) -> Plane {
        let scale = DecodeScale.smallest(of: header, atLeast: size, from: header.size)
        if let grey, grey.scale >= scale { return grey.plane }
        grey = nil
        let start = ContinuousClock.now
        defer { duration += .now - start }
        do {
            if let picture, picture.scale == scale {
                let plane = try picture.image.luma()
                grey = (plane, picture.scale)
                return plane
            }
            let plane = try ImageDecoder.decodeLuma(job.source.array, header: header, scale: scale, limits: limits)
            grey = (plane, scale)
            return plane
        } catch {
            throw .codec(error)
        }
    }

    /// The pixels in colour of a part of the source, at `scale` or a finer one.
    ///
    /// - Parameters:
    ///   - rect: The part, in pixels of the source at `scale`.
    ///   - scale: The least scale.
    /// - Returns: At least that part.
    /// - Throws: ``PipelineError/codec(_:)``.
    mutating func part(_ rect: PixelRect, atLeast scale: DecodeScale) throws(PipelineError) -> PartialImage {
        if let picture, picture.scale >= scale { return PartialImage(whole: picture.image) }
        let start = ContinuousClock.now
        defer { duration += .now - start }
        // What was decoded at a smaller scale has served.
        picture = nil
        do {
            let source = job.source.array
            return try ImageDecoder.decode(source, header: header, scale: scale, covering: rect, limits: limits)
        } catch {
            throw .codec(error)
        }
    }

    /// The picture in colour at `scale` and no other, so that what is made of it does not depend on what else was asked.
    mutating func picture(exactlyAt scale: DecodeScale) throws(PipelineError) -> PlanarImage {
        if let picture, picture.scale == scale { return picture.image }
        let start = ContinuousClock.now
        defer { duration += .now - start }
        do {
            return try ImageDecoder.decode(job.source.array, header: header, scale: scale, limits: limits)
        } catch {
            throw .codec(error)
        }
    }

    /// The picture in colour at `scale` or a finer one.
    mutating func picture(atLeast scale: DecodeScale) throws(PipelineError) -> PlanarImage {
        if let picture, picture.scale >= scale { return picture.image }
        let start = ContinuousClock.now
        defer { duration += .now - start }
        do {
            let image = try ImageDecoder.decode(job.source.array, header: header, scale: scale, limits: limits)
            picture = (image, scale)
            return image
        } catch {
            throw .codec(error)
        }
    }
}
