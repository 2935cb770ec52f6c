import Geometry
import Imaging

/// The pixels of a job's source, decoded at the smallest sufficient scale, and decoded again only for a finer scale.
package struct SourcePixels {
    private let job: FrameJob
    private let header: ImageHeader
    private let limits: DecodeLimits
    /// Whether the caller provided a decoded image, which is then used for every requested scale.
    private let isGiven: Bool
    private var image: (image: PlanarImage, scale: DecodeScale)?
    private var grey: (plane: Plane, scale: DecodeScale)?

    /// The total time of decoding.
    private(set) var duration = Duration.zero

    /// Whether a part of the decoded pixels is lost.
    private(set) var isDamaged = false

    /// Creates the pixels of a source, or wraps an `image` that is already decoded, such as an animation frame or a
    /// redacted source.
    init(job: FrameJob, header: ImageHeader, limits: DecodeLimits, image: PlanarImage? = nil) {
        self.job = job
        self.header = header
        self.limits = limits
        isGiven = image != nil
        self.image = image.map { ($0, .full) }
    }

    /// Returns the luma at the smallest scale that has at least `size` pixels, or at full scale.
    ///
    /// The scale depends on the sizes requested so far, but not on the colour image, whose scale depends on the result.
    /// The search therefore finds the same faces for every form of the result.
    mutating func luma(atLeast size: PixelSize) throws(PipelineError) -> Plane {
        let scale = DecodeScale.smallest(of: header, atLeast: size, from: header.size)
        if let grey, grey.scale >= scale { return grey.plane }
        grey = nil
        let start = ContinuousClock.now
        defer { duration += .now - start }
        if let image, isGiven || image.scale == scale {
            let plane = try codec(image.image.luma())
            grey = (plane, image.scale)
            return plane
        }
        let luma = try codec(ImageDecoder.luma(job.source.array, header: header, scale: scale, limits: limits))
        isDamaged = isDamaged || luma.isDamaged
        grey = (luma.plane, scale)
        return luma.plane
    }

    /// Returns the colours over white, at the smallest scale that has at least `size` pixels.
    ///
    /// The decoded pixels are shared with ``luma(atLeast:)``.
    mutating func colors(atLeast size: PixelSize) throws(PipelineError) -> PlanarImage {
        let scale = DecodeScale.smallest(of: header, atLeast: size, from: header.size)
        let image = try self.image(exactlyAt: scale)
        if self.image.map({ $0.scale < scale }) ?? true { self.image = (image, scale) }
        let colors = try codec(image.flattened())
        if grey.map({ $0.scale < scale }) ?? true { grey = (try codec(colors.luma()), scale) }
        return colors
    }

    /// Returns the views of the source: the different ways in which viewers may display it.
    mutating func views() throws(PipelineError) -> [ImageView] {
        header.format == .jpeg ? [.overWhite] : try image(atLeast: .full).views
    }

    /// Returns the luma of one of the ``views()``, at the scale of ``luma(atLeast:)``.
    mutating func luma(_ view: ImageView, atLeast size: PixelSize) throws(PipelineError) -> Plane {
        guard view != .overWhite else { return try luma(atLeast: size) }
        let image = try self.image(atLeast: .full)
        return try codec(image.luma(view))
    }

    /// Returns the colour pixels of a part of the source, possibly with more around it, at `scale` or a finer scale.
    ///
    /// The rectangle is in pixels of the source at `scale`.
    mutating func part(_ rect: PixelRect, atLeast scale: DecodeScale) throws(PipelineError) -> PartialImage {
        if let image, image.scale >= scale { return PartialImage(whole: image.image) }
        // Pixels of a smaller scale are no longer needed.
        image = nil
        return try decoded(rect, at: scale)
    }

    private mutating func decoded(_ rect: PixelRect, at scale: DecodeScale) throws(PipelineError) -> PartialImage {
        let start = ContinuousClock.now
        defer { duration += .now - start }
        let source = job.source.array
        let part = try codec(ImageDecoder.decode(source, header: header, scale: scale, covering: rect, limits: limits))
        isDamaged = isDamaged || part.image.isDamaged
        return part
    }

    /// Returns the colour pixels of a part of the source, possibly with more around it, at exactly `scale`.
    ///
    /// The result therefore does not depend on whether an earlier search decoded finer pixels. The rectangle is in
    /// pixels of the source at `scale`.
    mutating func part(_ rect: PixelRect, exactlyAt scale: DecodeScale) throws(PipelineError) -> PartialImage {
        if let image, isGiven || image.scale == scale { return PartialImage(whole: image.image) }
        return try decoded(rect, at: scale)
    }

    /// Drops the luma, so that the scale of the next luma does not depend on earlier searches.
    ///
    /// Otherwise the scale would depend on whether this job or an earlier job ran these searches.
    mutating func forgetLuma() { grey = nil }

    /// Returns the colour image at exactly `scale`.
    ///
    /// The attention map therefore does not depend on the form of the result.
    mutating func image(exactlyAt scale: DecodeScale) throws(PipelineError) -> PlanarImage {
        if let image, isGiven || image.scale == scale { return image.image }
        return try decoded(at: scale)
    }

    /// Returns the colour image at `scale` or a finer scale.
    mutating func image(atLeast scale: DecodeScale) throws(PipelineError) -> PlanarImage {
        if let image, image.scale >= scale { return image.image }
        let decoded = try decoded(at: scale)
        image = (decoded, scale)
        return decoded
    }

    private mutating func decoded(at scale: DecodeScale) throws(PipelineError) -> PlanarImage {
        let start = ContinuousClock.now
        defer { duration += .now - start }
        let image = try codec(ImageDecoder.decode(job.source.array, header: header, scale: scale, limits: limits))
        isDamaged = isDamaged || image.isDamaged
        return image
    }
}
