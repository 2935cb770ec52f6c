package import Framing
import Saliency

/// What a search for faces gave, complete enough to frame any crop of the same picture without another search.
///
/// It does not depend on what else a job asks, so that it serves every job that asks for the same search; see
/// ``FrameJob/search``.
package struct FaceFindings: Codable, Sendable {
    /// The upright picture's size; what lies in it is in its pixels.
    package let size: PixelSize
    /// The detector's name.
    package let detectorName: String
    /// People, the largest face first.
    var people: [Person] = []
    /// What was found but does not count.
    var ignored: [FramePlan.Ignored] = []
    /// Every look that was taken.
    var looks: [FramePlan.Look] = []

    init(size: PixelSize, detectorName: String) {
        self.size = size
        self.detectorName = detectorName
    }

    /// The time that all looks took.
    var duration: Duration { looks.reduce(.zero) { $0 + $1.duration } }

    /// What it takes in memory, roughly.
    package var bytes: Int {
        256 + people.count * MemoryLayout<Person>.stride * 2 + ignored.count * MemoryLayout<FramePlan.Ignored>.stride
            + looks.count * MemoryLayout<FramePlan.Look>.stride
    }
}

extension FaceFindings {
    /// What a search that misses few saw that could be faces, when it found nobody; nil where people are to be expected
    /// whatever that shows, because the search misses many, or faces were too small to count.
    func doubts(after accuracy: Accuracy) -> FaceDoubt? {
        guard accuracy.missesFew, !looks.isEmpty, people.isEmpty, ignored.allSatisfy({ $0.reason == .confidence })
        else { return nil }
        return FaceDoubt(ignored.map(\.box), in: size)
    }
}

extension FaceFindings {
    /// Findings as they were told by ``WorkerWire``, from memory that others may write to; nil for anything that no search
    /// can have given.
    ///
    /// - Parameters:
    ///   - bytes: Strangers' bytes.
    ///   - detectorName: Of the detector that is in use.
    ///   - limits: Those on pictures.
    package init?(told bytes: [UInt8], detectorName: String, limits: PipelineLimits) {
        guard let findings = try? WorkerWire.value(FaceFindings.self, from: bytes),
            FindingsCheck(limits: limits, detectorName: detectorName).problem(in: findings) == nil
        else { return nil }
        self = findings
    }
}
