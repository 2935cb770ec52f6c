import CDlibHOG

/// The weights and settings of dlib's frontal face detector.
struct FrontalTable {
    private var settings = hr_dlib_settings()
    private var weights: [Float]
    private var thresholds: [Double]

    /// Decodes the detector that is part of dlib's header.
    init() throws(DlibFailure) {
        var model: OpaquePointer?
        var message = hr_dlib_message()
        guard hr_dlib_model_frontal(&model, &message) == HR_DLIB_OK, let model else { throw DlibFailure(message) }
        defer { hr_dlib_model_free(model) }

        hr_dlib_model_settings(model, &settings)
        let cells = Int(settings.columns) * Int(settings.rows)
        weights = [Float](repeating: 0, count: Int(settings.filter_count) * cells * Int(HR_DLIB_PLANES))
        thresholds = [Double](repeating: 0, count: Int(settings.filter_count))
        let status = hr_dlib_model_filters(model, &weights, &thresholds, &message)
        guard status == HR_DLIB_OK else { throw DlibFailure(message) }
    }

    /// Swift source that defines `FrontalWeights`.
    ///
    /// Weights are the bits of a `Float` as eight hexadecimal digits, a line for each cell, in one string: the
    /// compiler would take minutes for an array of as many numbers.
    var source: String {
        """
        // Generated from dlib's frontal_face_detector.h; do not edit.

        enum FrontalWeights {
            static let cellSize: Int32 = \(settings.cell_size)
            static let columns: Int32 = \(settings.columns)
            static let rows: Int32 = \(settings.rows)
            static let padding: Int32 = \(settings.padding)
            static let maxLevels: Int32 = \(settings.max_levels)
            static let minLayerWidth: Int32 = \(settings.min_layer_width)
            static let minLayerHeight: Int32 = \(settings.min_layer_height)
            static let overlapIOU: Double = \(settings.overlap_iou)
            static let overlapCovered: Double = \(settings.overlap_covered)
            static let thresholds: [Double] = \(thresholds)
            static let weights: StaticString = \"""
        \(lines)
        \"""
        }

        """
    }

    private var lines: String {
        let planes = Int(HR_DLIB_PLANES)
        return stride(from: 0, to: weights.count, by: planes)
            .map { weights[$0..<($0 + planes)].map(hexadecimal).joined() }
            .joined(separator: "\n")
    }

    private func hexadecimal(_ value: Float) -> String {
        let digits = String(value.bitPattern, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// dlib's error message if it cannot decode its own detector.
struct DlibFailure: Error, CustomStringConvertible {
    let description: String

    init(_ message: hr_dlib_message) {
        description = withUnsafeBytes(of: message.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
