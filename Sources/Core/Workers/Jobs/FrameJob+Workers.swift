import Admission
import BinaryCoding
import Imaging
package import Pipeline

extension FrameJob: WorkerJob {
    package static var kind: UInt32 { 3 }

    package var hasOtherImages: Bool { backdrop != nil }

    package var body: ArraySlice<UInt8> { backdrop.map { (source.array + $0.array)[...] } ?? source.slice }

    package func request(_ limits: PipelineLimits) -> WorkerRequest { WorkerRequest(self, limits: limits) }

    package func measured(
        _ limits: PipelineLimits,
        _ needs: any SearchNeeds
    ) throws(PipelineError) -> MeasuredWork<JobOutcome> {
        let job = try MeasuredJob(self, limits: limits, needs: needs)
        return MeasuredWork(bytesNeeded: job.bytesNeeded) { context, search in job.run(context, search: &search) }
    }

    package static func failure(_ error: PipelineError) -> JobOutcome { JobOutcome(error) }

    package static func isSuccess(_ outcome: JobOutcome) -> Bool {
        if case .success = outcome.result { true } else { false }
    }

    package static func outcome(_ outcome: JobOutcome, waited: Duration) -> JobOutcome { outcome.queued(for: waited) }

    package static func reply(_ outcome: JobOutcome) throws -> (head: [UInt8], body: [[UInt8]]) {
        var images: [[UInt8]] = []
        let reply = WorkerReply(outcome, images: &images)
        return (try BinaryCoder.bytes(of: reply), images)
    }

    package func outcome(
        of reply: RawReply,
        _ limits: PipelineLimits,
        detectorName: String
    ) throws -> JobOutcome {
        let answer = try reply.value(WorkerReply.self)
        let check = ReplyCheck(job: self, limits: limits, detectorName: detectorName)
        if let problem = check.problem(in: answer, bodyBytes: reply.bodyBytes) {
            throw InvalidReply.containing(problem)
        }
        if let error = answer.error { return JobOutcome(findings: answer.findings, result: .failure(error)) }
        guard var result = answer.result else { throw InvalidReply.empty }
        var offset = 0
        var images: [[UInt8]] = []
        for count in answer.imageBytes {
            images.append(try reply.body(at: offset, count: count))
            offset += count
        }
        for (index, bytes) in images.enumerated() { result.images[index].bytes = bytes }
        for image in result.images where OutputFormat.sniff(image.bytes) != image.format {
            throw InvalidReply.containing("an image of another type")
        }
        return JobOutcome(findings: answer.findings, result: .success(result))
    }
}
