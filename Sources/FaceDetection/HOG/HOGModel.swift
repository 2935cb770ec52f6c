internal import CDlibHOG
internal import CHOGDetector

/// The weights of a detector that ``HOGDetector`` evaluates.
///
/// `@unchecked Sendable`: the C object is immutable.
final class HOGModel: @unchecked Sendable {
    let handle: OpaquePointer
    /// The shorter side of the smallest box, in pixels.
    let smallestSide: Int
    /// The pose of each filter; empty for detectors other than dlib's frontal one.
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

    deinit {
        hr_hog_model_free(handle)
    }

    /// dlib's frontal face detector, from the table generated at build time.
    static func frontal() throws(DetectionError) -> HOGModel {
        try HOGModel(
            settings: hr_hog_settings(
                columns: FrontalWeights.columns,
                rows: FrontalWeights.rows,
                padding: FrontalWeights.padding,
                max_levels: FrontalWeights.maxLevels,
                min_layer_width: FrontalWeights.minLayerWidth,
                min_layer_height: FrontalWeights.minLayerHeight,
                filter_count: Int32(FrontalWeights.thresholds.count),
                overlap_iou: FrontalWeights.overlapIOU,
                overlap_covered: FrontalWeights.overlapCovered
            ),
            weights: FrontalWeights.weights.hexadecimalFloats,
            thresholds: FrontalWeights.thresholds,
            poses: Pose.partsOfFrontalDetector
        )
    }

    /// The detector of `model`; nil if only dlib can evaluate it: its cells are not of 8 pixels or its window is too
    /// large.
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

extension StaticString {
    /// Floats whose bits are written as eight hexadecimal digits each, in lines.
    fileprivate var hexadecimalFloats: [Float] {
        withUTF8Buffer { digits in
            var floats: [Float] = []
            floats.reserveCapacity(digits.count / 8)
            var bits: UInt32 = 0
            var count = 0
            for digit in digits where digit != UInt8(ascii: "\n") {
                let value = digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
                bits = bits << 4 | UInt32(value)
                count += 1
                guard count % 8 == 0 else { continue }
                floats.append(Float(bitPattern: bits))
                bits = 0
            }
            return floats
        }
    }
}
