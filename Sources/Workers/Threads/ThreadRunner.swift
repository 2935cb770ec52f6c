import Admission
import FaceDetection
import Imaging
import Pipeline

/// Runs jobs on threads of this process, each with a detector of its own.
final class ThreadRunner: JobRunner {
    let detectorName: String

    private let limits: PipelineLimits
    private let pool: WorkerPool<any FaceDetector>
    private let memory: MemoryBudget

    /// Starts the threads, and makes a detector for each; throws the model's error when it cannot make a detector.
    init(model: FaceDetectorModel, limits: PipelineLimits, pool configuration: PoolConfiguration) throws {
        self.limits = limits
        detectorName = model.name
        pool = try WorkerPool(configuration) { try model.makeDetector() }
        memory = MemoryBudget(limit: configuration.maxBytesInFlight)
    }

    var load: PoolLoad {
        var load = pool.load
        load.bytesInFlight = memory.used
        return load
    }

    var isSaturated: Bool { pool.isSaturated }

    func refusal(by deadline: ContinuousClock.Instant?, for client: Client?) -> PipelineError? {
        pool.refusal(by: deadline, for: client)
    }

    func releaseMemory() { PlaneMemory.release() }

    func run(_ job: VideoJob, _ context: JobContext) async throws(PipelineError) -> VideoResult {
        try await pool.run(context, cost: .high) { [limits, memory] detector, _ throws(PipelineError) in
            let clock = ProcessorClock.ofThread
            defer { clock.charge(context) }
            let admitted = try MeasuredVideoJob(
                job,
                limits: context.terms.limited(limits),
                smallestDetectableSide: detector.smallestDetectableSide
            )
            try memory.take(admitted.bytesNeeded, context)
            defer { memory.give(admitted.bytesNeeded, of: context.terms.client) }
            try context.check()
            return try admitted.run(detector: &detector, context)
        }
    }

    func run(_ job: FrameJob, _ context: JobContext) async throws(PipelineError) -> JobOutcome {
        try await pool.run(context, cost: job.cost) { [limits, memory] detector, waited throws(PipelineError) in
            let clock = ProcessorClock.ofThread
            defer { clock.charge(context) }
            let admitted = try MeasuredJob(
                job,
                limits: context.terms.limited(limits),
                smallestDetectableSide: detector.smallestDetectableSide,
                hasNetwork: detector is any NetworkDetector
            )
            try memory.take(admitted.bytesNeeded, context)
            defer { memory.give(admitted.bytesNeeded, of: context.terms.client) }
            try context.check()
            return admitted.run(context, detector: &detector).queued(for: waited)
        }
    }
}
