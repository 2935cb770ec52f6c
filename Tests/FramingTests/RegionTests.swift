import Framing
import Geometry
import TestPacing
import Testing

/// Rectangles in fractions and pixels, and the focal areas that are created from them.
@Suite(.limitedConcurrency) struct RegionTests {
    private static let size = PixelSize(width: 200, height: 100)

    static let regions: [(Region, PixelRect)] = [
        (region(.share(0), .share(0), .share(1), .share(1)), PixelRect(size)),
        (region(.share(0.25), .share(0.5), .share(0.5), .share(0.25)), rect(50, 50, 100, 25)),
        (region(.pixels(10), .pixels(20), .pixels(30), .pixels(40)), rect(10, 20, 30, 40)),
        (region(.pixels(10), .share(0), .share(0.5), .pixels(40)), rect(10, 0, 100, 40)),
        // Clipped to the image.
        (region(.share(0.75), .share(0.5), .share(1), .share(1)), rect(150, 50, 50, 50)),
        (region(.pixels(150), .pixels(90), .pixels(100_000), .pixels(100_000)), rect(150, 90, 50, 10)),
        // At least a pixel.
        (region(.share(0.5), .share(0.5), .share(0.0001), .share(0.0001)), rect(100, 50, 1, 1)),
        (region(.share(0.9999), .share(0.9999), .share(0.0001), .share(1)), rect(199, 99, 1, 1)),
    ]

    @Test(arguments: regions)
    func `a region is resolved to whole pixels inside the image`(region: Region, expected: PixelRect) {
        #expect(region.resolved(in: Self.size) == expected)
    }

    @Test(arguments: [
        (Gravity.center, rect(70, 25, 60, 50)), (.topLeft, rect(0, 0, 60, 50)), (.bottomRight, rect(140, 50, 60, 50)),
        (.top, rect(70, 0, 60, 50)), (.left, rect(0, 25, 60, 50)), (.point(x: 0.5, y: 0.5), rect(70, 25, 60, 50)),
        (.point(x: 0.25, y: 0.9), rect(20, 50, 60, 50)), (.point(x: 1, y: 0), rect(140, 0, 60, 50)),
    ])
    func `a region aligned with a gravity has the requested size at that position`(
        gravity: Gravity,
        expected: PixelRect
    ) throws {
        let region = try #require(Region(at: gravity, width: .pixels(60), height: .share(0.5)))
        #expect(region.resolved(in: Self.size) == expected)
        let whole = try #require(Region(at: gravity, width: .pixels(600), height: .share(1)))
        #expect(whole.resolved(in: Self.size) == PixelRect(Self.size))
    }

    @Test(arguments: [
        (
            Region(insetLeft: .pixels(10), above: .pixels(20), right: .pixels(30), below: .pixels(40)),
            rect(10, 20, 160, 40)
        ),
        (
            Region(insetLeft: .share(0.25), above: .share(0), right: .share(0.25), below: .share(0)),
            rect(50, 0, 100, 100)
        ),
        (Region(insetLeft: .share(0), above: .share(0), right: .share(0), below: .pixels(0)), PixelRect(size)),
        // At least a pixel remains.
        (
            Region(insetLeft: .pixels(150), above: .pixels(0), right: .pixels(900), below: .pixels(0)),
            rect(150, 0, 1, 100)
        ),
    ])
    func `a region may be the area that remains without strips`(region: Region, expected: PixelRect) {
        #expect(region.resolved(in: Self.size) == expected)
    }

    @Test func `strips may leave no area`() {
        let region = Region(insetLeft: .pixels(200), above: .pixels(0), right: .pixels(0), below: .pixels(0))
        #expect(region.resolved(in: Self.size).area == 0)
    }

    @Test func `a region cannot be aligned with faces`() {
        for gravity in [Gravity.faces, .largest, .attention, .focus] {
            #expect(Region(at: gravity, width: .pixels(1), height: .pixels(1)) == nil)
        }
    }

    @Test(arguments: [
        region(.pixels(200), .share(0), .share(1), .share(1)), region(.share(1), .share(0), .share(1), .share(1)),
        region(.share(0), .pixels(100_000), .share(1), .pixels(1)),
    ])
    func `a region that starts outside the image is empty`(region: Region) {
        #expect(region.resolved(in: Self.size).area == 0)
    }

    @Test func `a region contains the pixels whose centres it covers, in 20,000 cases`() {
        var random = SeededGenerator(seed: 11)
        func length(_ side: Int) -> (Length, Double) {
            if Bool.random(using: &random) {
                let pixels = Int.random(in: 0...side + 20, using: &random)
                return (.pixels(pixels), Double(pixels))
            }
            let share = Double.random(in: 0...1, using: &random)
            return (.share(share), share * Double(side))
        }
        for _ in 0..<20_000 {
            let size = PixelSize(
                width: .random(in: 1...60, using: &random),
                height: .random(in: 1...60, using: &random)
            )
            let (x, left) = length(size.width)
            let (y, top) = length(size.height)
            let (width, across) = length(size.width)
            let (height, down) = length(size.height)
            let rect = Region(x: x, y: y, width: width, height: height).resolved(in: size)
            for (start, length, side, got) in [
                (left, across, size.width, rect.columns), (top, down, size.height, rect.rows),
            ] {
                let inside = (0..<side).filter { Double($0) + 0.5 >= start && Double($0) + 0.5 < start + length }
                if !inside.isEmpty {
                    #expect(Array(got) == inside)
                } else {
                    // A rectangle between two pixel centres contains one pixel; a rectangle after the last centre
                    // contains none.
                    #expect(got.count == (start < Double(side) ? 1 : 0))
                }
                #expect(got.lowerBound >= 0 && got.upperBound <= side)
            }
        }
    }

    @Test func `a focal area is clipped to the framed area and converted to its pixels`() {
        let area = Self.rect(50, 20, 100, 50)
        func head(_ region: Region) -> PixelRect { FocalArea(region).subject(in: area, of: Self.size).head }
        #expect(head(Self.region(.pixels(60), .pixels(30), .pixels(20), .pixels(10))) == Self.rect(10, 10, 20, 10))
        #expect(head(Self.region(.pixels(0), .pixels(0), .pixels(60), .pixels(30))) == Self.rect(0, 0, 10, 10))
        // An area outside becomes the nearest pixel.
        #expect(head(Self.region(.pixels(0), .pixels(90), .pixels(5), .pixels(5))) == Self.rect(0, 49, 1, 1))
        #expect(head(Self.region(.pixels(900), .pixels(0), .pixels(5), .pixels(5))) == Self.rect(99, 0, 1, 1))
    }

    @Test(arguments: [(0.01, 10), (1, 1000), (2.5, 2500), (10, 10_000)])
    func `a weight is relative to the weight of a certain face`(weight: Double, reliability: Int) {
        let area = FocalArea(Self.region(.share(0), .share(0), .share(1), .share(1)), weight: weight)
        #expect(area.subject(in: PixelRect(Self.size), of: Self.size).reliability == reliability)
    }

    private static func region(_ x: Length, _ y: Length, _ width: Length, _ height: Length) -> Region {
        Region(x: x, y: y, width: width, height: height)
    }

    private static func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(x: x, y: y, width: width, height: height)
    }
}
