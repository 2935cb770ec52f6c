import FaceDetection
import Geometry
import Pipeline
import Requests
import TestPacing
import Testing

/// Landmarks that are hidden because the head is turned, in JSON.
@Suite(.limitedConcurrency) struct HiddenLandmarkTests {
    @Test func `a hidden eye is listed and keeps its landmark`() async throws {
        var face = try await FacePlan()
        func landmarks() throws -> JSONValue { try face.document()["faces"][0]["landmarks"] }
        #expect(try landmarks().members["hidden"] == nil)
        var found = try #require(face.plan.faces[0].landmarks)
        let apart = found.rightEye.x - found.leftEye.x
        found.nose.x = found.leftEye.x - apart
        face.plan.faces[0].landmarks = found
        #expect(try landmarks()["hidden"] == .array([.string("leftEye")]))
        #expect(try landmarks().members["leftEye"] != nil)
        found.nose.x = found.rightEye.x + apart
        face.plan.faces[0].landmarks = found
        #expect(try landmarks()["hidden"] == .array([.string("rightEye")]))
    }
}
