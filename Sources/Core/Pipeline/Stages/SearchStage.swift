import Framing
import Imaging

/// The first stage of a job: searches for faces, unless the job has detections.
struct SearchStage {
    /// Decodes the source at the first scale, and searches for faces unless the job has detections.
    ///
    /// - Throws: ``PipelineError``.
    func run(_ work: inout FrameWork) throws(PipelineError) {
        let (job, header) = (work.job, work.header)
        if job.options.isLossless, header.losslessCropping == nil || job.options.redaction != nil {
            throw .notLossless(header.format)
        }
        let known = job.findings.flatMap { findings in
            findings.size == header.size && findings.detectorName == work.search.detectorName
                && (findings.frames == nil) == (work.animationStage == nil) ? findings : nil
        }
        let knowsNoAttention = known.map { !job.options.framing.needsAttention(for: $0.faces.map(\.subject)) } ?? false
        // If the scales for the detector and for the result are known, one decode is sufficient. If the crop does not
        // depend on pixels, the source is decoded after the crop is known, so that pixels outside the crop are skipped.
        let mayMoveCrop =
            job.needsFaces && known == nil || job.mayNeedAttention && !knowsNoAttention || job.options.trim != nil
        if mayMoveCrop, work.animationStage == nil, job.rendering == .scaling || job.rendering == .drawing {
            _ = try work.source.image(atLeast: work.decodePlan.firstScale)
        }
        try work.context.check()
        if let known { work.findings = known }
        guard known == nil, job.needsFaces else { return }
        work.findings =
            if let animationStage = work.animationStage {
                try animationStage.search(work.decodePlan.faces, with: &work.search)
            } else {
                try work.search.faces(in: &work.source, work.decodePlan.faces, work.context)
            }
        work.findings.isDamaged = work.source.isDamaged
        work.times.detect = work.findings.duration
        try work.context.check()
        work.isSearched = true
    }
}
