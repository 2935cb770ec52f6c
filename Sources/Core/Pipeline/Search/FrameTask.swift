import FaceDetection
import Framing
package import Geometry
import Imaging

/// A ``FaceSearch`` task for the frames of a video: their size, the smallest face, and the passes.
///
/// Unlike a still image, a frame is only searched upright. The result includes detections below the threshold, because
/// they can continue tracks from other frames.
package struct FrameTask: Sendable {
    /// The smallest face that a network searches, as a fraction of the frame's short side, unless the caller sets
    /// another fraction.
    package static let smallestFaceOfNetwork = 0.02
    /// The smallest face that another detector searches, as a fraction of the frame's short side.
    ///
    /// There are two passes, with 720 and 1,333 rows. A third pass for smaller faces would take as long as both
    /// together, and finds more faces in only a few frames.
    package static let smallestFace = 0.06

    /// The size of the frames.
    package let size: PixelSize
    /// The smallest face for a network, as a fraction of the short side.
    let smallestFace: Double
    let plan: SearchPlan

    /// The minimum score of an uncertain detection, relative to the detector's threshold.
    static let doubtful = -0.3

    /// Creates a task for frames of a size.
    ///
    /// - Parameters:
    ///   - size: The size of the frames.
    ///   - smallestFace: The smallest face, as a fraction of the short side; nil for the detector's default.
    ///   - smallestDetectableSide: The smallest face that the detector finds, in pixels of its input.
    package init(size: PixelSize, smallestFace: Double?, smallestDetectableSide: Int) {
        self.size = size
        self.smallestFace = smallestFace ?? Self.smallestFaceOfNetwork
        plan = Self.plan(for: size, smallestFace: smallestFace, smallestDetectableSide: smallestDetectableSide)
    }

    /// Plans the passes of a detector without a network.
    ///
    /// - Parameters:
    ///   - size: The size of the frames.
    ///   - smallestFace: The smallest face, as a fraction of the short side; nil for the detector's default.
    ///   - smallestDetectableSide: The smallest face that the detector finds, in pixels of its input.
    /// - Returns: The sizes of the detector's input, in ascending order.
    package static func plan(for size: PixelSize, smallestFace: Double?, smallestDetectableSide: Int) -> SearchPlan {
        let smallest = smallestFace ?? Self.smallestFace
        return SearchPlan(for: size, smallestFace: smallest, smallestDetectableSide: smallestDetectableSide)
    }

    func faces(
        in luma: Plane,
        _ pass: SearchPlan.Pass,
        _ detector: inout any FaceDetector
    ) throws(PipelineError) -> [Face] {
        let detections = try Self.detections(in: luma, PixelRect(luma.size), scaledTo: pass.workingSize, &detector)
        return detections.compactMap { Face($0, workingSize: pass.workingSize, in: size) }
    }
}

extension FrameTask {
    /// Returns the detections above ``doubtful`` in a part of a frame, in pixels of the detector's input.
    static func detections(
        in luma: Plane,
        _ region: PixelRect,
        scaledTo size: PixelSize,
        _ detector: inout any FaceDetector
    ) throws(PipelineError) -> [Detection] {
        let image = try codec(Resampler.resample(luma, region: FractionalRect(region), to: size, filter: .linear))
        return try detecting(detector.name) {
            try image.withView { try detector.detect(in: $0, threshold: doubtful) }
        }
    }
}

/// The search of a detector with a network, which receives the colours of a frame.
///
/// HOG gives no second opinion here, because it changed no crop of moving images.
extension FrameTask {
    /// The long side of the network's input for small faces, in pixels.
    ///
    /// In a frame of this size, the network finds 85 % of the faces of 12 to 16 pixels with an input of only 640
    /// pixels. A second pass with the larger input finds 99 %.
    private static let fineLongSide = 1280.0
    /// The maximum enlargement of a frame to this input.
    private static let maxEnlargement = 2.0
    /// The side of the smallest searched face in this input, in pixels.
    private static let smallestSide = 14.4
    /// The minimum confidence (a network score of 0.8) of a face that only the coarser pass found.
    private static let minSizeOfCoarserPass = 0.129

    /// Returns the sizes of the network's inputs for a frame, the larger size first.
    static func networkInputs(for size: PixelSize, smallestFace: Double) -> [PixelSize] {
        let wanted = smallestSide / (smallestFace * Double(size.shortSide)) * Double(size.longSide)
        let maximum = min(fineLongSide, maxEnlargement * Double(size.longSide))
        let coarse = FaceNetwork.inputSize(of: size)
        let fine = FaceNetwork.inputSize(of: size, longSide: Int(min(wanted, maximum)))
        return fine.longSide > coarse.longSide ? [fine, coarse] : [coarse]
    }

    /// Searches the whole frame with the network.
    ///
    /// The result contains faces above the threshold, uncertain detections with a score of at least ``doubtful``, and
    /// the detections of all passes.
    func faces(
        in frame: RawFrame,
        _ network: FaceNetwork
    ) throws(PipelineError) -> FrameFaces {
        var faces = FrameFaces()
        for (index, input) in Self.networkInputs(for: size, smallestFace: smallestFace).enumerated() {
            let found = try Self.faces(in: frame, PixelRect(size), scaledTo: input, network)
            faces.sure.add(found, above: index == 0 ? 0 : Self.minSizeOfCoarserPass, in: size)
            faces.doubtful += found.filter { $0.confidence <= 0 && $0.confidence >= Self.doubtful }
            faces.all += found
        }
        return faces
    }

    /// Returns the network's detections in a part of a frame, in pixels of the frame.
    ///
    /// The minimum score is ``RedactedHead/minContinued``.
    static func faces(
        in frame: RawFrame,
        _ region: PixelRect,
        scaledTo input: PixelSize,
        _ network: FaceNetwork
    ) throws(PipelineError) -> [Face] {
        let planes = try codec(frame.colors(in: region, scaledTo: input))
        return try network.detections(in: planes, threshold: RedactedHead.minContinued)
            .compactMap { Face($0, in: region, scaledTo: input, of: frame.size) }
    }
}
