internal import CFaceNet
internal import CHOGDetector
package import FaceDetection
package import Framing
package import Geometry

/// Finds objects of 80 classes with NanoDet-Plus-m, a small convolutional network;
/// docs/contributing/subject-network.md describes it.
///
/// All instances share the weights. An instance has its own working memory and must only be used by one thread at a
/// time.
package final class SubjectNetwork {
    /// The long side of the network's input, in pixels.
    package static let longSide = 256
    /// The maximum number of objects that one call returns.
    package static let maximumCount = Int(HR_SUBJECTS_MAX_COUNT)
    /// The minimum useful score: a person in an upright photograph has at least this score.
    package static let lowestThreshold = 0.1

    private let model: Model
    private let handle: OpaquePointer

    /// The weights, prepared for the processor.
    ///
    /// `@unchecked Sendable`: the C object is immutable.
    private final class Model: @unchecked Sendable {
        let handle: OpaquePointer

        static let standard = Result { () throws(DetectionError) in try Model() }

        init() throws(DetectionError) {
            var count = 0
            let weights = hr_subjects_weights(&count)
            var handle: OpaquePointer?
            let status = hr_subjects_model_make(weights, count, hr_hog_best_instructions(), &handle)
            guard status == HR_NET_OK, let handle else { throw DetectionError(status) }
            self.handle = handle
        }

        deinit { hr_subjects_model_free(handle) }
    }

    /// Whether the program contains the weights: it was built with the trait `Subjects`.
    package static var isAvailable: Bool {
        var count = 0
        _ = hr_subjects_weights(&count)
        return count > 0
    }

    /// Creates a network with the program's weights.
    ///
    /// - Throws: ``DetectionError/outOfMemory``, or ``DetectionError/failed(reason:)`` if the program has no weights.
    package init() throws(DetectionError) {
        model = try Model.standard.get()
        var handle: OpaquePointer?
        let status = hr_subjects_make(model.handle, &handle)
        guard status == HR_NET_OK, let handle else { throw DetectionError(status) }
        self.handle = handle
    }

    deinit { hr_subjects_free(handle) }

    /// Returns the size of the network's input for an image: the same aspect ratio with a long side of ``longSide``
    /// pixels.
    ///
    /// Small images are enlarged. The short side has at least one pixel.
    package static func inputSize(of image: PixelSize) -> PixelSize {
        let scale = Double(longSide) / Double(max(1, image.longSide))
        return PixelSize(rounding: Double(image.width) * scale, Double(image.height) * scale)
    }

    /// Returns the bytes of an instance's working memory after an input of this size; 0 if the size is invalid.
    ///
    /// The first call with a size allocates the memory, which is then kept; ``detect(red:green:blue:threshold:in:)``
    /// otherwise allocates only its result.
    package static func memory(for input: PixelSize) -> Int {
        guard input.width > 0, input.height > 0 else { return 0 }
        return hr_subjects_memory(input.width, input.height)
    }

    /// Finds objects.
    ///
    /// A call takes a few milliseconds and is not cancellable.
    ///
    /// - Parameters:
    ///   - red: Red samples of sRGB, scaled to ``inputSize(of:)``; for a grey image, all three planes are the same.
    ///   - green: Green samples, of the same size.
    ///   - blue: Blue samples, of the same size.
    ///   - threshold: The minimum score, 0 to 1.
    ///   - size: The size of the upright image; boxes are in its pixels.
    /// - Returns: At most ``maximumCount`` objects, the highest scores first. Boxes are inside the image and not empty.
    ///   If objects of the same class overlap by more than 0.6 of their union, only the first is returned.
    /// - Throws: ``DetectionError``.
    package func detect(
        red: LumaImage,
        green: LumaImage,
        blue: LumaImage,
        threshold: Double,
        in size: PixelSize
    ) throws(DetectionError) -> [DetectedSubject] {
        guard red.size == green.size, red.size == blue.size, red.size.shortSide > 0, size.shortSide > 0 else {
            throw .invalidImage
        }
        guard threshold >= 0, threshold <= 1 else { throw .invalidThreshold(threshold) }
        var image = hr_net_image(
            planes: (red.pixels, green.pixels, blue.pixels),
            bytes_per_row: (red.bytesPerRow, green.bytesPerRow, blue.bytesPerRow),
            width: red.size.width,
            height: red.size.height
        )
        var findings = hr_subject_findings()
        let status = hr_subjects_detect(handle, &image, Float(threshold), Self.overlap, &findings)
        guard status == HR_NET_OK else { throw DetectionError(status) }
        let across = Double(size.width) / Double(red.size.width)
        let down = Double(size.height) / Double(red.size.height)
        return UnsafeBufferPointer(start: findings.subjects, count: findings.count).compactMap { found in
            let kinds = SubjectClass.allCases
            guard kinds.indices.contains(Int(found.kind)) else { return nil }
            let left = min(max(0, Double(found.left) * across), Double(size.width))
            let top = min(max(0, Double(found.top) * down), Double(size.height))
            let right = min(max(0, Double(found.right) * across), Double(size.width))
            let bottom = min(max(0, Double(found.bottom) * down), Double(size.height))
            guard right > left, bottom > top else { return nil }
            return DetectedSubject(
                kinds[Int(found.kind)],
                box: FractionalRect(x: left, y: top, width: right - left, height: bottom - top),
                score: Double(found.score)
            )
        }
    }

    /// The minimum intersection over union of two boxes of the same object and class.
    private static let overlap: Float = 0.6
}

extension DetectionError {
    fileprivate init(_ status: hr_net_status) {
        self =
            switch status {
            case HR_NET_INVALID_IMAGE: .invalidImage
            case HR_NET_OUT_OF_MEMORY: .outOfMemory
            default: .failed(reason: "the subject network rejected its arguments")
            }
    }
}
