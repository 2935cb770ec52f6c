import FaceDetection
import Pipeline
import Requests
import TestImages
import Workers

/// The plan for an image with one face, and its JSON.
struct FacePlan {
    var plan: FramePlan

    init() async throws {
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
        plan = try await service.run(FrameJob(source: try Images.singleJPEG.get(), target: .plan)).plan
    }

    func document() throws -> JSONValue {
        try JSONValue(json: JSONDocument.bytes(of: PlanDocument(plan, crops: true)))
    }
}
