import Logging
import Pipeline
import Workers

extension IsolationChoice {
    /// Starts workers with a detector; a `jobTimeout` is for processes.
    ///
    /// - Throws: A `WorkerExit` if a process cannot start, or the error of the detector's model.
    func service(
        _ detector: DetectorChoice,
        limits: PipelineLimits,
        pool: PoolConfiguration,
        jobTimeout: Duration? = nil,
        logger: Logger = .silent
    ) throws -> WorkerService {
        switch self {
        case .thread: return try WorkerService(model: try detector.model(), limits: limits, pool: pool)
        case .process:
            var processes = ProcessConfiguration(command: WorkerEntry.command(detector))
            processes.jobTimeout = jobTimeout ?? processes.jobTimeout
            return try WorkerService(processes: processes, limits: limits, pool: pool, logger: logger)
        }
    }
}
