import CDlibHOG
import CHOGDetector
import Foundation
import Testing

/// The weights in the program and those in dlib's header.
struct FrontalWeightsTests {
    @Test func `the program's weights and settings are those of dlib's header`() throws {
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

        var count = 0
        let embedded = hr_hog_frontal_weights(&count)
        #expect(Array(UnsafeBufferPointer(start: embedded, count: count)) == weights)
        #expect([settings.columns, settings.rows, settings.padding] == [10, 10, 0])
        #expect([settings.max_levels, settings.min_layer_width, settings.min_layer_height] == [1000, 64, 64])
        #expect([settings.overlap_iou, settings.overlap_covered] == [0.33008212188056446, 0.7885714285714286])
        #expect(
            thresholds == [
                3.2744957766996508, 3.986821636074024, 3.8959356750348184, 3.5148690352596796, 3.558029025830369,
            ]
        )
    }
}
