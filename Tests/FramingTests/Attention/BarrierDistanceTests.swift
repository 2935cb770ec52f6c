import Framing
import Geometry
import TestImages
import Testing

/// Barrier distances in drawn scenes, and the fast scans compared with plain ones.
@Suite struct BarrierDistanceTests {
    @Test func `the distance of an object from the background is the difference of their colours`() {
        let background = Scene.Color(128, 128, 128)
        let scene = Scene(width: 60, height: 40)
            .painted { x, y in 20..<40 ~= x && 10..<30 ~= y ? Scene.Color(188, 118, 133) : background }
        let distances = scene.barrierDistance.distances
        #expect(distances[20 * 60 + 30] == 60 + 10 + 5)
        #expect(distances[5 * 60 + 30] == 0)
    }

    @Test func `a region that reaches the border has distance zero, regardless of its extent`() {
        let scene = Scene(width: 60, height: 40).painted { x, y in y >= 15 ? Scene.Color(230, 90, 150) : nil }
        #expect(scene.barrierDistance.distances.allSatisfy { $0 == 0 })
    }

    @Test func `a gradual background has the distance of its change, and an object on it has a larger distance`() {
        let scene = Scene(width: 101, height: 101).painted { x, y in
            45..<55 ~= x && 45..<55 ~= y ? Scene.Color(250, 128, 128) : Scene.Color(UInt8(x), 128, 128)
        }
        let distances = scene.barrierDistance.distances
        // Along the straight line up to the border, the colour does not change.
        #expect(distances[20 * 101 + 50] == 0)
        #expect(distances[50 * 101 + 50] >= 250 - 55)
    }

    @Test(arguments: 0..<60)
    func `scanning all planes together gives the same result as scanning each plane`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let width = seed < 12 ? 1 + seed % 4 : Int.random(in: 1...70, using: &random)
        let height = seed < 12 ? 1 + seed / 4 : Int.random(in: 1...50, using: &random)
        let grain = Int.random(in: 1...9, using: &random)
        let patches = (0..<256).map { _ in
            Scene.Color(
                UInt8.random(in: 0...255, using: &random),
                UInt8.random(in: 0...255, using: &random),
                UInt8.random(in: 0...255, using: &random)
            )
        }
        let scene = Scene(width: width, height: height).painted { x, y in
            patches[(x / grain * 31 + y / grain * 17) % 256]
        }
        let planes = [scene.luma, scene.blue, scene.red].map { plane in
            PlainBarrierDistance(plane, width: width, height: height).distances
        }
        let expected = (0..<(width * height)).map { pixel in planes.map { $0[pixel] }.reduce(0, +) }
        #expect(scene.barrierDistance.distances.map(Int.init) == expected)
    }
}

extension Scene {
    fileprivate var barrierDistance: BarrierDistance { BarrierDistance(image) }
}

/// Three raster scans of one plane, as in the paper.
private struct PlainBarrierDistance {
    private(set) var distances: [Int]

    init(_ plane: [UInt8], width: Int, height: Int) {
        let values = plane.map(Int.init)
        var ways = values.map { (high: $0, low: $0) }
        let isInside = values.indices.map { pixel in
            (1..<(width - 1 > 1 ? width - 1 : 1)).contains(pixel % width)
                && (1..<(height - 1 > 1 ? height - 1 : 1)).contains(pixel / width)
        }
        var best = isInside.map { $0 ? Int.max : 0 }
        for scan in 0..<3 {
            let order = Array(values.indices)
            for pixel in scan == 1 ? order.reversed() : order where isInside[pixel] {
                for neighbour in scan == 1 ? [pixel + width, pixel + 1] : [pixel - width, pixel - 1] {
                    let way = (
                        high: max(ways[neighbour].high, values[pixel]), low: min(ways[neighbour].low, values[pixel])
                    )
                    guard way.high - way.low < best[pixel] else { continue }
                    best[pixel] = way.high - way.low
                    ways[pixel] = way
                }
            }
        }
        distances = best
    }
}
