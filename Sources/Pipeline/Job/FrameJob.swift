package import Admission
import BinaryCoding
import Framing
package import Imaging

/// A job: one encoded picture in, images and their plan out.
///
/// A value without shared state: it runs in a thread or a process of the service, or in the command line.
package struct FrameJob: Codable, Sendable {
    /// The encoded image; its bytes determine the format, not its declared type.
    package var source: SourceBytes
    /// The encoded image behind the picture; nil unless the options have ``Backdrop/picture``.
    package var backdrop: SourceBytes?
    /// The form of the result.
    package var answer: Answer
    /// The caller's options.
    package var options: FrameOptions
    /// The findings of an earlier search of the same picture with the same ``searchKey``; nil if a search is needed.
    package var findings: FaceFindings?
    /// Whether faces are ignored because detection failed.
    private var ignoresFaces = false

    /// A job for the given bytes; the options have the service's defaults.
    package init(source: SourceBytes, answer: Answer, options: FrameOptions = FrameOptions()) {
        self.source = source
        self.answer = answer
        self.options = options
    }

    /// A job for the given bytes, with the service's defaults.
    package init(source: [UInt8], answer: Answer) { self.init(source: SourceBytes(source), answer: answer) }

    /// The same job with the fallback instead of faces; nil if the result would then be wrong and not only less good.
    package var withoutFaces: FrameJob? {
        guard case (.shapes, .image) = (answer.crops, answer.product), needsFaces, options.framing.fallback != .error,
            options.redaction == nil
        else { return nil }
        var job = self
        job.ignoresFaces = true
        return job
    }

    /// Whether the answer depends on faces or lists them.
    package var needsFaces: Bool {
        guard case (.shapes, .image) = (answer.crops, answer.product) else { return true }
        return (options.framing.needsFaces || options.redaction != nil || !options.stickers.isEmpty) && !ignoresFaces
    }

    /// Whether the crop may depend on the attention map.
    var mayNeedAttention: Bool { answer.crops == .shapes && options.framing.needsAttention(for: []) }

    /// The animation whose frames all count for the job; nil for a still picture, if only the first picture counts, and
    /// beyond the limits.
    package func animation(of header: ImageHeader, limits: PipelineLimits) -> AnimationInfo? {
        guard options.animation == .auto, answer.crops == .shapes, let animation = header.animation,
            limits.allows(animation)
        else { return nil }
        return animation
    }

    /// How the images are made; nil without images.
    var rendering: Rendering? {
        switch answer.product {
        case .plan: nil
        case .drawing: .drawing
        case .image, .images: options.isLossless ? .cutting : .scaling
        }
    }

    /// How images are made.
    enum Rendering {
        /// Decodes pixels and scales the crops.
        case scaling
        /// Cuts the crops out of the compressed file; pixels are decoded for the detector only.
        case cutting
        /// Scales the whole image and draws on it.
        case drawing
    }

    /// The processor time of the job, compared with others, as far as it is known before the source is decoded.
    package var cost: JobCost {
        if let output = answer.product.output, output.mayBeExpensive { return .high }
        // All frames are decoded, and those of an animated result are searched and encoded.
        let countsFrames = options.animation == .auto && answer.crops == .shapes
        return countsFrames && SourceFormat.mayBeAnimated(source.slice) ? .high : .usual
    }

    /// All inputs of the search, except the picture and the detector.
    package var searchKey: String {
        "\(options.accuracy.rawValue),\(options.smallestFace.map { "\($0)" } ?? "")"
    }

    /// An encoding of everything except the picture, with the backdrop's bytes; jobs with equal requests have equal bytes.
    package var requestBytes: [UInt8] {
        var job = self
        job.source = SourceBytes([])
        job.findings = nil
        job.backdrop = nil
        // A job that cannot be encoded cannot have been sent to a worker.
        return ((try? BinaryCoder.bytes(of: job)) ?? []) + (backdrop?.array ?? [])
    }
}
