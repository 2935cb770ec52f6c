import Imaging

/// The state of a ``NetworkSearch`` in one image: its inputs and the detections so far.
struct NetworkRun {
    /// The search.
    let task: SearchTask
    /// The passes of the search.
    let passes: NetworkPasses
    /// The deadline and the cancellation of the job.
    let context: JobContext
    /// The colours of the whole source, at the scale of all passes.
    let colors: PlanarImage
    /// The result; its faces are in pixels of the upright source, not sorted.
    var findings: DetectionResult
    /// The network's detections in the upright image with a score of at least ``FaceNetwork/minSuspicion``.
    var suspected: [Face] = []
    /// Whether a face needs no further confirmation, regardless of its score.
    var isConfirmed = false

    /// The minimum confidence (a network score of 0.9) of a face that needs no confirmation by rotated passes.
    static let sure = 0.494

    /// Whether at least one face is certain.
    var isAnyCertain: Bool { isConfirmed || findings.faces.contains { $0.confidence >= Self.sure } }

    /// Adds the detections with scores from ``SearchTask/doubtful`` up to 0 that overlap no face to the ignored
    /// detections.
    mutating func addDoubtful() {
        findings.ignored += suspected.filter { one in
            one.confidence <= 0 && one.confidence >= SearchTask.doubtful && findings.faces.index(of: one) == nil
        }.map { IgnoredFace($0, .confidence, in: task.size) }
    }
}
