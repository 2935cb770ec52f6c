import FaceDetection
package import Framing
package import Geometry
package import Imaging
import Motion
package import Pipeline

/// Searches one frame of a moving image for faces: the network uses its colours, other detectors its luma.
///
/// Unlike a still image, a frame is searched only upright, and the result includes detections below the threshold,
/// because they continue tracks of other frames.
package struct VideoFrameStage: Sendable {
    /// The result of a search.
    package struct Result: Sendable {
        /// People above the detector's threshold.
        package var sure: [Subject] = []
        /// People below the threshold, and people without a detected face, such as people who turned away.
        package var doubtful: [Subject] = []
        /// People without a detected face whose bodies the frame cuts, so that the size of the head is unknown.
        package var cutPeople: [Subject] = []
        /// The attention profile; nil if there are people above the threshold, or if the search covered only the
        /// surroundings of recent faces.
        package var attention: AttentionProfile?
        /// Heads to redact; empty unless requested.
        package var heads: [RedactedHead] = []
        /// The motion of the lips of ``sure`` people; nil if unknown.
        ///
        /// Empty unless requested.
        package var lips: [Double?] = []
        /// The mouths of ``sure`` people; nil if not visible.
        ///
        /// Empty unless requested.
        var mouths: [MouthPatch?] = []
    }

    private let task: FrameTask

    /// A search of frames with a size.
    ///
    /// - Parameters:
    ///   - size: The size of the frames.
    ///   - smallestFace: The minimum face size, as a fraction of the short side; nil for the detector's minimum.
    ///   - smallestDetectableSide: The minimum size of a face for the detector, in pixels of its input.
    package init(size: PixelSize, smallestFace: Double?, smallestDetectableSide: Int) {
        task = FrameTask(size: size, smallestFace: smallestFace, smallestDetectableSide: smallestDetectableSide)
    }

    private var size: PixelSize { task.size }

    /// Searches a frame.
    ///
    /// - Parameters:
    ///   - frame: A frame.
    ///   - search: The worker's search.
    ///   - redacts: Whether the result includes the heads to redact. If it does, no pass is omitted.
    ///   - before: The preceding frames in order, for the motion of lips; nil if the motion is not needed.
    ///   - readsMouths: Whether the result includes the mouths of faces.
    /// - Returns: The faces, and the heads to redact.
    /// - Throws: ``PipelineError``.
    package func run(
        _ frame: RawFrame,
        with search: inout any FaceSearch,
        redacts: Bool = false,
        before: [RawFrame]? = nil,
        readsMouths: Bool = false
    ) throws(PipelineError) -> Result {
        let found = try search.faces(in: frame, task, omitsPasses: !redacts)
        var sure = found.sure
        let unlike = Duplicates.merged(sure + found.doubtful, in: size).kept.filter { $0.confidence <= 0 }
        sure.sort(by: Face.isLarger)
        let people = found.peopleWithoutFaces
        return Result(
            sure: sure.map(\.subject),
            doubtful: unlike.sorted(by: Face.isLarger).map(\.subject)
                + people.filter { !$0.isCut }.map(\.subject),
            cutPeople: people.filter(\.isCut).map(\.subject),
            attention: sure.isEmpty ? try attention(in: frame, doubtful: unlike) : nil,
            heads: redacts ? RedactedHead.joined(found.all) : [],
            lips: try Self.lips(of: sure, in: before.map { $0 + [frame] } ?? []),
            mouths: readsMouths ? try Self.mouths(of: sure, in: frame) : []
        )
    }

    /// The maximum number of faces whose mouths are read; the largest faces are read.
    private static let maxMouths = 12

    /// The motion of lips over frames; nothing for fewer than two frames.
    private static func lips(of faces: [Face], in frames: [RawFrame]) throws(PipelineError) -> [Double?] {
        guard frames.count > 1, !faces.isEmpty else { return [] }
        let planes = try codec(frames.map { (frame) throws(CodecError) in try frame.luma() })
        let reader = try MouthReader()
        return try faces.enumerated().map { (index, face) throws(PipelineError) in
            index < maxMouths ? try reader.lips(of: face, in: planes) : nil
        }
    }

    /// The mouths of faces in a frame.
    static func mouths(of faces: [Face], in frame: RawFrame) throws(PipelineError) -> [MouthPatch?] {
        guard !faces.isEmpty else { return [] }
        let luma = try codec(frame.luma())
        let reader = try MouthReader()
        return try faces.enumerated().map { (index, face) throws(PipelineError) in
            index < maxMouths ? try reader.reading(of: face, in: luma)?.patch : nil
        }
    }

    /// The heads to redact in a frame that is not searched for framing.
    ///
    /// Uses the network's coarser pass, or the first pass.
    package func heads(in frame: RawFrame, with search: inout any FaceSearch) throws(PipelineError) -> [RedactedHead] {
        RedactedHead.joined(try search.heads(in: frame, task))
    }

    private func attention(in frame: RawFrame, doubtful: [Face]) throws(PipelineError) -> AttentionProfile {
        let plausibility = FacePlausibility(doubtful.map(\.box), in: size)
        return try AttentionStage(sourceSize: size, area: PixelRect(size))
            .profile(of: codec(frame.image()), doubtfulFaces: plausibility)
    }
}

extension VideoFrameStage.Result {
    /// A result with only heads to redact.
    package init(heads: [RedactedHead]) {
        self.init()
        self.heads = heads
    }
}
