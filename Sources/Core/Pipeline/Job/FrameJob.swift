import Framing
package import Admission
import BinaryCoding
package import Imaging

/// A job, whose input is one encoded image, and whose output is images and their plan.
///
/// A job is a value without shared state, so the command line can run it, or the service in a thread or a process.
package struct FrameJob: Codable, Sendable {
    /// The encoded image; its bytes determine the format, not its declared type.
    package var source: SourceBytes
    /// The encoded image behind the image; nil unless the options have ``Backdrop/image``.
    package var backdrop: SourceBytes?
    /// The form of the result.
    package var target: Target
    /// The caller's options.
    package var options: FrameOptions
    /// The detections of an earlier search of the same image with the same ``searchKey``; nil if a search is needed.
    package var findings: DetectionResult?
    /// Whether faces are ignored because detection failed.
    private var ignoresFaces = false

    /// Creates a job for the given bytes; the options have the service's defaults.
    package init(source: SourceBytes, target: Target, options: FrameOptions = FrameOptions()) {
        self.source = source
        self.target = target
        self.options = options
    }

    /// Creates a job for the given bytes, with the service's defaults.
    package init(source: [UInt8], target: Target) { self.init(source: SourceBytes(source), target: target) }

    /// The same job without a face search, which uses the fallback; nil if the job uses no faces or cannot be correct
    /// without faces.
    ///
    /// Redaction and `fallback=error` need faces. So do all targets except one image of an aspect ratio: face routes,
    /// plans, several images and drawings.
    package var withoutFaces: FrameJob? {
        guard case (.shapes, .image) = (target.crops, target.product), needsFaces, options.framing.fallback != .error,
            options.redaction == nil
        else { return nil }
        var job = self
        job.ignoresFaces = true
        return job
    }

    /// Whether the target depends on faces or lists them.
    package var needsFaces: Bool {
        guard case (.shapes, .image) = (target.crops, target.product) else { return true }
        let draws = options.redaction != nil || !options.stickers.isEmpty || options.mark != nil
        return (options.framing.needsFaces || draws) && !ignoresFaces
    }

    /// Whether the crop may depend on the attention map.
    var mayNeedAttention: Bool { target.crops == .shapes && options.framing.needsAttention(for: []) }

    /// Returns the animation if all its frames are processed.
    ///
    /// The result is nil for a still image, if only the first image is requested, and if the animation exceeds the
    /// limits.
    package func animation(of header: ImageHeader, limits: PipelineLimits) -> AnimationInfo? {
        guard options.animation == .auto, target.crops == .shapes, let animation = header.animation,
            limits.allows(animation)
        else { return nil }
        return animation
    }

    /// How the job makes its images; nil if it makes none.
    var rendering: Rendering? {
        switch target.product {
        case .plan: nil
        case .drawing: .drawing
        case .image, .images: options.isLossless ? .cutting : .scaling
        }
    }

    /// A method of making images.
    enum Rendering {
        /// Decodes pixels and scales the crops.
        case scaling
        /// Cuts the crops out of the compressed file; pixels are only decoded for the detector.
        case cutting
        /// Scales the whole image and draws on it.
        case drawing
    }

    /// The expected processor time of the job, estimated before the source is decoded.
    package var cost: JobCost {
        if let output = target.product.output, output.mayBeExpensive { return .high }
        return mayProcessFrames ? .high : .usual
    }

    /// Whether all frames of the source may be decoded, searched and encoded, according to its first bytes.
    private var mayProcessFrames: Bool {
        options.animation == .auto && target.crops == .shapes && InputFormat.mayBeAnimated(source.slice)
    }

    /// The same job without the accepted format with the maximum encoder memory; nil if no format can be omitted.
    var lighter: FrameJob? {
        guard let output = target.product.output?.lighter else { return nil }
        let product: Product
        switch target.product {
        case .image: product = .image(output)
        case .images: product = .images(output)
        case .plan, .drawing: return nil
        }
        var job = self
        job.target = Target(crops: target.crops, product: product)
        return job
    }

    /// All inputs of the search, except the image and the detector.
    ///
    /// The key of a search in all frames of an animation differs from the key of a search in the first frame only.
    package var searchKey: String {
        let smallestFace = options.smallestFace.map { "\($0)" } ?? ""
        let region = options.region.map { "\($0)" } ?? ""
        let frames = mayProcessFrames ? "frames" : ""
        let subjects = options.framing.gravity.needsSubjects ? "subjects" : ""
        return "\(options.accuracy.rawValue),\(smallestFace),\(region),\(frames),\(subjects)"
    }

    /// An encoding of everything except the image, including the backdrop's bytes.
    ///
    /// Jobs with equal requests have equal bytes.
    package var requestBytes: [UInt8] {
        var job = self
        job.source = SourceBytes([])
        job.findings = nil
        job.backdrop = nil
        // The service cannot send a job to a worker if the job cannot be encoded.
        return ((try? BinaryCoder.bytes(of: job)) ?? []) + (backdrop?.array ?? [])
    }

    // MARK: Target

    /// The crops of a job, and the images to make of them.
    package struct Target: Codable, Hashable, Sendable {
        /// The crops to plan.
        package let crops: Crops
        /// The images to make.
        package let product: Product

        /// Creates the target of one image with the crop of the first aspect ratio.
        package static func image(_ output: ImageOutput) -> Target { Target(crops: .shapes, product: .image(output)) }

        /// Creates the target of one image for each aspect ratio.
        package static func crops(_ output: ImageOutput) -> Target { Target(crops: .shapes, product: .images(output)) }

        /// The crops of every aspect ratio, without images.
        package static let plan = Target(crops: .shapes, product: .plan)

        /// Creates the target of one image with one padded face; 1 is the largest face.
        package static func face(index: Int, _ output: ImageOutput) -> Target {
            Target(crops: .face(index), product: .image(output))
        }

        /// Creates a target like ``face(index:_:)``, but without an image.
        package static func facePlan(index: Int) -> Target { Target(crops: .face(index), product: .plan) }

        /// Creates the target of one image for each padded face, the largest face first.
        package static func portraits(_ output: ImageOutput) -> Target {
            Target(crops: .everyFace, product: .images(output))
        }

        /// Creates the target of the whole image with drawn faces, and with the crop of the first aspect ratio if
        /// `showsCrop` is true.
        package static func debug(_ output: ImageOutput, showsCrop: Bool) -> Target {
            Target(crops: .shapes, product: .drawing(output, showsCrop: showsCrop))
        }
    }

    /// The crops to plan.
    package enum Crops: Codable, Hashable, Sendable {
        /// One crop for each aspect ratio.
        case shapes
        /// One crop of one face for each aspect ratio; 1 is the largest face.
        case face(Int)
        /// One crop for each face, in the first aspect ratio.
        case everyFace
    }

    /// The images to make.
    package enum Product: Codable, Hashable, Sendable {
        /// No image: the result is the plan.
        case plan
        /// An image of the first crop.
        case image(ImageOutput)
        /// An image of each crop.
        case images(ImageOutput)
        /// The whole image with the faces drawn on it, and with the first crop if `showsCrop` is true.
        case drawing(ImageOutput, showsCrop: Bool)

        /// Whether the result is one image without other data.
        package var isSingleImage: Bool {
            switch self {
            case .image, .drawing: true
            case .plan, .images: false
            }
        }

        /// The encoding of the images; nil without images.
        package var output: ImageOutput? {
            switch self {
            case .plan: nil
            case .image(let output), .images(let output), .drawing(let output, _): output
            }
        }
    }
}
