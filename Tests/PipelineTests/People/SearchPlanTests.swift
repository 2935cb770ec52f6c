import Geometry
import Pipeline
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct SearchPlanTests {
    private func shortSides(_ width: Int, _ height: Int, _ smallestFace: Double) -> [Int] {
        SearchPlan(
            for: PixelSize(width: width, height: height),
            smallestFace: smallestFace,
            smallestDetectableSide: 80
        ).passes.map(\.workingSize.shortSide)
    }

    static let plans: [(Double, [Int])] = [
        (Accuracy.high.smallestFace, [720, 1333, 2000]), (Accuracy.low.smallestFace, [480]), (0.06, [720, 1333]),
        (0.1, [800]), (0.05, [720, 1600]), (1, [80]),
    ]

    @Test(arguments: plans)
    func `coarser passes precede the requested pass if they save much time`(share: Double, sides: [Int]) {
        #expect(shortSides(3000, 2000, share) == sides)
        #expect(shortSides(2000, 3000, share) == sides)
    }

    @Test func `the aspect ratio of the image is kept`() {
        let plan = SearchPlan(
            for: PixelSize(width: 1920, height: 1080),
            smallestFace: 1.0 / 9,
            smallestDetectableSide: 80
        )
        #expect(plan.passes.map(\.workingSize) == [PixelSize(width: 1280, height: 720)])
        #expect(plan.passes[0].smallestFace == 120)
    }

    @Test func `a tiny image is enlarged up to a limit and searched once`() {
        let plan = SearchPlan(for: PixelSize(width: 20, height: 10), smallestFace: 0.04, smallestDetectableSide: 80)
        #expect(plan.passes.map(\.workingSize) == [PixelSize(width: 80, height: 40)])
    }

    @Test func `a coarser pass is omitted if the limit of the finest pass makes it save little`() {
        #expect(shortSides(500, 400, Accuracy.high.smallestFace) == [720, 1600])
        #expect(shortSides(600, 500, Accuracy.high.smallestFace) == [720, 1333, 2000])
    }

    @Test(arguments: [(65_535, 600), (1, 65_535), (30_000, 1_000), (1, 1)])
    func `for every image size, the detector gets at least one pixel and no more than the maximum`(
        width: Int,
        height: Int
    ) {
        let plan = SearchPlan(
            for: PixelSize(width: width, height: height),
            smallestFace: 0.02,
            smallestDetectableSide: 80
        )
        for look in plan.passes {
            #expect(Double(look.workingSize.area) <= SearchPlan.maxPixels * 1.01)
            #expect(look.workingSize.width >= 1 && look.workingSize.height >= 1)
        }
    }
}
