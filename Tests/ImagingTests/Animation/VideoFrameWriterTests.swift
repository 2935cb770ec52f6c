import Geometry
import Imaging
import TestImages
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct VideoFrameWriterTests {
    /// The delays of a file's frames, as numerators and denominators.
    private static func delays(_ file: [UInt8]) -> [[Int]] {
        func number(_ place: Int, bytes: Int) -> Int {
            file[place..<place + bytes].reduce(0) { $0 << 8 | Int($1) }
        }
        var (place, delays) = (8, [[Int]]())
        while place + 12 <= file.count {
            // A control chunk has a sequence number, a rectangle, and the delay.
            if file[place + 4..<place + 8].elementsEqual("fcTL".utf8) {
                delays.append([number(place + 28, bytes: 2), number(place + 30, bytes: 2)])
            }
            place += 12 + number(place, bytes: 4)
        }
        return delays
    }

    private static func write(_ size: PixelSize, _ milliseconds: [Int]) throws -> [UInt8] {
        let writer = try VideoFrameWriter(size)
        for (index, time) in milliseconds.enumerated() {
            try writer.add(Animations.square(at: 2 * index, 2, in: size), milliseconds: time)
        }
        return try writer.finish()
    }

    @Test(arguments: [
        (PixelSize(width: 24, height: 18), PixelSize(width: 24, height: 18)),
        (PixelSize(width: 25, height: 18), PixelSize(width: 24, height: 18)),
        (PixelSize(width: 24, height: 19), PixelSize(width: 24, height: 18)),
        (PixelSize(width: 25, height: 19), PixelSize(width: 24, height: 18)),
        (PixelSize(width: 3, height: 2), PixelSize(width: 2, height: 2)),
    ])
    func `an odd side loses its last row or column`(size: PixelSize, expected: PixelSize) throws {
        let file = try Self.write(size, [100, 40])
        #expect(try ImageHeader.read(file).size == expected)
        let image = try #require(try Animations.frames(file).first).image
        let whole = try Animations.square(at: 0, 2, in: size)
        for y in 0..<expected.height {
            for x in 0..<expected.width {
                for (plane, other) in zip(image.planes, whole.planes) {
                    #expect(plane[x: x, y: y] == other[x: x, y: y])
                }
            }
        }
    }

    @Test func `a side of one pixel is rejected`() {
        for size in [PixelSize(width: 1, height: 9), PixelSize(width: 9, height: 1)] {
            #expect(throws: CodecError.self) { try VideoFrameWriter(size) }
        }
    }

    @Test func `the last frame is repeated, because programs read only the start times of frames`() throws {
        let size = PixelSize(width: 24, height: 18)
        #expect(
            Self.delays(try Self.write(size, [100, 40, 2000])) == [
                [100, 1000], [40, 1000], [1990, 1000], [10, 1000],
            ]
        )
        #expect(Self.delays(try Self.write(size, [11, 11])) == [[11, 1000], [1, 1000], [10, 1000]])
        // Equal frames are one frame.
        let writer = try VideoFrameWriter(size)
        for _ in 0..<3 { try writer.add(Animations.square(at: 0, 0, in: size), milliseconds: 50) }
        #expect(Self.delays(try writer.finish()) == [[140, 1000], [10, 1000]])
    }

    @Test func `transparent pixels are white`() throws {
        let size = PixelSize(width: 4, height: 2)
        let opaque = try TestImage.rgb(size) { _, _ in (10, 200, 30) }
        let alpha = try Plane(size) { x, _ in x < 2 ? 0 : 255 }
        let image = PlanarImage(size: size, colorModel: .rgb, planes: opaque.planes, alpha: alpha)
        let writer = try VideoFrameWriter(size)
        try writer.add(image, milliseconds: 100)
        try writer.add(opaque, milliseconds: 100)
        let first = try #require(try Animations.frames(try writer.finish()).first).image
        #expect(first.alpha == nil)
        for (x, color) in [(0, [255, 255, 255]), (1, [255, 255, 255]), (2, [10, 200, 30]), (3, [10, 200, 30])] {
            #expect(first.planes.map { Int($0[x: x, y: 0]) } == color)
        }
    }
}
