/// A stage of a job after its crops are planned; ``FramePipeline/stages`` lists all of them.
protocol FrameStage: Sendable {
    /// Changes the plan, adds inputs of the steps, or makes images; does nothing if the job does not request the stage.
    ///
    /// - Parameters:
    ///   - work: The running job, whose pixels, search and times all stages share.
    ///   - draft: The result so far.
    /// - Throws: ``PipelineError``.
    func run(_ work: inout FrameWork, _ draft: inout FrameDraft) throws(PipelineError)
}
