import Geometry
import Imaging
import TestPacing
import Testing

/// PGM and PPM files as bitmaps, which the decoder reads.
@Suite(.limitedConcurrency) struct PortablePixmapTests {
    private func file(_ header: String, _ samples: [UInt8]) -> [UInt8] { Array(header.utf8) + samples }

    @Test(
        arguments: [
            ("P6 1 2 255\n", [1, 2, 3, 4, 5, 6]), ("P6\n# a comment\n1 2\n255\n", [1, 2, 3, 4, 5, 6]),
            ("P6\t1#2\n\n2 255 ", [1, 2, 3, 4, 5, 6]),
        ] as [(String, [UInt8])]
    )
    func `a colour file becomes a bitmap from the top, with blue first`(header: String, samples: [UInt8]) throws {
        let bitmap = try PortablePixmap.bitmap(file(header, samples), maxPixels: 2)
        #expect(Array(bitmap[54...]) == [3, 2, 1, 0, 6, 5, 4, 0])
        #expect(try ImageHeader.read(bitmap).format == .bmp)
        #expect(try ImageHeader.read(bitmap).size == PixelSize(width: 1, height: 2))
    }

    @Test func `a grey file becomes a bitmap with a palette`() throws {
        let bitmap = try PortablePixmap.bitmap(file("P5 3 1 255\n", [0, 128, 255]), maxPixels: 3)
        #expect(Array(bitmap[(54 + 1024)...]) == [0, 128, 255, 0])
        #expect(Array(bitmap[54..<62]) == [0, 0, 0, 0, 1, 1, 1, 0])
        #expect(try ImageHeader.read(bitmap).size == PixelSize(width: 3, height: 1))
    }

    @Test func `other depths are scaled to eight bits`() throws {
        let small = try PortablePixmap.bitmap(file("P5 4 1 15\n", [0, 5, 15, 200]), maxPixels: 4)
        #expect(Array(small[(54 + 1024)...]) == [0, 85, 255, 255])
        let large = try PortablePixmap.bitmap(file("P6 1 1 65535\n", [0, 9, 128, 9, 255, 255]), maxPixels: 1)
        #expect(Array(large[54...]) == [255, 128, 0, 0])
    }

    @Test(
        arguments: [
            ("P6 1 1 255\n", [1, 2]), ("P6 0 1 255\n", [1, 2, 3]), ("P6 1 1 0\n", [1, 2, 3]),
            ("P6 1 1 65536\n", [1, 2, 3, 4, 5, 6]), ("P6 1 1 255", [1, 2, 3]), ("P6 -1 1 255\n", [1, 2, 3]),
            ("P6 99999999999999999999 1 255\n", [1, 2, 3]), ("P3 1 1 255\n", [1, 2, 3]), ("P6", []), ("", []),
            ("P6 " + String(repeating: " ", count: 2000) + "1 1 255\n", [1, 2, 3]),
        ] as [(String, [UInt8])]
    )
    func `an invalid file is rejected`(header: String, samples: [UInt8]) {
        #expect(throws: PortablePixmap.Failure.invalid) {
            try PortablePixmap.bitmap(file(header, samples), maxPixels: 1000)
        }
    }

    @Test func `a file that states too many pixels is rejected before memory is allocated`() {
        let size = PixelSize(width: 60_000, height: 60_000)
        #expect(throws: PortablePixmap.Failure.tooLarge(size, maxPixels: 1000)) {
            try PortablePixmap.bitmap(file("P6 60000 60000 255\n", [1]), maxPixels: 1000)
        }
    }

    @Test func `only binary samples of grey and colour match`() {
        #expect(PortablePixmap.matches(Array("P5\n".utf8)) && PortablePixmap.matches(Array("P6 ".utf8)))
        for text in ["P4\n", "P3\n", "P7\n", "P6", "P65", "X6 "] { #expect(!PortablePixmap.matches(Array(text.utf8))) }
    }
}
