import Geometry
import Testing

/// Sizes and aspect ratios from arbitrary numbers.
struct ExtremeNumberTests {
    private static let numbers = [
        0, -1, 1, 0.5, 1e9, 1e19, -1e19, 1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
    ]

    @Test(arguments: numbers) func `every number yields a size of at least one pixel`(number: Double) {
        let size = PixelSize(rounding: number, -number)
        #expect(size.width >= 1 && size.height >= 1)
    }

    @Test(arguments: numbers) func `an aspect ratio has sides for every length`(number: Double) {
        #expect(AspectRatio(number, .nan) == nil)
        guard let shape = AspectRatio(number, 1) ?? AspectRatio(1, number) else { return }
        for length in [Int.min, -1, 0, 1, 1 << 40, Int.max] {
            #expect(shape.height(forWidth: length) >= 1)
            #expect(shape.width(forHeight: length) >= 1)
        }
    }

    @Test func `an empty rectangle has no columns`() {
        let rect = PixelRect(x: 5, y: 5, width: -3, height: 0)
        #expect(rect.columns.isEmpty && rect.rows.isEmpty)
    }

    @Test func `edges and areas of any rectangle do not overflow`() {
        let numbers = [Int.min, -1, 0, 1, Int.max]
        for start in numbers {
            for length in numbers {
                let rect = PixelRect(x: start, y: start, width: length, height: length)
                #expect(rect.maxX >= start || length < 0)
                #expect(rect.area >= 0 && rect.size.area == rect.area)
            }
        }
    }
}
