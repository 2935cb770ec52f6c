import Framing
import Geometry
import Imaging
package import Pipeline

/// Validates the reply to a ``VideoJob`` before the rest of the service uses it.
///
/// A valid reply may still describe the image incorrectly, but its numbers cannot overflow and its bytes have the
/// declared type.
package struct VideoResultCheck: PlausibleNumbers {
    private static let maxFaces = 4096

    private let job: VideoJob
    private let limits: PipelineLimits

    /// A check of the reply to a job.
    ///
    /// - Parameters:
    ///   - job: The job that was sent.
    ///   - limits: The limits on the size of frames.
    package init(_ job: VideoJob, limits: PipelineLimits) {
        self.job = job
        self.limits = limits
    }

    /// The first problem of a reply; nil if it is valid.
    package func problem(in result: VideoResult) -> String? {
        let size = result.size
        guard isPossible(size, limits.decode) else { return "a frame that is too large" }
        switch job.task {
        case .decode:
            guard let chroma = result.chroma, result.bytes.count == chroma.layout.bytes(of: size) else {
                return "unexpected samples"
            }
        case .render:
            guard InputFormat.sniff(result.bytes) == .jpeg else { return "an image of another type" }
        case .analyse(let grid, _, _, _):
            guard result.grid.count == 3 * grid.area, result.bytes.isEmpty else { return "a grid of another size" }
        }
        guard result.faces.count <= Self.maxFaces,
            result.faces.allSatisfy({ isSubject($0.subject, in: PixelRect(size)) }),
            result.faces.allSatisfy({ $0.subject.eyes.map(isScore) ?? true })
        else { return "a face outside the frame" }
        guard result.faces.allSatisfy({ $0.mouth?.isWhole ?? true }) else { return "a mouth of another size" }
        guard result.heads.count <= Self.maxFaces, result.heads.allSatisfy(\.isPlausible) else {
            return "a head with invalid coordinates"
        }
        return areWeights(result.weights, in: size) ? nil : "invalid attention"
    }

    private func areWeights(_ lists: [[Int]], in size: PixelSize) -> Bool {
        if lists.isEmpty { return true }
        let areModest = lists.allSatisfy { list in
            (1...size.longSide).contains(list.count)
                && list.allSatisfy { (0...AttentionProfile.maxWeight).contains($0) }
                && list.reduce(0, +) <= AttentionProfile.maxWeight
        }
        return lists.count == 4 && areModest && lists.prefix(2).allSatisfy { $0.contains { $0 > 0 } }
    }
}

extension RedactedHead: PlausibleNumbers {
    /// Whether drawing and addition with these numbers cannot overflow.
    var isPlausible: Bool {
        let parts = mask.parts.flatMap { [$0.centre.x, $0.centre.y, $0.halfWidth, $0.halfHeight, $0.roll] }
        return isModest(box) && box.area > 0 && isScore(confidence) && (1...64).contains(mask.parts.count)
            && parts.allSatisfy { (-1e9...1e9).contains($0) }
    }
}
