package import Admission
import BinaryCoding
package import Pipeline
package import Workers

extension VideoJob: WorkerJob {
    package static var kind: UInt32 { 9 }

    /// Empty, because a frame is sent only once and its request needs no identity.
    package var requestBytes: [UInt8] { [] }

    /// High, so that frames get at most half of the workers while other jobs wait.
    package var cost: JobCost { .high }

    package func request(_ limits: PipelineLimits) -> VideoRequest { VideoRequest(self, limits: limits) }

    package func measured(
        _ limits: PipelineLimits,
        _ needs: any SearchNeeds
    ) throws(PipelineError) -> MeasuredWork<Result<VideoResult, PipelineError>> {
        let job = try MeasuredVideoJob(
            self,
            limits: limits,
            smallestDetectableSide: needs.smallestDetectableSide
        )
        return MeasuredWork(bytesNeeded: job.bytesNeeded) { context, search in
            do throws(PipelineError) {
                return .success(try job.run(search: &search, context))
            } catch {
                return .failure(error)
            }
        }
    }

    package static func failure(_ error: PipelineError) -> Result<VideoResult, PipelineError> { .failure(error) }

    package static func isSuccess(_ outcome: Result<VideoResult, PipelineError>) -> Bool {
        if case .success = outcome { true } else { false }
    }

    package static func reply(
        _ outcome: Result<VideoResult, PipelineError>
    ) throws -> (head: [UInt8], body: [[UInt8]]) {
        var bytes: [UInt8] = []
        let reply = VideoReply(outcome, bytes: &bytes)
        return (try BinaryCoder.bytes(of: reply), [bytes])
    }

    package func outcome(
        of reply: RawReply,
        _ limits: PipelineLimits,
        detectorName: String
    ) throws -> Result<VideoResult, PipelineError> {
        let answer = try reply.value(VideoReply.self)
        if let error = answer.error {
            switch error {
            case .codec, .detector, .cancelled, .workerLost, .resultTooLarge: return .failure(error)
            default: throw InvalidReply.containing("an error that a worker cannot report")
            }
        }
        guard var result = answer.result, result.bytes.isEmpty else { throw InvalidReply.empty }
        result.bytes = try reply.body(at: 0, count: reply.bodyBytes)
        if let problem = VideoResultCheck(self, limits: limits).problem(in: result) {
            throw InvalidReply.containing(problem)
        }
        return .success(result)
    }
}
