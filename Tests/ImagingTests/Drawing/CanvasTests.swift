import Geometry
import Imaging
import TestImages
import Testing

@Suite struct CanvasTests {
    private static let gray = Color(red: 100, green: 100, blue: 100)
    private static let red = Color(red: 250, green: 20, blue: 10)

    private func canvas(_ width: Int = 20, _ height: Int = 12) throws -> Canvas {
        Canvas(try TestImage.rgb(PixelSize(width: width, height: height)) { _, _ in (100, 100, 100) })
    }

    private func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(x: x, y: y, width: width, height: height)
    }

    /// All pixels that differ from the background.
    private func changed(_ canvas: Canvas) -> Set<PixelRect> {
        var spots: Set<PixelRect> = []
        for y in 0..<canvas.size.height {
            for x in 0..<canvas.size.width where canvas[x: x, y: y] != Self.gray { spots.insert(rect(x, y, 1, 1)) }
        }
        return spots
    }

    @Test func `a canvas without drawings returns the unchanged image`() throws {
        let source = try TestImage.gradient(PixelSize(width: 67, height: 5))
        let image = try Canvas(source).image()
        #expect(image.size == source.size)
        for (before, after) in zip(source.planes, image.planes) {
            for y in 0..<5 {
                for x in 0..<67 { #expect(before[x: x, y: y] == after[x: x, y: y]) }
            }
        }
    }

    @Test func `a filled rectangle covers its pixels and no others`() throws {
        var canvas = try canvas()
        canvas.fill(rect(3, 4, 2, 3), with: Self.red)
        #expect(changed(canvas).count == 6)
        #expect(canvas[x: 3, y: 4] == Self.red)
        #expect(canvas[x: 4, y: 6] == Self.red)
        let image = try canvas.image()
        #expect(image.planes.map { $0[x: 4, y: 6] } == [250, 20, 10])
        #expect(image.planes.map { $0[x: 5, y: 6] } == [100, 100, 100])
    }

    @Test(arguments: [(0.0, 100), (0.5, 50), (0.75, 25), (1.0, 0)])
    func `opacity is the weight of the colour`(opacity: Double, expected: UInt8) throws {
        var canvas = try canvas()
        canvas.fill(rect(0, 0, 1, 1), with: .black, opacity: opacity)
        #expect(canvas[x: 0, y: 0] == Color(red: expected, green: expected, blue: expected))
    }

    @Test func `drawing outside the image is clipped`() throws {
        var canvas = try canvas()
        for far in [-1_000_000, -21, 21, 1_000_000] {
            canvas.fill(rect(far, 0, 20, 12), with: Self.red)
            canvas.fill(rect(0, far, 20, 12), with: Self.red)
        }
        canvas.fill(rect(5, 5, 0, 4), with: Self.red)
        canvas.fill(rect(5, 5, -3, 4), with: Self.red)
        #expect(changed(canvas).isEmpty)
        canvas.fill(rect(-5, -5, 6, 6), with: Self.red)
        canvas.fill(rect(19, 11, 50, 50), with: Self.red)
        #expect(changed(canvas) == [rect(0, 0, 1, 1), rect(19, 11, 1, 1)])
    }

    @Test(arguments: [PixelRect(x: 4, y: 3, width: 8, height: 5), PixelRect(x: 0, y: 0, width: 20, height: 4)])
    func `everything outside a rectangle is dimmed once`(inside: PixelRect) throws {
        var canvas = try canvas()
        canvas.dim(outside: inside, opacity: 0.5)
        let dark = Color(red: 50, green: 50, blue: 50)
        for y in 0..<12 {
            for x in 0..<20 {
                let isInside = inside.contains(rect(x, y, 1, 1))
                #expect(canvas[x: x, y: y] == (isInside ? Self.gray : dark), "\(x), \(y)")
            }
        }
    }

    @Test func `a frame has its colour inside the edge and a dark line on both sides`() throws {
        var canvas = try canvas()
        canvas.stroke(rect(4, 3, 10, 7), with: Self.red, width: 2)
        let row = (0..<20).map { canvas[x: $0, y: 6] }
        let (g, b, r) = (Self.gray, Color.black, Self.red)
        #expect(row == [g, g, g, b, r, r, b, g, g, g, g, b, r, r, b, g, g, g, g, g])
        let column = (0..<12).map { canvas[x: 9, y: $0] }
        #expect(column == [g, g, b, r, r, b, g, b, r, r, b, g])
        // All pixels in the corners are drawn.
        #expect([canvas[x: 4, y: 3], canvas[x: 13, y: 3], canvas[x: 4, y: 9], canvas[x: 13, y: 9]] == [r, r, r, r])
    }

    @Test(arguments: [1, 2, 3]) func `a frame that is thinner than its line is filled completely`(side: Int) throws {
        var canvas = try canvas()
        canvas.stroke(rect(8, 5, side, side), with: Self.red, width: 4)
        for y in 5..<(5 + side) {
            for x in 8..<(8 + side) { #expect(canvas[x: x, y: y] == Self.red) }
        }
    }

    @Test func `text contains the pixels of its characters`() throws {
        var canvas = try canvas(30, 20)
        canvas.label(["LI"], x: 0, y: 0, color: .white, scale: 1)
        let rows = (0..<13).map { y in
            String((0..<15).map { x -> Character in canvas[x: x, y: y] == .white ? "#" : "." })
        }
        #expect(
            rows == [
                "...............", "...............",
                "..#......###...", "..#.......#....", "..#.......#....", "..#.......#....", "..#.......#....",
                "..#.......#....", "..#####..###...",
                "...............", "...............", "...............", "...............",
            ]
        )
        #expect(Canvas.labelSize(["LI"], scale: 1) == PixelSize(width: 15, height: 13))
        #expect(canvas[x: 0, y: 0] == Color(red: 25, green: 25, blue: 25))
        #expect(canvas[x: 15, y: 0] == Self.gray)
        #expect(canvas[x: 0, y: 13] == Self.gray)
    }

    @Test func `text size grows with the scale`() throws {
        var canvas = try canvas(40, 30)
        canvas.label(["-"], x: 0, y: 0, color: .white, scale: 3)
        for x in 0..<27 {
            #expect((canvas[x: x, y: 16] == .white) == (6..<21).contains(x), "\(x)")
        }
        #expect(canvas[x: 6, y: 14] != .white && canvas[x: 6, y: 15] == .white && canvas[x: 6, y: 18] != .white)
    }

    @Test func `a label is moved inside the image and truncated if it is too long`() throws {
        var moved = try canvas(40, 30)
        moved.label(["1"], x: 100, y: 100, color: .white, scale: 1)
        #expect(changed(moved).map(\.x).min() == 31)
        #expect(changed(moved).map(\.y).min() == 17)
        var cut = try canvas(40, 30)
        cut.label([String(repeating: "M", count: 100), "2"], x: -9, y: -9, color: .white, scale: 2)
        #expect(cut[x: 4, y: 4] == .white)
        #expect(cut[x: 39, y: 0] != Self.gray)
    }
}
