package import FaceDetection
package import Framing
package import Geometry
package import Imaging

/// Searches one frame of a moving picture for faces, on its luma.
///
/// Unlike a still, a frame is searched upright only, and detections below the threshold are part of the result: they
/// continue what other frames show.
package struct VideoFrameStage: Sendable {
    /// The smallest face that is searched, as a share of the frame's short side, unless the caller sets another share.
    ///
    /// Two passes, of 720 and 1,333 rows. A third for smaller faces takes as long as both, and on few frames finds more.
    package static let smallestFace = 0.06

    /// The result of a search.
    package struct Result: Sendable {
        /// People above the detector's threshold.
        package let sure: [Subject]
        /// People below it.
        package let doubtful: [Subject]
        /// Where attention lies, if there is no sure one.
        package let attention: AttentionProfile?
    }

    private let size: PixelSize
    private let plan: SearchPlan

    /// The score, relative to the detector's threshold, from which detections are doubtful.
    static let doubtful = -0.3

    /// A search of frames of a size.
    ///
    /// - Parameters:
    ///   - size: The size of the frames.
    ///   - smallestFace: The smallest face, as a share of the short side.
    ///   - smallestDetectableSide: The smallest face that the detector finds, in pixels of its input.
    package init(size: PixelSize, smallestFace: Double, smallestDetectableSide: Int) {
        self.size = size
        plan = SearchPlan(for: size, smallestFace: smallestFace, smallestDetectableSide: smallestDetectableSide)
    }

    /// Searches a frame.
    ///
    /// - Throws: ``PipelineError``.
    package func run(_ frame: RawFrame, detector: inout any FaceDetector) throws(PipelineError) -> Result {
        let luma: Plane
        do {
            luma = try frame.luma()
        } catch {
            throw .codec(error)
        }
        var (sure, doubtful): ([Face], [Face]) = ([], [])
        var last: SearchPlan.Look?
        for look in plan.looks {
            if let last, let smallest = sure.map(\.box.size.longSide).min(),
                Double(smallest) >= SearchPlan.nearLimit * last.smallestFace
            {
                break
            }
            let found = try faces(in: luma, look, &detector)
            sure = Duplicates.merged(sure + found.filter { $0.confidence > 0 }, in: size).kept
            doubtful += found.filter { $0.confidence <= 0 }
            last = look
        }
        let unlike = Duplicates.merged(sure + doubtful, in: size).kept.filter { $0.confidence <= 0 }
        return Result(
            sure: sure.sorted(by: Face.isLarger).map(\.subject),
            doubtful: unlike.sorted(by: Face.isLarger).map(\.subject),
            attention: sure.isEmpty ? try attention(in: frame, doubtful: unlike) : nil
        )
    }

    private func faces(
        in luma: Plane,
        _ look: SearchPlan.Look,
        _ detector: inout any FaceDetector
    ) throws(PipelineError) -> [Face] {
        let detections = try Self.detections(in: luma, PixelRect(luma.size), scaledTo: look.workingSize, &detector)
        return detections.compactMap { Face($0, workingSize: look.workingSize, in: size) }
    }

    private func attention(in frame: RawFrame, doubtful: [Face]) throws(PipelineError) -> AttentionProfile {
        let picture: PlanarImage
        do {
            picture = try frame.picture()
        } catch {
            throw .codec(error)
        }
        let plausibility = FacePlausibility(doubtful.map(\.box), in: size)
        return try AttentionStage(sourceSize: size, area: PixelRect(size)).profile(
            of: picture,
            doubtfulFaces: plausibility
        )
    }
}
