import FaceDetection
package import Geometry
package import Imaging

/// The face search of a worker in images and frames; ``FaceDetectorModel/makeSearch()`` creates it.
///
/// ``PyramidSearch`` searches luma with any ``FaceDetector``. A detector with another strategy has a folder with its own
/// search: ``NetworkSearch`` searches colours with the network first. Only one thread may use a search at a time.
/// Rectangles are in pixels of the upright source or frame unless a method documents other units.
package protocol FaceSearch {
    /// The name for responses and logs, such as `yunet+dlib-hog`; detections with another name are never reused.
    var detectorName: String { get }

    /// The needs of the search, which determine the scales and the memory of a job before it runs.
    var needs: any SearchNeeds { get }

    /// Finds the faces of an image for framing, largest first, and returns ignored detections as well.
    ///
    /// Finer passes run only where they may find more.
    mutating func faces(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> DetectionResult

    /// Returns all detections for redaction, for each view of an image.
    ///
    /// It omits no pass and runs the first pass in all rotations.
    mutating func everything(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> [DetectionResult]

    /// Returns the detections in each view of an animation frame, and the number of input pixels of all passes.
    ///
    /// The search uses the finest pass that keeps the sum of all passes within `pixels` input pixels. It searches
    /// rotated copies only if the upright search finds nothing.
    ///
    /// - Returns: Nil if the coarsest pass has too many pixels.
    mutating func everything(
        in views: [Plane],
        atMost pixels: Int,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> (views: [DetectionResult], pixels: Int)?

    /// Finds the faces in an animation frame with one pass, largest first.
    ///
    /// This is the finest pass with at most `pixels` input pixels.
    ///
    /// - Returns: Nil if the coarsest pass has too many pixels.
    mutating func faces(
        in frame: PlanarImage,
        atMost pixels: Int,
        _ task: SearchTask
    ) throws(PipelineError) -> [Face]?

    /// Finds the faces in one frame of a video, not sorted.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - task: The passes for its size.
    ///   - omitsPasses: Whether a finer pass is omitted if a coarser pass has found all faces; false for redaction.
    /// - Returns: The faces, and the other detections of the passes.
    /// - Throws: ``PipelineError``.
    mutating func faces(
        in frame: RawFrame,
        _ task: FrameTask,
        omitsPasses: Bool
    ) throws(PipelineError) -> FrameFaces

    /// Finds faces near a face from a recent frame, not sorted, including uncertain faces.
    mutating func faces(near face: PixelRect, in frame: RawFrame) throws(PipelineError) -> [Face]

    /// Returns the detections for redaction in a video frame that framing does not search; it runs one coarse pass.
    mutating func heads(in frame: RawFrame, _ task: FrameTask) throws(PipelineError) -> [Face]
}

/// A detector with its own search strategy.
protocol SearchingDetector: FaceDetector {
    /// Creates the search of one worker; without `subjects`, it does not search subjects.
    func makeSearch(subjects: SubjectSearch?) -> any FaceSearch
}
