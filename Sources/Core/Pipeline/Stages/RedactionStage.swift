import FaceDetection
import Framing
import Geometry
import Imaging

/// The heads to redact in the decoded image of a source.
///
/// Masks of animation frames have another type, ``FrameMasks``, because the still image of a source may differ from
/// every frame of its animation. The types prevent a stage from applying the masks of a still image to frames, and vice
/// versa.
struct StillMasks {
    let style: RedactionStyle
    /// The masks, in pixels of the upright source.
    let masks: [RedactionMask]
    /// The number of masked heads; nil if the job redacts only areas.
    let headCount: Int?
    /// The size of the upright source.
    let size: PixelSize

    /// Creates the masks of heads and of the areas that the job names.
    ///
    /// Each detection gets a mask, but several detections of one head count as one head.
    init(_ redaction: Redaction, heads: [RedactedHead], size: PixelSize) {
        style = redaction.style
        masks = redaction.masks(of: heads.map(\.mask), in: size)
        headCount = redaction.faces == .none ? nil : heads.distinct.count
        self.size = size
    }

    /// Returns the part with the masks applied.
    func applied(to part: PartialImage) throws(PipelineError) -> PartialImage {
        try codec(part.redacted(masks, of: size, as: style))
    }
}

/// The heads to redact in every frame of an animation.
struct FrameMasks {
    private let style: RedactionStyle
    /// The masks of every frame, in pixels of the upright source.
    private let frames: [[RedactionMask]]
    /// The number of heads that are masked in at least one frame; nil if the job redacts only areas.
    let headCount: Int?
    /// The size of the upright source.
    private let size: PixelSize

    /// Tracks the detections through the frames; `faces` contains the faces of the plan, each with its frame.
    ///
    /// - Throws: ``PipelineError/noSuchFace(index:found:)`` if no face has a requested number.
    init(
        _ redaction: Redaction,
        _ detections: [FrameDetections],
        faces: [Face],
        size: PixelSize
    ) throws(PipelineError) {
        try redaction.check(faces)
        var tracks = RedactionTracks()
        for (index, frame) in detections.enumerated() {
            let numbered = faces.enumerated().filter { $0.element.frame == index }
                .map { (number: $0.offset + 1, head: RedactedHead($0.element)) }
            tracks.add(frame.views.flatMap(\.redactable), numbered: numbered, milliseconds: frame.milliseconds)
        }
        style = redaction.style
        headCount = redaction.faces == .none ? nil : tracks.count(of: redaction.faces)
        frames = tracks.masks(of: redaction.faces).map { redaction.masks(of: $0, in: size) }
        self.size = size
    }

    /// Returns frame number `frame`, counted from 0, with its masks applied.
    ///
    /// A frame that was not searched becomes completely grey.
    func applied(to image: PlanarImage, _ frame: Int) throws(CodecError) -> PlanarImage {
        guard frames.indices.contains(frame) else {
            let all = RedactionMask(around: PixelRect(size))
            return try PartialImage(whole: image).redacted([all], of: size, as: .fill).image
        }
        return try PartialImage(whole: image).redacted(frames[frame], of: size, as: style).image
    }
}

/// Covers heads and areas in the decoded pixels of stills, before ``ImageStage`` makes images of them.
struct RedactionStage {
    /// Searches the image of the source for the heads to redact; nil without redaction, or if the job makes no images.
    ///
    /// The job always runs this search itself. Detections of another job may come from a cache that other processes can
    /// write to.
    func masks(_ work: inout FrameWork, _ plan: FramePlan) throws(PipelineError) -> StillMasks? {
        guard let redaction = work.job.options.redaction, work.job.target.product.output != nil else { return nil }
        guard redaction.faces != .none else { return StillMasks(redaction, heads: [], size: work.header.size) }
        return try work.timed(\.detect) { (work) throws(PipelineError) in
            work.source.forgetLuma()
            let views = try work.search.everything(in: &work.source, work.decodePlan.redactionFaces, work.context)
            guard let stage = work.animationStage else {
                let known = work.findings.faces
                let heads = try redaction.heads(of: views, numbered: plan.faces, known: known) { _ in true }
                return StillMasks(redaction, heads: heads, size: work.header.size)
            }
            let image = try work.source.image(atLeast: .full)
            let heads = try redaction.heads(of: views, numbered: plan.faces, known: []) {
                (face) throws(PipelineError) in
                guard face.frame == 0 else { return false }
                return try stage.firstFrame(equals: image, in: face.box)
            }
            return StillMasks(redaction, heads: heads, size: work.header.size)
        }
    }

    /// Returns the pixels with the masks applied; unchanged if the job redacts nothing.
    ///
    /// - Throws: An error if redaction is requested and there are no masks, so that a programming error cannot expose a
    ///   head.
    func redacted(_ pixels: PartialImage, _ masks: StillMasks?, _ job: FrameJob) throws(PipelineError) -> PartialImage {
        guard job.options.redaction != nil else { return pixels }
        guard let masks else { throw .codec(.failed("a redaction without masks")) }
        return try masks.applied(to: pixels)
    }
}

extension AnimationStage {
    /// The maximum mean difference between two decodings of the same pixels, of 255.
    private static let maxDifference = 6

    /// Whether a part looks the same in the first frame and in the still image of the source, which may differ from
    /// every frame.
    fileprivate func firstFrame(equals image: PlanarImage, in rect: PixelRect) throws(PipelineError) -> Bool {
        let part = rect.intersection(PixelRect(header.size))
        guard part.area > 0, image.size == header.size, let frame = try next(of: frames()) else { return false }
        return try codec { () throws(CodecError) in
            for view in ImageView.allCases {
                let (one, other) = (try frame.image.luma(view), try image.luma(view))
                var difference = 0
                for y in part.rows {
                    for x in part.columns { difference += abs(Int(one[x: x, y: y]) - Int(other[x: x, y: y])) }
                }
                guard difference <= Self.maxDifference * part.area else { return false }
            }
            return true
        }
    }
}
