import Imaging
import Pipeline
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct FaceTurnParametersTests {
    private func read(_ pairs: [(String, String)]) throws(ParameterErrors) -> FrameParameters {
        try FrameParameters(pairs.map { (name: $0.0, value: $0.1) }, known: Parameter.all)
    }

    @Test func `upright and align rotate faces`() throws {
        #expect(try read([]).options.faceTurn == nil)
        #expect(try read([("upright", "false")]).options.faceTurn == nil)
        #expect(try read([("upright", "true")]).options.faceTurn == .upright)
        #expect(try read([("align", "eyes")]).options.faceTurn == .eyes(height: 0.4))
        #expect(
            try read([("align", "eyes"), ("eyes", "0.5"), ("upright", "1")]).options.faceTurn == .eyes(height: 0.5)
        )
        #expect(
            try read([("align", "eyes"), ("eyeDistance", "0.3")]).options.faceTurn == .eyes(height: 0.4, distance: 0.3)
        )
        #expect(try read([("align", "eyes"), ("background", "blur")]).options.background == .blur)
    }

    @Test(arguments: [
        [("upright", "maybe")], [("align", "mouth")], [("eyes", "0.4")], [("align", "eyes"), ("eyes", "0.05")],
        [("align", "eyes"), ("eyes", "1")], [("align", "eyes"), ("padding", "0.1")],
        [("eyeDistance", "0.3")], [("align", "eyes"), ("eyeDistance", "0.04")],
        [("align", "eyes"), ("eyeDistance", "0.61")], [("upright", "true"), ("losslessCrop", "true")],
        [("upright", "false"), ("background", "blur")],
    ])
    func `other values and combinations are rejected`(pairs: [(String, String)]) throws {
        #expect(try #require(throws: ParameterErrors.self) { try read(pairs) }.all.count == 1)
    }
}
