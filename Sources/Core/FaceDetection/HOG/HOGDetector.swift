internal import CDlibHOG
internal import CHOGDetector
import Geometry

/// dlib's HOG detector with the same results, evaluated several times faster than by dlib.
package final class HOGDetector: FaceDetector {
    package let name: String
    package let smallestDetectableSide: Int
    private let model: HOGModel
    private let smallestFace: Int
    private let handle: OpaquePointer

    /// The instruction set extensions of a detector; all give the same results to the last bit.
    package enum Instructions: CaseIterable, Sendable {
        /// Code without kernels for the processor, slower than dlib's code.
        case plain
        /// SSSE3 and SSE4.1 of x86-64.
        case sse4
        /// AVX2 and FMA.
        case avx2
        /// AVX-512 with VNNI.
        case avx512
        /// NEON, which every arm64 processor has.
        case neon
        /// NEON with dot products of 8 bits.
        case neonDot

        /// The extensions that this processor supports, the fastest last.
        package static var supported: [Instructions] { allCases.filter { hr_hog_supports($0.code) != 0 } }

        /// The fastest extension that this processor supports.
        package static var best: Instructions { supported.last ?? .plain }

        fileprivate var code: hr_hog_instructions {
            switch self {
            case .plain: HR_HOG_PLAIN
            case .sse4: HR_HOG_SSE4
            case .avx2: HR_HOG_AVX2
            case .avx512: HR_HOG_AVX512
            case .neon: HR_HOG_NEON
            case .neonDot: HR_HOG_NEON_DOT
            }
        }
    }

    /// Creates a detector with its own working memory; `instructions` must be ``Instructions/supported``.
    ///
    /// Pyramid levels with a window of less than `smallestFace` pixels of the image are skipped.
    init(
        model: HOGModel,
        name: String,
        smallestFace: Int = 0,
        instructions: Instructions = .best
    ) throws(DetectionError) {
        var handle: OpaquePointer?
        let status = hr_hog_detector_make(model.handle, instructions.code, &handle)
        guard status == HR_HOG_OK, let handle else { throw DetectionError(status) }
        self.handle = handle
        self.model = model
        self.name = name
        self.smallestFace = smallestFace
        var side = Double(model.smallestSide)
        while side < Double(smallestFace) { side *= 6.0 / 5 }
        smallestDetectableSide = Int(side.rounded())
    }

    /// Creates dlib's frontal detector with these instructions.
    package static func frontal(with instructions: Instructions, smallestFace: Int = 0) throws -> HOGDetector {
        try HOGDetector(model: .frontal(), name: "dlib-hog", smallestFace: smallestFace, instructions: instructions)
    }

    /// Creates a detector saved by dlib's trainer, with these instructions; nil if only dlib can evaluate it.
    package static func file(_ path: String, with instructions: Instructions) throws -> HOGDetector? {
        guard let model = try HOGModel.converted(from: .read(path)) else { return nil }
        return try HOGDetector(model: model, name: "file", instructions: instructions)
    }

    deinit { hr_hog_detector_free(handle) }

    package func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        try DetectionError.check(image, threshold: threshold)
        var findings = hr_hog_findings()
        let status = hr_hog_detect(
            handle,
            image.pixels,
            image.size.width,
            image.size.height,
            image.bytesPerRow,
            threshold,
            Double(smallestFace),
            &findings
        )
        guard status == HR_HOG_OK else { throw DetectionError(status) }
        let windows = UnsafeBufferPointer(start: findings.windows, count: findings.window_count).map(detection)
        var objects = UnsafeBufferPointer(start: findings.objects, count: findings.object_count).map(detection)
        Consensus.gather(from: windows, into: &objects, threshold: threshold)
        return objects
    }

    private func detection(_ raw: hr_hog_detection) -> Detection {
        Detection(
            box: PixelRect(x: Int(raw.x), y: Int(raw.y), width: Int(raw.width), height: Int(raw.height)),
            confidence: raw.confidence,
            pose: Int(raw.filter) < model.poses.count ? model.poses[Int(raw.filter)] : nil
        )
    }
}

extension DetectionError {
    init(_ status: hr_hog_status) {
        self =
            switch status {
            case HR_HOG_INVALID_IMAGE: .invalidImage
            case HR_HOG_OUT_OF_MEMORY: .outOfMemory
            default: .failed(reason: "the detector has invalid settings")
            }
    }
}

/// The weights of a detector for ``HOGDetector``.
///
/// `@unchecked Sendable`: the C object is immutable.
final class HOGModel: @unchecked Sendable {
    let handle: OpaquePointer
    /// The shorter side of the smallest box, in pixels.
    let smallestSide: Int
    /// The pose of each filter; empty for detectors other than dlib's frontal detector.
    let poses: [Pose]

    private init(
        settings: hr_hog_settings,
        weights: [Float],
        thresholds: [Double],
        poses: [Pose]
    ) throws(DetectionError) {
        var handle: OpaquePointer?
        let status = withUnsafePointer(to: settings) { hr_hog_model_make($0, weights, thresholds, &handle) }
        guard status == HR_HOG_OK, let handle else { throw DetectionError(status) }
        self.handle = handle
        smallestSide = Int(min(settings.columns, settings.rows) - 2 * settings.padding) * Int(HR_HOG_CELL)
        self.poses = poses
    }

    deinit { hr_hog_model_free(handle) }

    /// Creates dlib's frontal face detector from weights that are part of the program.
    ///
    /// dlib takes 0.2 s to decode its own weights.
    static func frontal() throws(DetectionError) -> HOGModel {
        var detector = hr_hog_frontal_detector()
        return try HOGModel(
            settings: detector.settings,
            weights: Array(UnsafeBufferPointer(start: detector.weights, count: detector.weight_count)),
            thresholds: withUnsafeBytes(of: &detector.thresholds) { Array($0.bindMemory(to: Double.self)) },
            poses: Pose.partsOfFrontalDetector
        )
    }

    /// Converts the detector of `model`; nil if only dlib can evaluate it.
    ///
    /// This is the case if its cells do not have 8 pixels or its window is too large.
    static func converted(from model: DlibModel) throws(DetectionError) -> HOGModel? {
        var from = hr_dlib_settings()
        hr_dlib_model_settings(model.handle, &from)
        let window = 1...Int32(HR_HOG_MAX_WINDOW)
        guard from.cell_size == HR_HOG_CELL, window.contains(from.columns), window.contains(from.rows) else {
            return nil
        }

        let cells = Int(from.columns) * Int(from.rows) * Int(HR_DLIB_PLANES)
        var weights = [Float](repeating: 0, count: Int(from.filter_count) * cells)
        var thresholds = [Double](repeating: 0, count: Int(from.filter_count))
        var message = hr_dlib_message()
        let status = hr_dlib_model_filters(model.handle, &weights, &thresholds, &message)
        guard status == HR_DLIB_OK else { throw DetectionError(status, message) }
        return try HOGModel(
            settings: hr_hog_settings(
                columns: from.columns,
                rows: from.rows,
                padding: from.padding,
                max_levels: from.max_levels,
                min_layer_width: from.min_layer_width,
                min_layer_height: from.min_layer_height,
                filter_count: from.filter_count,
                overlap_iou: from.overlap_iou,
                overlap_covered: from.overlap_covered
            ),
            weights: weights,
            thresholds: thresholds,
            poses: model.poses
        )
    }
}
