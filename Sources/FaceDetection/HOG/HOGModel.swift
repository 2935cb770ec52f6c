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

    /// dlib's frontal face detector, from weights that are part of the program, since dlib takes 0.2 s to decode its own.
    static func frontal() throws(DetectionError) -> HOGModel {
        var detector = hr_hog_frontal_detector()
        return try HOGModel(
            settings: detector.settings,
            weights: Array(UnsafeBufferPointer(start: detector.weights, count: detector.weight_count)),
            thresholds: withUnsafeBytes(of: &detector.thresholds) { Array($0.bindMemory(to: Double.self)) },
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
