import Imaging

/// Adds the ``RedactionAudit`` of a still image to the plan.
///
/// Does nothing for responses with images, and for animations.
struct AuditStage: FrameStage {
    func run(_ work: inout FrameWork, _ draft: inout FrameDraft) throws(PipelineError) {
        guard let redaction = work.job.options.redaction, work.job.rendering == nil, work.animationStage == nil else {
            return
        }
        let plan = draft.plan
        let audit = try work.timed(\.detect) { (work) throws(PipelineError) in
            try self.audit(&work, plan, redaction)
        }
        draft.plan.audit = audit
        if redaction.faces != .none { draft.plan.coveredHeads = audit.covered.count }
    }

    private func audit(
        _ work: inout FrameWork,
        _ plan: FramePlan,
        _ redaction: Redaction
    ) throws(PipelineError) -> RedactionAudit {
        let (job, header, context) = (work.job, work.header, work.context)
        let task = work.decodePlan.redactionFaces
        var heads: [RedactedHead] = []
        if redaction.faces != .none {
            work.source.forgetLuma()
            let views = try work.search.everything(in: &work.source, task, context)
            heads = try redaction.heads(of: views, numbered: plan.faces, known: work.findings.faces) { _ in true }
        }
        let masks = StillMasks(redaction, heads: heads, size: header.size)
        let scale = work.decodePlan.scale(for: task.plan.finestSize, from: header.size)
        let original = PartialImage(whole: try work.source.image(atLeast: scale))
        let image = try masks.applied(to: original).image
        var covered = SourcePixels(job: job, header: header, limits: work.limits.decode, image: image)
        let rest = try work.search.everything(in: &covered, task, context)
        let shown = plan.faces.enumerated().filter { !redaction.includes($0.offset + 1) }.map(\.element)
        let remaining = Duplicates.merged(rest.flatMap(\.faces), in: header.size).kept
            .filter { face in !shown.contains { Duplicates.isSame($0.box, face.box) } }
        return RedactionAudit(covered: heads.distinct, remaining: remaining.map { RedactedHead($0) }, in: header.size)
    }
}
