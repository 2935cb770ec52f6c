import Admission
import Dispatch
import HTTPTypes
package import HeadroomAPI
import Pipeline

/// Reads jobs from a stream, runs them concurrently, and writes each response when it is ready.
///
/// A job is read only if the limits allow it: the number of jobs and the bytes of all bodies are limited.
package struct JobPipe: Sendable {
    /// The reason why a pipe ended without an error of its stream.
    package enum End: Sendable, Equatable {
        /// The stream ended or was stopped, and every received job has a response.
        case complete
        /// A message could not be read, so later messages cannot be read either.
        case broken
    }

    private let handler: any ImageHandler
    private let greeting: Greeting
    private let limits: PipeLimits
    private let stream: any JobStream
    private let reader: MessageReader
    private let gate: ByteGate
    // Reads and writes block, so they must not occupy threads of the cooperative pool.
    private let readQueue = DispatchQueue(label: "headroom.pipe.read")
    private let writeQueue = DispatchQueue(label: "headroom.pipe.write")

    /// Creates a pipe, which starts reading in ``run()``.
    ///
    /// - Parameters:
    ///   - stream: The source of jobs and the destination of responses.
    ///   - handler: Runs jobs; it must accept ``PipeLimits/inWork`` jobs at the same time.
    ///   - workers: The number of jobs that run at the same time, for the greeting.
    ///   - limits: The maximum number of jobs in progress, and the maximum bytes of their bodies.
    package init(_ stream: any JobStream, handler: any ImageHandler, workers: Int, limits: PipeLimits) {
        self.stream = stream
        self.handler = handler
        self.limits = limits
        greeting = Greeting(workers: workers, limits: limits)
        reader = MessageReader { try stream.read(into: $0) }
        gate = ByteGate(limit: limits.maxBytesInWork)
    }

    /// Runs until the stream ends and every job has a response.
    ///
    /// - Throws: An error of the stream.
    package func run() async throws -> End {
        guard try await greet() else { return .broken }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            var end = End.complete
            do {
                var inWork = 0
                while true {
                    if inWork == limits.inWork {
                        try await group.next()
                        inWork -= 1
                    }
                    guard let (header, length) = try await read({ try $0.header() }) else { break }
                    guard let job = try await job(header, length) else { continue }
                    // Waits for memory before the body is read.
                    let share = await gate.take(length)
                    let body = try await read { try $0.body(length) }
                    inWork += 1
                    group.addTask {
                        try await write(await answer(job, body))
                        withExtendedLifetime(share) {}
                    }
                }
            } catch let failure as MessageReader.Failure {
                end = try await refuse(failure)
            }
            try await group.waitForAll()
            return end
        }
    }

    private func greet() async throws -> Bool {
        do {
            guard let (header, length) = try await read({ try $0.header() }) else { return true }
            if let problem = Greeting.refusal(of: header, bodyLength: length) {
                try await write(Self.message(nil, problem))
                return false
            }
            try await write(Message(greeting))
            return true
        } catch let failure as MessageReader.Failure {
            return try await refuse(failure) == .complete
        }
    }

    /// The job of a header; nil if the job is rejected and its body was skipped.
    private func job(_ header: [UInt8], _ length: Int) async throws -> PipeJob? {
        let refusal: Message
        do throws(PipeJob.Refusal) {
            let job = try PipeJob(header)
            if length <= limits.maxBodyBytes { return job }
            let detail = "The body of \(length) bytes exceeds the limit of \(limits.maxBodyBytes) bytes."
            refusal = Self.message(job.id, Problem(.tooLarge, .contentTooLarge, detail))
        } catch {
            refusal = Self.message(error.id, error.problem)
        }
        try await read { try $0.skip(length) }
        try await write(refusal)
        return nil
    }

    private func answer(_ job: PipeJob, _ body: [UInt8]) async -> Message {
        do throws(Problem) {
            let request = try PipeRequest(path: job.route, parameters: job.parameters, bytes: SourceBytes(body))
            let reply = await handler.reply(to: request)
            return Message(PipeResponse(id: job.id, reply, wantsPlan: job.wantsPlan), body: reply.body)
        } catch {
            return Self.message(job.id, error)
        }
    }

    /// Reports an unreadable message; a message that was cut off by ``JobStream/stop()`` is not an error.
    private func refuse(_ failure: MessageReader.Failure) async throws -> End {
        if stream.isStopped { return .complete }
        let detail =
            switch failure {
            case .endsEarly: "The input ends inside a message."
            case .headerTooLong(let length):
                "A header of \(length) bytes exceeds the limit of \(PipeLimits.maxHeaderBytes) bytes."
            }
        try await write(Self.message(nil, Problem(.invalidRequest, .badRequest, detail)))
        return .broken
    }

    private static func message(_ id: String?, _ problem: Problem) -> Message {
        let reply = problem.reply
        return Message(PipeResponse(id: id, reply), body: reply.body)
    }

    private func read<Output: Sendable>(
        _ call: @escaping @Sendable (MessageReader) throws -> Output
    ) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            readQueue.async { continuation.resume(with: Result { try call(reader) }) }
        }
    }

    private func write(_ message: Message) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writeQueue.async {
                let result = Result {
                    try stream.write(message.head)
                    if !message.body.isEmpty { try stream.write(message.body) }
                }
                // The client no longer reads responses, so no further job is read.
                if case .failure = result { stream.stop() }
                continuation.resume(with: result)
            }
        }
    }
}
