import Pipeline

/// The runs of the converters of one use, for metrics.
package struct ConverterCounters: Sendable {
    /// The results of a run; the raw values are the words of metrics.
    package enum Outcome: String, CaseIterable, Sendable {
        case success = "success"
        /// The program could not be started.
        case notStarted = "not_started"
        /// The program reported a failure, or crashed.
        case failed = "failed"
        case timeout = "timeout"
        case tooManyBytes = "bytes"
        case tooManyPixels = "pixels"
        case tooManyThreads = "threads"
        /// The output has another format.
        case invalidOutput = "invalid_output"
        /// The client disconnected.
        case cancelled = "cancelled"
        /// The program was not started, because the same run recently exceeded a limit.
        case quarantined = "quarantined"
    }

    /// The numbers of runs by their outcome.
    package private(set) var runs: [Outcome: Int] = [:]
    /// The sum of the times from the start of a program to its end.
    package private(set) var elapsedTime = Duration.zero
    /// The sum of the processor times of the programs.
    package private(set) var processorTime = Duration.zero

    /// Creates counters at 0.
    package init() {}

    mutating func count(_ outcome: Outcome) { runs[outcome, default: 0] += 1 }

    mutating func add(_ outcome: ConverterOutcome) {
        switch outcome.result {
        case .success: count(.success)
        case .failure(let failure): if let outcome = failure.outcome { count(outcome) }
        }
        elapsedTime += outcome.elapsedTime
        processorTime += outcome.processorTime
    }
}

extension ConversionFailure {
    /// The outcome in metrics; nil if the queue rejected the run.
    fileprivate var outcome: ConverterCounters.Outcome? {
        switch self {
        case .rejected(.cancelled): .cancelled
        case .rejected: nil
        case .notStarted: .notStarted
        case .failed: .failed
        case .timeout: .timeout
        case .tooManyBytes: .tooManyBytes
        case .tooManyPixels: .tooManyPixels
        case .tooManyThreads: .tooManyThreads
        case .invalidOutput: .invalidOutput
        case .quarantined: .quarantined
        }
    }
}
