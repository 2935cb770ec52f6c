import FaceDetection
import Geometry
import Imaging

/// The search in frames of a video.
extension LumaDetector {
    /// The side of a scaled face in the detector's input, as a multiple of the smallest detectable side.
    ///
    /// A factor above 1 allows for a face that has become smaller.
    private static let enlargement = 1.4

    /// Returns the faces of one pass over the luma of a frame, including uncertain faces.
    mutating func faces(in luma: Plane, _ pass: SearchPlan.Pass, _ task: FrameTask) throws(PipelineError) -> [Face] {
        let detections = try detections(in: luma, PixelRect(luma.size), scaledTo: pass.workingSize)
        return detections.compactMap { Face($0, workingSize: pass.workingSize, in: task.size) }
    }

    /// Returns the faces near a face from a recent frame, including uncertain faces.
    mutating func faces(near face: PixelRect, in luma: Plane) throws(PipelineError) -> [Face] {
        let scale = Self.enlargement * Double(smallestDetectableSide) / Double(face.size.shortSide)
        guard let (region, input) = FrameTask.surroundings(of: face, in: luma.size, scaledBy: scale) else { return [] }
        return try detections(in: luma, region, scaledTo: input)
            .compactMap { Face($0, in: region, scaledTo: input, of: luma.size) }
    }

    /// Returns the detections above ``FrameTask/doubtful`` in a part of a frame, in pixels of the detector's input.
    private mutating func detections(
        in luma: Plane,
        _ region: PixelRect,
        scaledTo size: PixelSize
    ) throws(PipelineError) -> [Detection] {
        let image = try codec(Resampler.resample(luma, region: FractionalRect(region), to: size, filter: .linear))
        return try detecting(name) {
            try image.withView { try detect(in: $0, threshold: FrameTask.doubtful) }
        }
    }
}
