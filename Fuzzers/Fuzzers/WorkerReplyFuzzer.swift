import BinaryCoding
import Geometry
@testable import HeadroomAPI
@testable import Pipeline
import Requests
@testable import Workers

extension Fuzzer {
    /// Replies of a compromised worker process: a byte that selects the job, then the reply.
    ///
    /// Invariant: an accepted reply can be sent to a client in every form, and its detections can be used for other
    /// crops.
    static let workerResponse = Fuzzer(name: "worker-answer", maxLength: 2048) {
        try TriedJob.all.enumerated().map { index, tried in
            [UInt8(index)] + (try bytes(of: tried.run()))
        } + [[1] + (try bytes(of: JobOutcome(.noSuchFace(index: 3, found: 1))))]
    } run: { input in
        guard let first = input.first,
            let response = try? BinaryCoder.value(WorkerReply.self, from: Array(input.dropFirst()))
        else { return }
        let tried = TriedJob.all[Int(first) % TriedJob.all.count]
        let check = ReplyCheck(job: tried.job, limits: TriedJob.limits, detectorName: TriedJob.detectorName)
        let told = response.imageBytes.reduce(0, &+)
        guard check.problem(in: response, bodyBytes: told) == nil else { return }
        if let error = response.error { _ = Problem(error).response }
        if let result = response.result { write(result) }
        if let findings = response.findings { tried.frame(findings) }
    }

    private static func bytes(of outcome: JobOutcome) throws -> [UInt8] {
        var images: [[UInt8]] = []
        return try BinaryCoder.bytes(of: WorkerReply(outcome, images: &images))
    }

    /// Writes one form of a result with the fields that describe it.
    private static func write(_ bytes: [UInt8], _ mediaType: String, decision: String?, of result: FrameResult) {
        _ = ImageResult(bytes, mediaType, decision: decision, of: result, fetch: nil, isJoined: false).fields
    }

    /// Writes every form of a result.
    private static func write(_ result: FrameResult) {
        for showsCrops in [true, false] {
            let document = PlanDocument(result.plan, crops: showsCrops)
            let bytes = JSONDocument.bytes(of: document)
            write(bytes, "application/json", decision: document.decision, of: result)
        }
        let (mediaType, bytes) = FaceFiles.multipart(of: result, boundary: "b")
        write(bytes, mediaType, decision: nil, of: result)
        _ = try? FaceFiles.archive(of: result)
        for url in [[], [(name: "url", value: "http://h/")]] {
            guard let parameters = try? FrameParameters(url, known: Parameter.all) else { continue }
            _ = ImageSnippet(result.plan, parameters: parameters).html
        }
    }
}
