import FaceDetection
import Pipeline
import Requests
import TestPacing
import Testing

/// Stickers that are omitted because of uncertain landmarks, in JSON.
@Suite(.limitedConcurrency) struct OmittedStickersTests {
    @Test func `the plan lists omitted stickers with their faces`() async throws {
        var face = try await FacePlan()
        #expect(try face.document().members["omitted"] == nil)
        face.plan.omittedStickers = [.init(name: "glasses", faces: [1])]
        let omitted = try face.document()["omitted"][0]
        #expect(omitted["overlay"] == .string("glasses") && omitted["faces"] == .array([.integer(1)]))
        #expect(omitted["reason"] == .string("landmarks"))
    }
}
