import Imaging

/// Runs one job: searches for faces, plans the crops, and runs the ``stages`` on the plan.
///
/// The stages share the decoded pixels, the search and the times of a ``FrameWork``, and change a ``FrameDraft``.
package struct FramePipeline {
    /// The stages after the plan, in order.
    ///
    /// Each stage is a value without state, and does nothing if the job does not request it.
    static let stages: [any FrameStage] = [
        FollowStage(), WatermarkStage(), KeyStage(), PlaceholderStage(), ImageStage(), AuditStage(),
    ]

    private var work: FrameWork

    /// Creates the pipeline of a job whose header was read and is within the limits.
    init(job: FrameJob, header: ImageHeader, limits: PipelineLimits, context: JobContext, search: any FaceSearch) {
        work = FrameWork(job: job, header: header, limits: limits, context: context, search: search)
    }

    /// The search of the worker.
    package var search: any FaceSearch { work.search }

    /// Runs the job on the calling thread and returns the result or an error, and the detections if the job ran a
    /// search.
    package mutating func run() -> JobOutcome {
        do throws(PipelineError) {
            try SearchStage().run(&work)
        } catch {
            return JobOutcome(error)
        }
        do throws(PipelineError) {
            var draft = try PlanStage().draft(of: &work)
            for stage in Self.stages { try stage.run(&work, &draft) }
            return JobOutcome(findings: work.newFindings, result: .success(work.result(of: draft)))
        } catch {
            return JobOutcome(findings: work.newFindings, result: .failure(error))
        }
    }
}
