import FaceDetection
import Pipeline
import Requests
import TestPacing
import TestPictures
import Testing
import Workers

/// Stickers that are left out because of doubtful landmarks, in JSON.
@Suite(.limitedConcurrency) struct OmittedStickersTests {
    @Test func `stickers that are left out are listed with their faces`() async throws {
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
        var plan = try await service.run(FrameJob(source: try Pictures.singleJPEG.get(), target: .plan)).plan
        func document() throws -> JSONValue {
            try JSONValue(json: JSONDocument.bytes(of: PlanDocument(plan, crops: true)))
        }
        #expect(try document().members["omitted"] == nil)
        plan.omittedStickers = [.init(name: "glasses", faces: [1])]
        let omitted = try document()["omitted"][0]
        #expect(omitted["overlay"] == .string("glasses") && omitted["faces"] == .array([.integer(1)]))
        #expect(omitted["reason"] == .string("landmarks"))
    }
}
