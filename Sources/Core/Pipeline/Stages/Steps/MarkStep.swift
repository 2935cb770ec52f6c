import Framing
import Geometry
import Imaging

/// Draws the watermark of a job on finished, rotated results.
struct MarkStep: CropStep {
    private var mark: MarkImage

    static func isRequested(_ options: FrameOptions) -> Bool { options.mark?.content != nil }

    init?(_ materials: StepInputs) {
        guard let mark = materials.mark else { return nil }
        self.mark = mark
    }

    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        guard let content = plan.job.options.mark?.content else { return 0 }
        // The watermark's image, the scaled image, and the result without and with the watermark.
        return content.bytes + bound.pixels * 20
    }

    static var isInPlaceholders: Bool { false }

    var models: StepModels { .rgb }

    func prepared(for crop: FramePlan.Crop) throws(CodecError) -> MarkStep {
        var step = self
        step.mark = try mark.scaled(for: crop.mark)
        return step
    }

    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        try mark.drawn(on: image, moment.crop.mark)
    }
}

/// The decoded image of a watermark.
struct MarkImage {
    private let image: PlanarImage
    /// The image scaled for one position; nil before ``scaled(for:)``.
    private var prepared: PlanarImage?
    private let opacity: Double

    /// Decodes the watermark of a job; nil if the job has no watermark or makes no images of crops.
    ///
    /// - Throws: ``PipelineError/codec(_:)``.
    init?(_ job: FrameJob, limits: DecodeLimits) throws(PipelineError) {
        guard let mark = job.options.mark, let content = mark.content, job.rendering == .scaling else { return nil }
        opacity = mark.opacity
        image = try codec(content.firstImage(limits))
    }

    /// Returns a finished, rotated RGB result with the watermark at a position.
    func drawn(on result: PlanarImage, _ placed: PlacedWatermark?) throws(CodecError) -> PlanarImage {
        guard let placed else { return result }
        return try result.stamped(with: image(of: placed.rect.size), opacity: opacity, at: placed.rect)
    }

    /// Returns the watermark scaled for one position, so that many results can use it without scaling it again.
    func scaled(for placed: PlacedWatermark?) throws(CodecError) -> MarkImage {
        guard let placed else { return self }
        var mark = self
        mark.prepared = try image(of: placed.rect.size)
        return mark
    }

    private func image(of size: PixelSize) throws(CodecError) -> PlanarImage {
        if let prepared, prepared.size == size { return prepared }
        return try image.rendered(FractionalRect(PixelRect(image.size)), to: size, model: .rgb, profile: .srgb)
    }
}

extension Sticker.Content {
    /// Returns the first image.
    fileprivate func firstImage(_ limits: DecodeLimits) throws(CodecError) -> PlanarImage {
        switch self {
        case .drawn(let drawn): return try drawn.frames()[0]
        case .files(let files):
            guard let file = files.first else { throw .failed("a watermark without an image") }
            let header = try ImageHeader.read(file)
            try limits.check(header, scale: .full)
            return try ImageDecoder.decode(file, header: header, limits: limits)
        }
    }
}
