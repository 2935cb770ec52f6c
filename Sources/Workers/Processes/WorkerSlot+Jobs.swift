import Admission
import Pipeline

extension WorkerSlot {
    /// Runs a job in the process, if there is memory for it before the deadline.
    ///
    /// A job whose process was killed from outside is run once more, in another process. It is not if the kernel killed the
    /// process because memory ran out: the job may be what took the memory.
    ///
    /// - Returns: The job's outcome.
    /// - Throws: ``PipelineError`` when the job was not admitted, or its process failed.
    func run<Job: ProcessJob>(_ job: Job, _ context: JobContext) throws(PipelineError) -> Job.Outcome {
        var attempt = attempt(job, context)
        do {
            switch attempt {
            case .notBegun(let end):
                try replace(after: end, during: "rest")
                attempt = self.attempt(job, context)
            case .lost(let end) where mayRepeat(after: end, context):
                // The second time the request is refused.
                dependencies.refused.add(job.source, job.requestBytes, .suspectedRequest)
                try replace(after: end, during: "job")
                attempt = self.attempt(job, context)
            case .answered, .refused, .lost: break
            }
        } catch {
            throw .workerLost("\(error)")
        }
        switch attempt {
        case .answered(let outcome): return outcome
        case .refused(let error): throw error
        case .notBegun(let end), .lost(let end): throw lost(end, job)
        }
    }

    private func mayRepeat(after end: WorkerEnd, _ context: JobContext) -> Bool {
        end.cause == .killed && !context.cancellation.isCancelled && !dependencies.memoryKills.areNew()
    }

    /// How an attempt to run a job ended.
    private enum Attempt<Outcome> {
        /// The process answered, with a result or an error.
        case answered(Outcome)
        /// The job was not admitted.
        case refused(PipelineError)
        /// The process had ended before it looked at the job.
        case notBegun(WorkerEnd)
        /// The process ended because of the job, or was killed meanwhile.
        case lost(WorkerEnd)
    }

    private func attempt<Job: ProcessJob>(_ job: Job, _ context: JobContext) -> Attempt<Job.Outcome> {
        guard let ready else { return .notBegun(WorkerEnd(.killed, "is missing")) }
        let (memory, number) = (dependencies.memory, nextJob())
        var taken: Int?
        defer { if let taken { memory.give(taken) } }
        let clock = ProcessorClock.ofProcess(ready.process.processID)
        defer { clock.charge(context) }
        let outcome = context.cancellation.withHandler({ ready.process.cancel(job: number) }) {
            Result {
                try job.run(in: ready, number, context.terms.limited(dependencies.limits)) { bytes in
                    Result { () throws(PipelineError) in
                        try memory.take(bytes, context)
                        taken = bytes
                    }
                }
            }
        }
        switch outcome {
        case .success(let outcome):
            if Job.isSuccess(outcome) { noteSuccess() }
            return .answered(outcome)
        case .failure(let error as PipelineError): return .refused(error)
        case .failure(let end as WorkerEnd): return taken == nil && end.cause == .killed ? .notBegun(end) : .lost(end)
        case .failure(let error): return .refused(.workerLost("\(error)"))
        }
    }

    /// Records that a process was lost with its job, and whether the picture is refused for that.
    private func lost(_ end: WorkerEnd, _ job: some ProcessJob) -> PipelineError {
        // A job that could not be handed over is no reason to end the process.
        if !isReady { discard() }
        dependencies.journal.ended(end, during: "job")
        if var offence = Self.offence(end.cause) {
            // The picture behind may be what ended the process.
            if offence == .source, job.hasOtherPictures { offence = .request }
            dependencies.refused.add(job.source, job.requestBytes, offence)
        }
        return .workerLost("its worker process \(end)")
    }

    /// What an end says about the picture; nil when nothing.
    private static func offence(_ cause: WorkerEnd.Cause) -> RefusedSources.Offence? {
        switch cause {
        case .crash, .denied, .breach: .source
        // The request may be what takes that long, and not the picture.
        case .timeout: .request
        // The kill may have had nothing to do with the picture; the kernel also kills, when memory runs out.
        case .killed: .suspectedRequest
        case .start, .sandbox, .environment: nil
        }
    }
}
