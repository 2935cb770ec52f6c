import Testing
import TotalFunctions

/// Functions that have a result for every input.
struct TotalFunctionsTests {
    @Test func `an index outside a collection yields nil`() {
        let slice = [1, 2, 3, 4][1...2]
        #expect(slice[at: 1] == 2)
        #expect(slice[at: 2] == 3)
        for index in [Int.min, -1, 0, 3, 4, Int.max] { #expect(slice[at: index] == nil) }
        #expect([Int]()[at: 0] == nil)
    }

    @Test(
        arguments: [
            (0.0, 0), (-0.0, 0), (1.9, 1), (-1.9, -1), (.nan, 0), (.signalingNaN, 0), (.infinity, .max),
            (-.infinity, .min), (1e300, .max), (-1e300, .min), (9_223_372_036_854_775_808, .max),
            (-9_223_372_036_854_775_808, .min), (.leastNonzeroMagnitude, 0),
        ] as [(Double, Int)]
    )
    func `a number is converted to the nearest integer`(number: Double, expected: Int) {
        #expect(Int(clamping: number) == expected)
    }

    @Test func `small integers are clamped`() {
        #expect(UInt8(clamping: 255.9) == 255)
        #expect(UInt8(clamping: 256.0) == 255)
        #expect(UInt8(clamping: -0.5) == 0)
        #expect(UInt8(clamping: -1.0) == 0)
        #expect(Int32(clamping: 1e10) == .max)
        #expect(Int32(clamping: Float.nan) == 0)
    }

    @Test(
        arguments: [
            (1, 2, 3, 2), (.max, 1, .max, .max), (.min, -1, .min, .max), (.max, .min, -1, .min),
            (.min, .min, .min, .max),
            (.max, .max, .max, .max), (0, .min, .min, 0),
        ] as [(Int, Int, Int, Int)]
    )
    func `sums and products are clamped to the bounds`(left: Int, right: Int, sum: Int, product: Int) {
        #expect(left.saturatingAdding(right) == sum)
        #expect(right.saturatingAdding(left) == sum)
        #expect(left.saturatingMultiplied(by: right) == product)
        #expect(right.saturatingMultiplied(by: left) == product)
    }

    @Test func `a value is clamped to a range`() {
        #expect(5.clamped(to: 1...3) == 3)
        #expect(0.clamped(to: 1...3) == 1)
        #expect(2.clamped(to: 1...3) == 2)
        #expect(Double.nan.clamped(to: 1...3) == 1)
        #expect(Double.infinity.clamped(to: 1...3) == 3)
    }
}
