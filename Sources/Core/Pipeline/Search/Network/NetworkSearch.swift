import FaceDetection
import Geometry
import Imaging

/// A face search that runs a network on the colours of an image and a detector on its luma.
///
/// The detector gives a second opinion on images, finds heads to redact, and searches rotated images. It changed no
/// crop of video frames, so only the network searches these.
///
/// If both find a face, the result has the network's box, which fits the face better, and HOG's pose. A face that only
/// HOG found counts only if the network has a detection with a score of at least ``FaceNetwork/minSuspicion`` there,
/// because nearly all other HOG faces are false. docs/contributing/framing-research.md contains the measurements.
struct NetworkSearch: FaceSearch {
    /// The network for colours.
    let network: FaceNetwork
    /// The detector for luma; without a second opinion, it is the same network with grey input.
    var detector: LumaDetector
    /// Whether the detector gives a second opinion.
    let hasSecondOpinion: Bool
    /// The search for subjects; nil for none.
    let subjects: SubjectSearch?

    /// Creates the search with a network and its second opinion; without `subjects`, it does not search subjects.
    init(_ detector: NetworkDetector, subjects: SubjectSearch?) {
        (network, hasSecondOpinion) = (detector.network, detector.hasSecondOpinion)
        (self.detector, self.subjects) = (LumaDetector(detector), subjects)
    }

    var detectorName: String { detector.name }
    var needs: any SearchNeeds { NetworkNeeds(smallestDetectableSide: detector.smallestDetectableSide) }

    mutating func faces(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> DetectionResult {
        let passes = NetworkPasses(task, smallestDetectableSide: detector.smallestDetectableSide)
        var findings = task.settled(try detections(in: &source, task, passes, context))
        try task.measureSharpness(of: &findings.faces, in: &source, atLeast: passes.secondOpinion.workingSize)
        return findings
    }

    /// Runs the passes in order; each depends on the detections of the previous passes.
    private mutating func detections(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ passes: NetworkPasses,
        _ context: JobContext
    ) throws(PipelineError) -> DetectionResult {
        var run = NetworkRun(
            task: task,
            passes: passes,
            context: context,
            colors: try source.colors(atLeast: passes.searchedSize),
            findings: DetectionResult(size: task.size, detectorName: detectorName)
        )
        try searchWholeImage(&run)
        try decideUncertainFaces(&run)
        try searchCloseUp(&run)
        try getSecondOpinion(&run, &source)
        try refineLandmarks(&run, &source)
        try searchSubjects(&run)
        try searchTurned(&run, &source)
        run.addDoubtful()
        return run.findings
    }

    /// Searches subjects if no face is certain, or if the job requires subjects.
    private func searchSubjects(_ run: inout NetworkRun) throws(PipelineError) {
        guard let subjects, run.task.searchesSubjects || !run.isAnyCertain else { return }
        try run.context.check()
        run.findings.subjects = try subjects.subjects(in: run.colors, size: run.task.size)
    }
}

extension NetworkDetector: SearchingDetector {
    func makeSearch(subjects: SubjectSearch?) -> any FaceSearch { NetworkSearch(self, subjects: subjects) }
}
