import CHOGDetector
import FaceDetection
import Foundation
import Geometry
import Imaging

/// A grey image for the benchmark.
struct Image {
    var name: String
    var size: PixelSize
    var bytes: [UInt8]

    struct NotPGM: Error {
        var path: String
    }

    /// Reads a binary 8-bit PGM without comments.
    init(pgm path: String) throws {
        let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var words: [String] = []
        var position = 0
        while words.count < 4, position < data.count {
            let word = data[position...].prefix { $0 > 32 }
            words.append(String(decoding: word, as: UTF8.self))
            position += word.count + 1
        }
        guard words.first == "P5", words.last == "255", let width = Int(words[1]), let height = Int(words[2]),
            width > 0, height > 0, data.count - position >= width * height
        else { throw NotPGM(path: path) }
        name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        size = PixelSize(width: width, height: height)
        bytes = Array(data[position..<(position + width * height)])
    }

    private init(name: String, size: PixelSize, bytes: [UInt8]) {
        self.name = name
        self.size = size
        self.bytes = bytes
    }

    /// Draws two faces on a background with grain; a flat background would have no gradients.
    static func drawn(width: Int, height: Int) -> Image {
        let size = PixelSize(width: width, height: height)
        let side = height / 3
        let faces = [
            DrawnFace(x: side / 2, y: side / 2, side: side), DrawnFace(x: width - 2 * side, y: side, side: side),
        ]
        var bytes = DrawnFace.luma(faces, size: size)
        var state: UInt32 = 1
        for i in bytes.indices {
            state = state &* 1_664_525 &+ 1_013_904_223
            bytes[i] = UInt8(clamping: Int(bytes[i]) + Int(state >> 28) - 8)
        }
        return Image(name: "drawn", size: size, bytes: bytes)
    }

    /// The number of pixels of all searched pyramid levels.
    var pyramidPixels: Int {
        levels.reduce(0) { $0 + $1.area }
    }

    private var levels: [PixelSize] {
        var levels = [size]
        while let last = levels.last, last.shortSide * 5 / 6 >= 64 {
            levels.append(PixelSize(width: last.width * 5 / 6, height: last.height * 5 / 6))
        }
        return levels
    }

    func detections(by detector: any FaceDetector) throws -> [Detection] {
        var detector = detector
        return try bytes.withUnsafeBufferPointer { buffer in
            guard let pixels = buffer.baseAddress else { return [] }
            return try detector.detect(
                in: LumaImage(pixels: pixels, size: size, bytesPerRow: size.width),
                threshold: 0
            )
        }
    }

    /// Measures the nanoseconds to shrink the image to all levels of the pyramid, and to compute the features of all levels.
    func stages(_ clock: ContinuousClock) -> (shrink: Double, features: Double) {
        let best = hr_hog_best_instructions()
        var level = bytes
        var times = (shrink: 0.0, features: 0.0)
        for (index, size) in levels.enumerated() {
            let (columns, rows) = (hr_hog_feature_cells(size.width), hr_hog_feature_cells(size.height))
            var features = [Float](repeating: 0, count: Int(columns) * Int(rows) * HR_HOG_PLANES)
            times.features +=
                clock.measure {
                    _ = hr_hog_features(best, level, size.width, size.height, size.width, &features)
                } / .nanoseconds(1)
            guard index + 1 < levels.count else { break }
            var next = [UInt8](repeating: 0, count: levels[index + 1].area)
            times.shrink +=
                clock.measure {
                    _ = hr_hog_shrink(best, level, size.width, size.height, size.width, &next)
                } / .nanoseconds(1)
            level = next
        }
        return times
    }
}
