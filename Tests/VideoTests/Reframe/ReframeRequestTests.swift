import Testing
import Video

@Suite struct ReframeRequestTests {
    @Test(
        arguments: [
            (0, 0, 1, 1, true), (0.5, 0.25, 0.5, 0.75, true), (0, 0, 0.01, 0.01, true), (-0.1, 0, 0.5, 0.5, false),
            (0, 0, 0.009, 0.5, false), (0, 0, 0.5, 0, false), (0.6, 0, 0.5, 0.5, false), (0, 0.6, 0.5, 0.5, false),
        ] as [(Double, Double, Double, Double, Bool)]
    )
    func `a part of a frame is not empty and within the frame`(
        left: Double,
        top: Double,
        width: Double,
        height: Double,
        isValid: Bool
    ) {
        #expect((FrameShare(left: left, top: top, width: width, height: height) != nil) == isValid)
    }

    @Test(
        arguments: [
            (0, 1, 0, true), (0.4, 0.3, 1e6, true), (1.1, 0, 0, false), (0, -0.1, 0, false), (0, 0, -1, false),
            (0, 0, 1e6 + 1, false),
        ] as [(Double, Double, Double, Bool)]
    )
    func `a visible person is a point in the frame at a time of the video`(
        x: Double,
        y: Double,
        seconds: Double,
        isValid: Bool
    ) {
        #expect((VisiblePerson(x: x, y: y, seconds: seconds) != nil) == isValid)
    }

    @Test(
        arguments: [
            (nil, false), ("-", false), ("plan.jsonl", false), ("plan.json", true), ("plan-{aspect}.json", true),
        ] as [(String?, Bool)]
    )
    func `the ending of its name makes a plan one document`(plan: String?, isDocument: Bool) {
        var request = ReframeRequest()
        request.plan = plan
        #expect(request.writesDocument == isDocument)
    }
}
