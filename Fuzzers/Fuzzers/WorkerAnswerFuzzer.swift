@testable import FramePipeline
import Framing
@testable import HeadroomAPI

extension Fuzzer {
    /// What a worker process says of a job, as one may that obeys a stranger: a byte that chooses the job, then the answer.
    ///
    /// What passes for an answer can be told to a client, in every form, and used for other crops.
    static let workerAnswer = Fuzzer(name: "worker-answer", maxLength: 2048) {
        try TriedJob.all.enumerated().map { index, tried in
            let (result, findings) = try tried.run()
            var images: [[UInt8]] = []
            var answer = WorkerAnswer(result, images: &images)
            answer.findings = findings
            return [UInt8(index)] + (try WorkerWire.bytes(of: answer))
        } + [[1] + (try WorkerWire.bytes(of: WorkerAnswer(.noSuchFace(index: 3, found: 1))))]
    } run: { input in
        guard let first = input.first,
            let answer = try? WorkerWire.value(WorkerAnswer.self, from: Array(input.dropFirst()))
        else { return }
        let tried = TriedJob.all[Int(first) % TriedJob.all.count]
        let check = AnswerCheck(job: tried.job, limits: TriedJob.limits, detectorName: TriedJob.detectorName)
        let told = answer.imageBytes.reduce(0, &+)
        guard check.problem(in: answer, bodyBytes: told) == nil else { return }
        if let error = answer.error { _ = Problem(error).response }
        if let result = answer.result { tell(result) }
        if let findings = answer.findings { tried.frame(findings) }
    }

    /// Writes every form of an answer.
    private static func tell(_ result: FrameResult) {
        for showsCrops in [true, false] {
            let document = PlanDocument(result.plan, crops: showsCrops)
            _ = Answer.document(document, of: result, fetch: nil, isNegotiated: true)
        }
        _ = Answer.parts(of: result, boundary: "b", fetch: nil, isNegotiated: false)
        _ = try? Answer.archive(of: result, fetch: nil, isNegotiated: false)
        for url in [[], [(name: "url", value: "http://h/")]] {
            guard let parameters = try? FrameParameters(url, known: ParameterName.allCases) else { continue }
            _ = PictureSnippet(result.plan, parameters: parameters).html
        }
    }
}
