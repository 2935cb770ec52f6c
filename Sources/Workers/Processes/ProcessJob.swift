import BinaryCoding
import Pipeline

/// A job that a worker process can run.
protocol ProcessJob: Sendable {
    associatedtype Outcome: Sendable

    /// The picture; it is refused for a while if it ends processes.
    var source: SourceBytes { get }
    /// Bytes that are equal for equal requests about the picture.
    var requestBytes: [UInt8] { get }
    /// Whether the request has pictures besides ``source``.
    var hasOtherPictures: Bool { get }

    /// Runs the job in a process.
    ///
    /// - Parameters:
    ///   - process: The process.
    ///   - number: Different for each job of the process.
    ///   - limits: The limits of the job.
    ///   - admit: Receives the memory estimate of the job in bytes, and waits until it is available.
    /// - Returns: The outcome.
    /// - Throws: `PipelineError` when the job was not admitted, ``WorkerEnd`` when the process failed.
    func run(
        in process: ReadyProcess,
        _ number: UInt64,
        _ limits: PipelineLimits,
        admit: (Int) -> Result<Void, PipelineError>
    ) throws -> Outcome

    /// Whether an outcome is a result and not an error.
    static func isSuccess(_ outcome: Outcome) -> Bool
}

extension FrameJob: ProcessJob {
    var hasOtherPictures: Bool { backdrop != nil }

    func run(
        in process: ReadyProcess,
        _ number: UInt64,
        _ limits: PipelineLimits,
        admit: (Int) -> Result<Void, PipelineError>
    ) throws -> JobOutcome {
        try process.run(self, number, limits, admit: admit)
    }

    static func isSuccess(_ outcome: JobOutcome) -> Bool { if case .success = outcome.result { true } else { false } }
}

extension VideoJob: ProcessJob {
    /// Empty: a frame is sent only once, so its requests need not be distinguished.
    var requestBytes: [UInt8] { [] }

    var hasOtherPictures: Bool { false }

    func run(
        in process: ReadyProcess,
        _ number: UInt64,
        _ limits: PipelineLimits,
        admit: (Int) -> Result<Void, PipelineError>
    ) throws -> Result<VideoAnswer, PipelineError> {
        let head: [UInt8]
        do {
            head = try BinaryCoder.bytes(of: VideoRequest(self, limits: limits))
        } catch {
            throw PipelineError.workerLost("the job cannot be encoded: \(error)")
        }
        let reply = try process.exchange(number, .frame, head: head, body: source.slice, admit: admit)
        defer { if process.process.isRunning { process.process.forget() } }
        guard let told = try? BinaryCoder.value(VideoReply.self, from: reply.head) else {
            throw process.process.end(breach: "its answer cannot be read")
        }
        if let error = told.error { return .failure(try checked(error, process)) }
        guard var answer = told.answer, answer.bytes.isEmpty else {
            throw process.process.end(breach: "its answer is empty")
        }
        answer.bytes = try process.process.body(of: reply, at: 0, count: reply.bodyBytes)
        if let problem = VideoAnswerCheck(self, limits: limits).problem(in: answer) {
            throw process.process.end(breach: "its answer has \(problem)")
        }
        return .success(answer)
    }

    static func isSuccess(_ outcome: Result<VideoAnswer, PipelineError>) -> Bool {
        if case .success = outcome { true } else { false }
    }

    /// Validates the error of an answer; ends the process if a frame cannot cause it.
    private func checked(_ error: PipelineError, _ process: ReadyProcess) throws -> PipelineError {
        switch error {
        case .codec, .detector, .cancelled, .workerLost, .resultTooLarge: return error
        default: throw process.process.end(breach: "its answer has an error that a worker cannot have")
        }
    }
}
