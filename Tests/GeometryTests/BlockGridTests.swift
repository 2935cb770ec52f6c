import Geometry
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct BlockGridTests {
    private let size = PixelSize(width: 200, height: 100)
    private let blocks = PixelSize(width: 16, height: 8)

    @Test(arguments: [
        // A crop on the grid does not move.
        (PixelRect(x: 32, y: 8, width: 51, height: 33), PixelRect(x: 32, y: 8, width: 51, height: 33)),
        (PixelRect(x: 0, y: 0, width: 200, height: 100), PixelRect(x: 0, y: 0, width: 200, height: 100)),
        // A crop moves to the nearest line and keeps its size.
        (PixelRect(x: 35, y: 7, width: 50, height: 30), PixelRect(x: 32, y: 8, width: 50, height: 30)),
        (PixelRect(x: 45, y: 1, width: 50, height: 30), PixelRect(x: 48, y: 0, width: 50, height: 30)),
        // A crop does not move beyond the edge.
        (PixelRect(x: 159, y: 71, width: 41, height: 29), PixelRect(x: 144, y: 64, width: 41, height: 29)),
    ])
    func `a crop moves to the nearest line`(rect: PixelRect, expected: PixelRect) {
        #expect(BlockGrid(of: size, blocks: blocks).aligned(rect) == expected)
    }

    @Test func `heads determine the direction, and the crop grows if moving it either way would cut them`() {
        let grid = BlockGrid(of: size, blocks: blocks)
        let rect = PixelRect(x: 35, y: 0, width: 50, height: 100)
        let right = PixelRect(x: 60, y: 10, width: 25, height: 30)
        let left = PixelRect(x: 35, y: 10, width: 25, height: 30)
        let outside = PixelRect(x: 0, y: 0, width: 300, height: 10)
        #expect(grid.aligned(rect, keeping: [right])?.x == 48)
        #expect(grid.aligned(rect, keeping: [left, outside]) == PixelRect(x: 32, y: 0, width: 50, height: 100))
        #expect(grid.aligned(rect, keeping: [left, right]) == PixelRect(x: 32, y: 0, width: 53, height: 100))
    }

    @Test func `if blocks are counted from the right or bottom, a strip is omitted`() {
        let grid = BlockGrid(of: size, blocks: blocks, fromRight: true, fromBottom: true)
        #expect(grid.aligned(PixelRect(size)) == PixelRect(x: 8, y: 4, width: 192, height: 96))
        let inside = PixelRect(x: 24, y: 12, width: 20, height: 20)
        #expect(grid.aligned(inside) == inside)
        let strip = PixelRect(x: 0, y: 4, width: 60, height: 96)
        #expect(grid.aligned(strip) == PixelRect(x: 8, y: 4, width: 60, height: 96))
    }

    @Test func `a rotated image smaller than a block has no grid line`() {
        let tiny = PixelSize(width: 15, height: 40)
        #expect(BlockGrid(of: tiny, blocks: blocks, fromRight: true).aligned(PixelRect(tiny)) == nil)
        #expect(BlockGrid(of: tiny, blocks: blocks).aligned(PixelRect(tiny)) == PixelRect(tiny))
    }

    @Test func `every crop is inside the image, starts on the grid and keeps its heads`() {
        for fromRight in [false, true] {
            let grid = BlockGrid(of: PixelSize(width: 61, height: 8), blocks: blocks, fromRight: fromRight)
            let first = fromRight ? 61 % 16 : 0
            for start in 0..<61 {
                for end in start + 1...61 {
                    let rect = PixelRect(x: start, y: 0, width: end - start, height: 8)
                    let head = PixelRect(x: (start + end) / 2, y: 0, width: 1, height: 8)
                    guard let result = grid.aligned(rect, keeping: [head, rect]) else {
                        Issue.record("no crop for \(rect)")
                        continue
                    }
                    #expect(result.x >= 0 && result.maxX <= 61 && result.width > 0 && (result.x - first) % 16 == 0)
                    #expect(result.contains(rect) || start < first)
                    #expect(abs(result.width - rect.width) < 16)
                }
            }
        }
    }
}
