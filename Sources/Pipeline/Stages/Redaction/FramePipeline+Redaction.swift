import FaceDetection
import Framing
import Geometry
import Imaging

extension FramePipeline {
    /// Searches the picture of the source for the heads to redact.
    ///
    /// The search is the job's own in any case, because findings of another one may come from a cache that other processes
    /// write to.
    ///
    /// - Parameters:
    ///   - plan: The plan, whose faces have numbers.
    ///   - known: All faces that the search for framing found.
    ///   - source: The pixels of the source.
    ///   - decodePlan: The passes.
    ///   - detector: The detector of the worker.
    ///   - times: The time of the search is added to that of detection.
    /// - Returns: The masks; nil if nothing is redacted, or if the job makes no images.
    /// - Throws: ``PipelineError``.
    func stillMasks(
        _ plan: FramePlan,
        _ known: [Face],
        _ source: inout SourcePixels,
        _ decodePlan: DecodePlan,
        _ detector: inout any FaceDetector,
        _ times: inout StageTimes
    ) throws(PipelineError) -> StillMasks? {
        guard let redaction = job.options.redaction, job.answer.product.output != nil else { return nil }
        guard redaction.faces != .none else { return StillMasks(redaction, heads: [], size: header.size) }
        let (start, decoded) = (ContinuousClock.now, source.duration)
        defer { times.detect += .now - start - (source.duration - decoded) }
        let views = try decodePlan.redactionFaces.everything(&source, detector: &detector, context: context)
        let picture = animationStage == nil ? nil : try source.picture(atLeast: .full)
        let heads = try redaction.heads(of: views, numbered: plan.faces, known: animation == nil ? known : []) {
            (face) throws(PipelineError) in
            guard let picture, let animationStage else { return true }
            guard face.frame == 0 else { return false }
            return try animationStage.firstFrame(equals: picture, in: face.box)
        }
        return StillMasks(redaction, heads: heads, size: header.size)
    }

    /// What a still picture's redaction covers, and who is found in the redacted picture; nil for answers with images, and
    /// for animations.
    ///
    /// - Parameters: As of ``stillMasks(_:_:_:_:_:_:)``.
    /// - Throws: ``PipelineError``.
    func audit(
        _ plan: FramePlan,
        _ known: [Face],
        _ source: inout SourcePixels,
        _ decodePlan: DecodePlan,
        _ detector: inout any FaceDetector,
        _ times: inout StageTimes
    ) throws(PipelineError) -> RedactionAudit? {
        guard let redaction = job.options.redaction, case .plan = job.answer.product, animation == nil else {
            return nil
        }
        let (start, decoded) = (ContinuousClock.now, source.duration)
        defer { times.detect += .now - start - (source.duration - decoded) }
        let search = decodePlan.redactionFaces
        var heads: [RedactedHead] = []
        if redaction.faces != .none {
            let views = try search.everything(&source, detector: &detector, context: context)
            heads = try redaction.heads(of: views, numbered: plan.faces, known: known) { (_) throws(PipelineError) in
                true
            }
        }
        let masks = StillMasks(redaction, heads: heads, size: header.size)
        let scale = decodePlan.scale(for: search.plan.finestSize, from: header.size)
        let picture = PartialImage(whole: try source.picture(atLeast: scale))
        var covered = SourcePixels(
            job: job,
            header: header,
            limits: limits.decode,
            picture: try masks.applied(to: picture).image
        )
        let rest = try search.everything(&covered, detector: &detector, context: context)
        let shown = plan.faces.enumerated().filter { !redaction.includes($0.offset + 1) }.map(\.element)
        let remaining = Duplicates.merged(rest.flatMap(\.faces), in: header.size).kept
            .filter { face in !shown.contains { Duplicates.isSame($0.box, face.box) } }
        return RedactionAudit(covered: heads.distinct, remaining: remaining.map { RedactedHead($0) }, in: header.size)
    }

    /// The pixels that results may show.
    ///
    /// - Throws: An error if redaction is asked for and there are no masks, so that no mistake shows a head.
    func redacted(_ pixels: PartialImage, _ masks: StillMasks?) throws(PipelineError) -> PartialImage {
        guard job.options.redaction != nil else { return pixels }
        guard let masks else { throw .codec(.failed("a redaction without masks")) }
        return try masks.applied(to: pixels)
    }
}

extension AnimationStage {
    /// The largest mean difference of two decodings of the same pixels.
    private static let mostDifference = 6

    /// Whether the first frame and the picture of the source, which may be no frame, show the same in a part.
    fileprivate func firstFrame(equals picture: PlanarImage, in rect: PixelRect) throws(PipelineError) -> Bool {
        let part = rect.intersection(PixelRect(header.size))
        guard part.area > 0, picture.size == header.size, let frame = try next(of: frames()) else { return false }
        do {
            for view in PictureView.allCases {
                let (one, other) = (try frame.image.luma(view), try picture.luma(view))
                var difference = 0
                for y in part.rows {
                    for x in part.columns { difference += abs(Int(one[x: x, y: y]) - Int(other[x: x, y: y])) }
                }
                guard difference <= Self.mostDifference * part.area else { return false }
            }
            return true
        } catch {
            throw .codec(error)
        }
    }
}
