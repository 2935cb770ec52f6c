internal import CFaceNet
internal import CHOGDetector
package import Geometry

/// Finds faces in colours with YuNet, a small convolutional network; docs/contributing/face-network.md describes it.
///
/// It finds faces of about 10 to 300 pixels of its input, whose long side is ``longSide`` by default. An instance has
/// its own working memory and must only be used by one thread at a time.
package final class FaceNetwork {
    /// The name of a detector that consists of the network only.
    package static let name = "yunet"
    /// The default long side of the network's input, in pixels; the network finds the most faces at this size.
    package static let longSide = 640
    /// The long side of the network's input for a faster pass that finds larger faces, in pixels.
    package static let fastLongSide = 480
    /// The maximum side of the network's input, for faces that are smaller than usual, in pixels.
    package static let maxLongSide = 1920
    /// The smallest face that the network finds, in pixels of its input.
    package static let smallestFace = 10.0
    /// The minimum ``Detection/confidence`` that confirms another detector's face at the same place.
    package static let minSuspicion = -0.9

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
            let weights = hr_net_weights(&count)
            var handle: OpaquePointer?
            let status = hr_net_model_make(weights, count, hr_hog_best_instructions(), &handle)
            guard status == HR_NET_OK, let handle else { throw DetectionError(status) }
            self.handle = handle
        }

        deinit { hr_net_model_free(handle) }
    }

    /// Creates a network with the program's weights.
    ///
    /// - Throws: ``DetectionError/outOfMemory``.
    package init() throws(DetectionError) {
        model = try Model.standard.get()
        var handle: OpaquePointer?
        let status = hr_net_detector_make(model.handle, &handle)
        guard status == HR_NET_OK, let handle else { throw DetectionError(status) }
        self.handle = handle
    }

    deinit { hr_net_detector_free(handle) }

    /// Returns the size of the network's input for an image.
    ///
    /// The long side has `longSide` pixels. For an elongated image, it is longer, so that the short side has half of
    /// `longSide`. A small image is enlarged at most four times.
    package static func inputSize(of image: PixelSize, longSide: Int = longSide) -> PixelSize {
        let side = Double(longSide)
        let scale = min(
            max(side / Double(image.longSide), side / 2 / Double(image.shortSide)),
            4,
            Double(HR_NET_MAX_SIDE) / Double(image.longSide)
        )
        return PixelSize(rounding: Double(image.width) * scale, Double(image.height) * scale)
    }

    /// Finds faces.
    ///
    /// - Parameters:
    ///   - red: Red samples of sRGB; for a grey image, all three planes are the same.
    ///   - green: Green samples, of the same size.
    ///   - blue: Blue samples, of the same size.
    ///   - threshold: The minimum ``Detection/confidence``.
    /// - Returns: Faces in pixels of the planes, in descending order of confidence, each with its landmarks.
    /// - Throws: ``DetectionError``.
    package func detect(
        red: LumaImage,
        green: LumaImage,
        blue: LumaImage,
        threshold: Double
    ) throws(DetectionError) -> [Detection] {
        try DetectionError.check(red, threshold: threshold)
        guard red.size == green.size, red.size == blue.size else { throw .invalidImage }
        var image = hr_net_image(
            planes: (red.pixels, green.pixels, blue.pixels),
            bytes_per_row: (red.bytesPerRow, green.bytesPerRow, blue.bytesPerRow),
            width: red.size.width,
            height: red.size.height
        )
        var findings = hr_net_findings()
        let status = hr_net_detect(handle, &image, Float(NetworkScore.score(threshold)), Self.overlap, &findings)
        guard status == HR_NET_OK else { throw DetectionError(status) }
        return UnsafeBufferPointer(start: findings.faces, count: findings.count).map(Detection.init)
    }

    /// The minimum intersection over union of two boxes of the same face, as in OpenCV's decoding.
    private static let overlap: Float = 0.3
}

/// The relation of the network's scores to ``Detection/confidence``.
///
/// HOG's confidence c is the distance from its operating point; the probability that the detection is a face is about 1
/// / (1 + 2^(−7 (c + 0.25))). The network's scores are converted to the same scale, so that a number has the same
/// meaning for both detectors. The operating point of 0.75 becomes 0. The slope comes from a logistic regression on 801
/// windows of the corpus, whose log-odds rise by 2.18 for each unit of logit(score). Between the points of the table,
/// the relation is linear, so that it is equal on all processors.
private enum NetworkScore {
    private static let table: [(score: Double, confidence: Double)] = [
        (0, -2), (0.1, -1.482), (0.2, -1.117), (0.3, -0.875), (0.4, -0.676), (0.5, -0.494), (0.6, -0.312),
        (0.7, -0.113), (0.75, 0), (0.8, 0.129), (0.85, 0.286), (0.9, 0.494), (0.95, 0.83), (1, 1.572),
    ]

    static func confidence(_ score: Double) -> Double { value(at: score, table.map { ($0.score, $0.confidence) }) }

    static func score(_ confidence: Double) -> Double { value(at: confidence, table.map { ($0.confidence, $0.score) }) }

    private static func value(at x: Double, _ points: [(x: Double, y: Double)]) -> Double {
        guard let next = points.firstIndex(where: { $0.x > x }) else { return points[points.count - 1].y }
        guard next > 0 else { return points[0].y }
        let (from, to) = (points[next - 1], points[next])
        return from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x)
    }
}

extension Detection {
    fileprivate init(_ face: hr_net_face) {
        func edge(_ value: Float) -> Int { Int(min(max(value, -65_536), 65_536).rounded()) }
        let (left, top) = (edge(face.x), edge(face.y))
        let points = withUnsafeBytes(of: face.points) { bytes in
            bytes.bindMemory(to: hr_net_point.self).map { PixelPoint(x: Double($0.x), y: Double($0.y)) }
        }
        self.init(
            box: PixelRect(
                x: left,
                y: top,
                width: max(1, edge(face.x + face.width) - left),
                height: max(1, edge(face.y + face.height) - top)
            ),
            confidence: NetworkScore.confidence(Double(face.score))
        )
        finder = .network
        // Below ``FaceLandmarks/minConfidence`` if the eyes are close together, as in a profile.
        let isProfile = abs(points[1].x - points[0].x) < 0.2 * Double(face.width)
        landmarks = FaceLandmarks(points, confidence: isProfile ? 0.3 : 0.6)
    }
}

extension DetectionError {
    fileprivate init(_ status: hr_net_status) {
        self =
            switch status {
            case HR_NET_INVALID_IMAGE: .invalidImage
            case HR_NET_OUT_OF_MEMORY: .outOfMemory
            default: .failed(reason: "the face network refused its arguments")
            }
    }
}
