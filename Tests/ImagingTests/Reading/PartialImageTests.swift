import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct PartialImageTests {
    private static let samplings: [[(horizontal: Int, vertical: Int)]] = [
        [(1, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)], [(1, 4), (1, 1), (1, 1)],
        [(2, 2), (2, 1), (1, 2)],
    ]

    private static let parts = [
        PixelRect(x: 0, y: 0, width: 5, height: 5), PixelRect(x: 70, y: 90, width: 20, height: 30),
        PixelRect(x: 150, y: 199, width: 9, height: 2), PixelRect(x: -9, y: -9, width: 60, height: 70),
        PixelRect(x: 100, y: 120, width: 900, height: 900), PixelRect(x: 0, y: 0, width: 201, height: 201),
    ]

    private func expectSame(
        _ part: PartialImage,
        as whole: PlanarImage,
        over rect: PixelRect,
        skippingChroma: Bool,
        _ comment: Comment
    ) {
        let wanted = rect.intersection(PixelRect(whole.size))
        let covered = PixelRect(x: part.x, y: part.y, width: part.image.size.width, height: part.image.size.height)
        #expect(part.wholeSize == whole.size && covered.contains(wanted), comment)
        #expect(PixelRect(whole.size).contains(covered), comment)
        #expect(part.image.colorModel == whole.colorModel, comment)
        for (index, plane) in part.image.planes.enumerated() where index == 0 || !skippingChroma {
            let original = whole.planes[index]
            let across = (whole.size.width + original.size.width - 1) / original.size.width
            let down = (whole.size.height + original.size.height - 1) / original.size.height
            var different = 0
            for y in 0..<plane.size.height {
                for x in 0..<plane.size.width
                where plane[x: x, y: y] != original[x: part.x / across + x, y: part.y / down + y] { different += 1 }
            }
            #expect(different == 0, comment)
        }
    }

    @Test(arguments: samplings, [false, true])
    func `a part has the same samples as the whole image`(
        sampling: [(horizontal: Int, vertical: Int)],
        isProgressive: Bool
    ) throws {
        let size = PixelSize(width: 201, height: 203)
        let kind = OddJPEG(.ycbcr, sampling: sampling, isProgressive: isProgressive)
        let bytes = try kind.encode(size) { component, x, y in
            Double((Int(x) * 7 + Int(y) * 11 + component * 40) % 200)
        }
        // Chroma planes of different sizes are interpolated, and they lack a neighbour at the edge of a part.
        let isInterpolated = sampling[1] != sampling[2]
        for orientation in Orientation.allCases {
            let tagged = JPEGSegments.tagged(orientation.rawValue, bytes)
            let header = try ImageHeader.read(tagged)
            for eighths in [1, 2, 4, 8] {
                let scale = DecodeScale(eighths: eighths)
                let whole = try ImageDecoder.decode(tagged, header: header, scale: scale)
                for rect in Self.parts {
                    let rect = PixelRect(
                        x: rect.x * eighths / 8,
                        y: rect.y * eighths / 8,
                        width: max(1, rect.width * eighths / 8),
                        height: max(1, rect.height * eighths / 8)
                    )
                    let part = try ImageDecoder.decode(tagged, header: header, scale: scale, covering: rect)
                    expectSame(
                        part,
                        as: whole,
                        over: rect,
                        // The chroma of an incomplete sample is moved to the grid of the rotated image.
                        skippingChroma: isInterpolated || orientation != .up,
                        "orientation \(orientation.rawValue), \(eighths)/8, \(rect)"
                    )
                }
            }
        }
    }

    @Test func `no bytes after the part are read`() throws {
        let size = PixelSize(width: 400, height: 400)
        let whole = try ImageEncoder.encode(try TestImage.noise(size, seed: 3), as: .jpeg)
        // The first third contains only the upper part of the image.
        let cut = Array(whole.prefix(whole.count / 3))
        let header = try ImageHeader.read(cut)
        #expect(throws: CodecError.self) { try ImageDecoder.decode(cut, header: header) }
        let rect = PixelRect(x: 0, y: 0, width: 400, height: 60)
        let part = try ImageDecoder.decode(cut, header: header, scale: .full, covering: rect)
        #expect(part.image.size.height == 64)
    }

    @Test func `a format without rows of blocks returns the whole image`() throws {
        let bytes = try ImageEncoder.encode(try TestImage.gradient(PixelSize(width: 30, height: 20)), as: .png)
        let rect = PixelRect(x: 3, y: 4, width: 5, height: 6)
        let part = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes), scale: .full, covering: rect)
        #expect(part.image.size == part.wholeSize && part.x == 0 && part.y == 0)
    }
}
