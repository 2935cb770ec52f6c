import FaceDetection
import Framing
import Geometry
import Imaging

/// The search in frames of animations and videos, which only the network searches.
///
/// HOG gives no second opinion here, because it changed no crop of moving images.
extension NetworkSearch {
    /// The smallest searched face, as a fraction of the frame's short side, unless the caller sets another fraction.
    private static let smallestFace = 0.02
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
    /// The long side of a face in the network's input, in pixels, for a search near this face.
    private static let nearSide = 64.0

    mutating func faces(
        in frame: PlanarImage,
        atMost pixels: Int,
        _ task: SearchTask
    ) throws(PipelineError) -> [Face]? {
        let inputs = [FaceNetwork.longSide, FaceNetwork.fastLongSide].map {
            FaceNetwork.inputSize(of: task.size, longSide: $0)
        }
        guard let input = inputs.first(where: { $0.area <= pixels }) else { return nil }
        var findings = DetectionResult(size: task.size, detectorName: detectorName)
        let found = try search(codec(frame.flattened()), PixelRect(task.size), input, threshold: 0, into: &findings)
        return task.large(Duplicates.merged(found, in: task.size).kept)
    }

    mutating func faces(
        in frame: RawFrame,
        _ task: FrameTask,
        omitsPasses: Bool
    ) throws(PipelineError) -> FrameFaces {
        var faces = FrameFaces()
        for (index, input) in Self.inputs(for: task).enumerated() {
            let found = try self.faces(in: frame, PixelRect(task.size), scaledTo: input)
            faces.sure.add(found, above: index == 0 ? 0 : Self.minSizeOfCoarserPass, in: task.size)
            faces.doubtful += found.filter { $0.confidence <= 0 && $0.confidence >= FrameTask.doubtful }
            faces.all += found
        }
        faces.people = try subjects?.people(in: frame) ?? []
        return faces
    }

    mutating func faces(near face: PixelRect, in frame: RawFrame) throws(PipelineError) -> [Face] {
        let scale = Self.nearSide / Double(face.size.longSide)
        guard let (region, input) = FrameTask.surroundings(of: face, in: frame.size, scaledBy: scale) else { return [] }
        return try faces(in: frame, region, scaledTo: input).filter { $0.confidence >= FrameTask.doubtful }
    }

    mutating func heads(in frame: RawFrame, _ task: FrameTask) throws(PipelineError) -> [Face] {
        try faces(in: frame, PixelRect(task.size), scaledTo: FaceNetwork.inputSize(of: task.size))
    }

    /// Returns the sizes of the network's inputs for a frame, the larger size first.
    private static func inputs(for task: FrameTask) -> [PixelSize] {
        let size = task.size
        let smallestFace = task.smallestFace ?? Self.smallestFace
        let wanted = smallestSide / (smallestFace * Double(size.shortSide)) * Double(size.longSide)
        let maximum = min(fineLongSide, maxEnlargement * Double(size.longSide))
        let coarse = FaceNetwork.inputSize(of: size)
        let fine = FaceNetwork.inputSize(of: size, longSide: Int(min(wanted, maximum)))
        return fine.longSide > coarse.longSide ? [fine, coarse] : [coarse]
    }

    /// Returns the network's detections in a part of a frame, in pixels of the frame.
    ///
    /// The minimum score is ``RedactedHead/minContinued``.
    private func faces(
        in frame: RawFrame,
        _ region: PixelRect,
        scaledTo input: PixelSize
    ) throws(PipelineError) -> [Face] {
        let planes = try codec(frame.colors(in: region, scaledTo: input))
        return try network.detections(in: planes, threshold: RedactedHead.minContinued)
            .compactMap { Face($0, in: region, scaledTo: input, of: frame.size) }
    }
}
