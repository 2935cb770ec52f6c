import BinaryCoding
import Imaging
import Pipeline

/// A job that a worker process can run.
protocol ProcessJob: Sendable {
    associatedtype Request: Encodable
    associatedtype Outcome: Sendable

    static var kind: WorkerMessage { get }
    /// The picture; it is refused for a while if it ends processes.
    var source: SourceBytes { get }
    /// Bytes that are equal for equal requests about the picture.
    var requestBytes: [UInt8] { get }
    /// Whether the request has pictures besides ``source``.
    var hasOtherPictures: Bool { get }
    /// The bytes that are sent beside the request.
    var body: ArraySlice<UInt8> { get }

    func request(_ limits: PipelineLimits) -> Request

    /// Decodes and validates the reply of a process.
    ///
    /// - Throws: ``WorkerEnd`` for an invalid one, after the process was ended.
    func outcome(of reply: WorkerProcess.Reply, from process: ReadyProcess, _ limits: PipelineLimits) throws -> Outcome

    static func isSuccess(_ outcome: Outcome) -> Bool
}

extension FrameJob: ProcessJob {
    static var kind: WorkerMessage { .request }

    var hasOtherPictures: Bool { backdrop != nil }

    var body: ArraySlice<UInt8> { backdrop.map { (source.array + $0.array)[...] } ?? source.slice }

    func request(_ limits: PipelineLimits) -> WorkerRequest { WorkerRequest(self, limits: limits) }

    func outcome(
        of reply: WorkerProcess.Reply,
        from ready: ReadyProcess,
        _ limits: PipelineLimits
    ) throws -> JobOutcome {
        let process = ready.process
        guard let answer = try? BinaryCoder.value(WorkerReply.self, from: reply.head) else {
            throw process.end(breach: "its answer cannot be read")
        }
        let check = ReplyCheck(job: self, limits: limits, detectorName: ready.greeting.detectorName)
        if let problem = check.problem(in: answer, bodyBytes: reply.bodyBytes) {
            throw process.end(breach: "its answer has \(problem)")
        }
        if let error = answer.error { return JobOutcome(findings: answer.findings, result: .failure(error)) }
        guard var result = answer.result else { throw process.end(breach: "its answer is empty") }
        var offset = 0
        var images: [[UInt8]] = []
        for count in answer.imageBytes {
            images.append(try process.body(of: reply, at: offset, count: count))
            offset += count
        }
        if var image = result.image {
            image.bytes = images.removeFirst()
            result.image = image
        }
        for (index, bytes) in images.enumerated() { result.images[index].bytes = bytes }
        for image in [result.image].compactMap(\.self) + result.images
        where ImageFormat.sniff(image.bytes) != image.format {
            throw process.end(breach: "its answer has an image of another type")
        }
        return JobOutcome(findings: answer.findings, result: .success(result))
    }

    static func isSuccess(_ outcome: JobOutcome) -> Bool { if case .success = outcome.result { true } else { false } }
}

extension VideoJob: ProcessJob {
    static var kind: WorkerMessage { .frame }

    /// Empty: a frame is sent only once, so its requests need not be distinguished.
    var requestBytes: [UInt8] { [] }

    var hasOtherPictures: Bool { false }

    var body: ArraySlice<UInt8> { source.slice }

    func request(_ limits: PipelineLimits) -> VideoRequest { VideoRequest(self, limits: limits) }

    func outcome(
        of reply: WorkerProcess.Reply,
        from ready: ReadyProcess,
        _ limits: PipelineLimits
    ) throws -> Result<VideoResult, PipelineError> {
        let process = ready.process
        guard let told = try? BinaryCoder.value(VideoReply.self, from: reply.head) else {
            throw process.end(breach: "its answer cannot be read")
        }
        if let error = told.error {
            switch error {
            case .codec, .detector, .cancelled, .workerLost, .resultTooLarge: return .failure(error)
            default: throw process.end(breach: "its answer has an error that a worker cannot have")
            }
        }
        guard var answer = told.result, answer.bytes.isEmpty else {
            throw process.end(breach: "its answer is empty")
        }
        answer.bytes = try process.body(of: reply, at: 0, count: reply.bodyBytes)
        if let problem = VideoResultCheck(self, limits: limits).problem(in: answer) {
            throw process.end(breach: "its answer has \(problem)")
        }
        return .success(answer)
    }

    static func isSuccess(_ outcome: Result<VideoResult, PipelineError>) -> Bool {
        if case .success = outcome { true } else { false }
    }
}
