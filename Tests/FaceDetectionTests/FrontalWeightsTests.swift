import CDlibHOG
import CHOGDetector
import Foundation
import Testing

/// Compares the weights in the program with the weights in dlib's header.
struct FrontalWeightsTests {
    @Test func `the program's weights and settings equal dlib's`() throws {
        var model: OpaquePointer?
        var message = hr_dlib_message()
        #expect(hr_dlib_model_frontal(&model, &message) == HR_DLIB_OK)
        defer { hr_dlib_model_free(model) }
        var settings = hr_dlib_settings()
        hr_dlib_model_settings(try #require(model), &settings)
        let cells = Int(settings.columns) * Int(settings.rows)
        var weights = [Float](repeating: 0, count: Int(settings.filter_count) * cells * Int(HR_DLIB_PLANES))
        var thresholds = [Double](repeating: 0, count: Int(settings.filter_count))
        #expect(hr_dlib_model_filters(try #require(model), &weights, &thresholds, &message) == HR_DLIB_OK)
        if ProcessInfo.processInfo.environment["HEADROOM_UPDATE_SNAPSHOTS"] != nil {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/C/CHOGDetector/frontal.dat")
            try weights.withUnsafeBytes { try Data($0).write(to: file) }
        }

        var own = hr_hog_frontal_detector()
        #expect(Array(UnsafeBufferPointer(start: own.weights, count: own.weight_count)) == weights)
        #expect(withUnsafeBytes(of: &own.thresholds) { Array($0.bindMemory(to: Double.self)) } == thresholds)
        let expected = own.settings
        #expect(
            [settings.columns, settings.rows, settings.padding] == [expected.columns, expected.rows, expected.padding]
        )
        #expect(settings.max_levels == expected.max_levels && settings.filter_count == expected.filter_count)
        #expect(settings.min_layer_width == expected.min_layer_width)
        #expect(settings.min_layer_height == expected.min_layer_height)
        #expect(settings.overlap_iou == expected.overlap_iou && settings.overlap_covered == expected.overlap_covered)
    }
}
