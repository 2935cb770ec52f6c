import FaceDetection
import Geometry
import Pipeline
import Requests
import TestPacing
import TestPictures
import Testing
import Workers

/// Points that a turned head hides, in JSON.
@Suite(.limitedConcurrency) struct HiddenLandmarkTests {
    @Test func `a hidden eye is named, and keeps its point`() async throws {
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
        var plan = try await service.run(FrameJob(source: try Pictures.singleJPEG.get(), target: .plan)).plan
        func landmarks() throws -> JSONValue {
            try JSONValue(json: JSONDocument.bytes(of: PlanDocument(plan, crops: true)))["faces"][0]["landmarks"]
        }
        #expect(try landmarks().members["hidden"] == nil)
        var found = try #require(plan.faces[0].landmarks)
        let apart = found.rightEye.x - found.leftEye.x
        found.nose.x = found.leftEye.x - apart
        plan.faces[0].landmarks = found
        #expect(try landmarks()["hidden"] == .array([.string("leftEye")]))
        #expect(try landmarks().members["leftEye"] != nil)
        found.nose.x = found.rightEye.x + apart
        plan.faces[0].landmarks = found
        #expect(try landmarks()["hidden"] == .array([.string("rightEye")]))
    }
}
