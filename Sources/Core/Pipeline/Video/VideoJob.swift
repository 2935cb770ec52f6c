import Motion
import Framing
package import Geometry
import Imaging

/// A job with one frame of an MJPEG stream.
///
/// A frame is analysed and rendered by two jobs: the crop depends on other frames, which only the stream's owner knows.
package struct VideoJob: Codable, Sendable {
    /// The frame: a JPEG.
    package var source: SourceBytes
    /// The work to do with the frame.
    package let task: Task

    /// A job with one frame.
    ///
    /// - Parameters:
    ///   - source: The frame: a JPEG, not checked yet.
    ///   - task: The work to do with it.
    package init(_ source: [UInt8], _ task: Task) {
        self.source = SourceBytes(source)
        self.task = task
    }

    /// The work of a job.
    package enum Task: Codable, Hashable, Sendable {
        /// Decodes the planes.
        case decode
        /// Reduces the frame to a grid of this size, and searches it for faces; if it `redacts`, all of it for heads;
        /// with the `mouths` of faces, if it is wanted.
        case analyse(grid: PixelSize, Search, redacts: Bool = false, mouths: Bool = false)
        /// Scales a part of the frame to a size and encodes it as a JPEG of this quality, 1 to 100; without what a
        /// cover hides. A frame that `isWhole` lies on a blurred enlargement of itself.
        case render(FractionalRect, to: PixelSize, quality: Int, cover: FrameCover? = nil, isWhole: Bool = false)
    }

    /// Which part of a frame is searched for faces.
    package enum Search: Codable, Hashable, Sendable {
        /// Nothing.
        case none
        /// All of it, for faces of at least this share of its short side; nil for that of the detector.
        case whole(smallestFace: Double?)
        /// The surroundings of recently found faces, in pixels of the frame.
        case near([PixelRect])
    }

    /// The most faces of ``Search/near(_:)``.
    package static let mostNear = 16
}

/// Validates the answer to a ``VideoJob`` before the rest of the service uses it.
///
/// A valid answer may still be wrong about the picture, but its numbers cannot overflow and its bytes have the declared
/// type.
package struct VideoResultCheck: PlausibleNumbers {
    private static let mostFaces = 4096

    private let job: VideoJob
    private let limits: PipelineLimits

    /// A check of the answer to a job.
    ///
    /// - Parameters:
    ///   - job: The job that was sent.
    ///   - limits: The limits on the size of frames.
    package init(_ job: VideoJob, limits: PipelineLimits) {
        self.job = job
        self.limits = limits
    }

    /// The first problem of an answer; nil when it is valid.
    package func problem(in result: VideoResult) -> String? {
        let size = result.size
        guard isPossible(size, limits.decode) else { return "a frame that is too large" }
        switch job.task {
        case .decode:
            guard let chroma = result.chroma, result.bytes.count == chroma.layout.bytes(of: size) else {
                return "other samples than those of the frame"
            }
        case .render:
            guard SourceFormat.sniff(result.bytes) == .jpeg else { return "an image of another type" }
        case .analyse(let grid, _, _, _):
            guard result.grid.count == 3 * grid.area, result.bytes.isEmpty else { return "a grid of another size" }
        }
        guard result.faces.count <= Self.mostFaces,
            result.faces.allSatisfy({ isSubject($0.subject, in: PixelRect(size)) }),
            result.faces.allSatisfy({ $0.subject.eyes.map(isScore) ?? true })
        else { return "a face outside of the frame" }
        guard result.faces.allSatisfy({ $0.mouth?.isWhole ?? true }) else { return "a mouth of another size" }
        guard result.heads.count <= Self.mostFaces, result.heads.allSatisfy(\.isPlausible) else {
            return "a head of other numbers than those of pixels"
        }
        return areWeights(result.weights, in: size) ? nil : "invalid attention"
    }

    private func areWeights(_ lists: [[Int]], in size: PixelSize) -> Bool {
        if lists.isEmpty { return true }
        let areModest = lists.allSatisfy { list in
            (1...size.longSide).contains(list.count)
                && list.allSatisfy { (0...AttentionProfile.mostWeight).contains($0) }
                && list.reduce(0, +) <= AttentionProfile.mostWeight
        }
        return lists.count == 4 && areModest && lists.prefix(2).allSatisfy { $0.contains { $0 > 0 } }
    }
}

extension RedactedHead: PlausibleNumbers {
    /// Whether its numbers can be drawn and added without overflow.
    var isPlausible: Bool {
        let parts = mask.parts.flatMap { [$0.centre.x, $0.centre.y, $0.halfWidth, $0.halfHeight, $0.roll] }
        return isModest(box) && box.area > 0 && isScore(confidence) && (1...64).contains(mask.parts.count)
            && parts.allSatisfy { (-1e9...1e9).contains($0) }
    }
}
