import FaceDetection
import Geometry
import Imaging

/// The detections in one frame of an animation.
struct FrameDetections {
    /// The detections in each view of the frame.
    let views: [FaceFindings]
    /// The time for which the frame is shown.
    let milliseconds: Int

    /// The faces of the frame, largest first.
    var faces: [Face] {
        guard let size = views.first?.size else { return [] }
        return Duplicates.merged(views.flatMap(\.faces), in: size).kept.sorted(by: Face.isLarger)
    }
}

extension AnimationStage {
    /// The most pixels that all searches of a job look at, turned passes included; 15 to 30 ns each.
    static let mostSearchedPixels = 200_000_000

    /// The share of the smallest face's area that has to change for another search of a frame.
    ///
    /// A face cannot appear with fewer changed pixels: its eyes alone are more.
    private static let leastChange = 0.1
    /// The difference of two samples from which a pixel has changed.
    private static let leastDifference: UInt8 = 8

    /// The detections in all frames, for everything that is drawn on or over faces.
    ///
    /// A frame that does not differ from the last searched one has its detections. Each search may look at an equal share
    /// of the pixels that are left for the frames to come.
    ///
    /// - Parameters:
    ///   - search: The passes.
    ///   - spent: The pixels that other searches of the job looked at.
    ///   - detector: The detector of the worker.
    /// - Returns: The detections; nil if there are too many frames to search.
    /// - Throws: ``PipelineError``.
    func detections(
        _ search: FaceSearch,
        spent: Int,
        detector: inout any FaceDetector
    ) throws(PipelineError) -> [FrameDetections]? {
        let smallest = search.plan.looks[search.plan.looks.count - 1].smallestFace
        let mostChanged = Int(Self.leastChange * smallest * smallest)
        var left = Self.mostSearchedPixels - spent
        var result: [FrameDetections] = []
        var last: (views: [Plane], found: [FaceFindings])?
        let stream = try frames()
        while let frame = try next(of: stream) {
            let views: [Plane]
            do {
                views = try frame.image.views.map { (view) throws(CodecError) in try frame.image.luma(view) }
            } catch {
                throw .codec(error)
            }
            if let last, last.views.count == views.count,
                zip(last.views, views).allSatisfy({ $0.changes(from: $1, over: Self.leastDifference) <= mostChanged })
            {
                result.append(FrameDetections(views: last.found, milliseconds: frame.milliseconds))
                continue
            }
            let share = max(0, left) / max(1, animation.frames - result.count)
            let found = try search.everything(in: views, atMost: share, detector: &detector, context: context)
            guard let found else { return nil }
            left -= found.pixels
            last = (views, found.views)
            result.append(FrameDetections(views: found.views, milliseconds: frame.milliseconds))
        }
        return result
    }
}
