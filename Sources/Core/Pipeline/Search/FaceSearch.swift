import FaceDetection
package import Geometry
package import Imaging

/// How a worker searches images and frames for faces; ``FaceDetectorModel/makeSearch()`` chooses it.
///
/// ``PyramidSearch`` searches luma with any ``FaceDetector``; ``NetworkSearch`` searches colours with the network
/// first. One thread at a time uses a search. Rectangles are in pixels of the upright source or frame unless a method
/// says otherwise.
package protocol FaceSearch {
    /// The name for responses and logs, such as `yunet+dlib-hog`; findings of another name are never reused.
    var detectorName: String { get }

    /// What decides the scales and the memory of a job before it runs.
    var needs: any SearchNeeds { get }

    /// The faces of an image for framing, largest first, and what was ignored.
    ///
    /// Finer passes run only where they may find more.
    mutating func faces(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> DetectionResult

    /// All detections for redaction, of each view of an image: no pass is omitted, and the first runs in all turns.
    mutating func everything(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> [DetectionResult]

    /// The detections in one frame of an animation, of each view, with the number of input pixels of all passes.
    ///
    /// It uses the finest pass with which all passes together have at most `pixels` input pixels, and turns only if
    /// nothing is found upright.
    ///
    /// - Returns: Nil if the coarsest pass has too many pixels.
    mutating func everything(
        in views: [Plane],
        atMost pixels: Int,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> (views: [DetectionResult], pixels: Int)?

    /// The faces in one frame of an animation by one pass, largest first.
    ///
    /// It is the finest pass with at most `pixels` input pixels.
    ///
    /// - Returns: Nil if the coarsest pass has too many pixels.
    mutating func faces(
        in frame: PlanarImage,
        atMost pixels: Int,
        _ task: SearchTask
    ) throws(PipelineError) -> [Face]?

    /// The faces in one frame of a video, not sorted.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - task: The passes for its size.
    ///   - omitsPasses: Whether a finer pass is omitted where a coarser one has found all; false for redaction.
    /// - Returns: The faces, and what else the passes found.
    /// - Throws: ``PipelineError``.
    mutating func faces(
        in frame: RawFrame,
        _ task: FrameTask,
        omitsPasses: Bool
    ) throws(PipelineError) -> FrameFaces

    /// The faces near one that was found in a frame shortly before, not sorted, with doubtful ones.
    mutating func faces(near face: PixelRect, in frame: RawFrame) throws(PipelineError) -> [Face]

    /// The detections for redaction in a frame of a video that is not searched for framing, by one coarse pass.
    mutating func heads(in frame: RawFrame, _ task: FrameTask) throws(PipelineError) -> [Face]
}

extension FaceDetectorModel {
    /// Creates the search of one worker: with the model's network if it has one, else with its detector alone.
    ///
    /// - Throws: ``DetectionError``, or an error of the detector's implementation.
    package func makeSearch() throws -> any FaceSearch {
        let tools = try makeTools()
        let subjects = try SubjectSearch()
        guard let network = tools.network else { return PyramidSearch(tools.detector, subjects: subjects) }
        return NetworkSearch(
            network,
            tools.detector,
            hasSecondOpinion: tools.hasSecondOpinion,
            subjects: subjects
        )
    }
}
