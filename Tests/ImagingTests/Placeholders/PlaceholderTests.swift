import Foundation
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Placeholders of images with expected hashes from other implementations.
@Suite(.limitedConcurrency) struct PlaceholderTests {
    /// An image computed with integers only, so that every language draws the same pixels.
    private static func pixel(_ kind: String, _ x: Int, _ y: Int, _ w: Int, _ h: Int) -> [Int] {
        switch kind {
        case "waves":
            [
                (x * x + 3 * y * y) / 16 % 256, (5 * x * x + y * (x + 2)) / 32 % 256, (x * y + 7 * y * y) / 64 % 256,
                255,
            ]
        case "slope":
            [
                (3 * x + y) * 255 / (4 * (w + h)), (x * x + 2 * y) * 255 / (w * w + 2 * h + 1),
                (x + y * y) * 255 / (w + h * h + 1), 255,
            ]
        default:
            [
                (3 * x + y) * 255 / (4 * (w + h)), (x * x + 2 * y) * 255 / (w * w + 2 * h + 1), 120,
                (x * x + y) * 255 / (w * w + h),
            ]
        }
    }

    private static func image(_ kind: String, _ width: Int, _ height: Int) throws -> PlanarImage {
        let size = PixelSize(width: width, height: height)
        let planes = try (0..<4).map { plane in
            try Plane(size) { x, y in UInt8(pixel(kind, x, y, width, height)[plane]) }
        }
        return PlanarImage(
            size: size,
            colorModel: .rgb,
            planes: Array(planes.prefix(3)),
            alpha: kind == "faded" ? planes[3] : nil
        )
    }

    /// Computed with thumbhash-python 1.0.1 and blurhash-python 1.2.2, which follow the published algorithms.
    private static let vectors: [(kind: String, width: Int, height: Int, thumb: String, blur: String?)] = [
        ("waves", 100, 60, "2hgKPIYyZHhgdohzd4lFf/w+NQ==", "LSGk~~MNH}ZoOMNcNujZJxNxSgn*"),
        ("waves", 40, 90, "GTgKKxBgYSmHdIeJYG39WVg=", "TcF}+zUmbsFBRkpCJLW.j[Jjf8j@"),
        ("waves", 64, 64, "migKPwpBhllgh3dkeHiHl4eFOvW2/TUF", "LVGuE=HxmZoeJ0F0sAkSO6Nuw{WV"),
        ("waves", 97, 11, "0eoJMYQghnd3d4h4EHgHZnY=", "LSEWAG0k9Mz]xpR,e;jHbZjajabG"),
        ("slope", 100, 75, "09cNZY6Qh4eCiHiJiHeIeJKP9WSH", "Lk8$UBHfppZ.WzjafjfPfXfQfQfR"),
        ("slope", 30, 100, "UqcNUhCSgJiId4iHg3/1dYc=", "Tk5tQ*U,gcVnk8f7j}fRfQaufPfQ"),
        ("faded", 50, 50, "3YeFFQQ18qSGh4h3iPKGyGCIkIeHh4d4iA==", nil),
        ("faded", 20, 80, "GWeBCQQl4LOHeIjgs/iAdpCHhoiHd3g=", nil),
        ("faded", 100, 31, "YLiFEoQ18qSHh3fyh8dwiJCHh3iHeHg=", nil),
    ]

    @Test(arguments: vectors)
    func `hashes equal the hashes of other implementations`(
        kind: String,
        width: Int,
        height: Int,
        thumb: String,
        blur: String?
    ) throws {
        let pixels = try #require(PreviewPixels(try Self.image(kind, width, height)))
        #expect(Data(ThumbHash.bytes(of: pixels)).base64EncodedString() == thumb)
        if let blur { #expect(BlurHash.text(of: pixels) == blur) }
        #expect(BlurHash.isHash(BlurHash.text(of: pixels)))
    }

    @Test func `the mean colour of a hash equals the image's, even for one pixel or one colour`() throws {
        for (width, height) in [(1, 1), (1, 100), (7, 3), (64, 64)] {
            let image = try TestImage.rgb(PixelSize(width: width, height: height)) { _, _ in (200, 30, 60) }
            let pixels = try #require(PreviewPixels(image))
            let hash = ThumbHash.bytes(of: pixels).map { Int($0) }
            let luma = Double(hash[0] & 63) / 63
            #expect(abs(luma - (200 + 30 + 60) / 3.0 / 255) < 0.01, "\(width)×\(height)")
            // All frequencies are 0. However, the published transform finds variations in a single column.
            #expect((hash[2] >> 2) & 31 == 0 || width == 1)
            #expect(hash.count <= ThumbHash.maxBytes)
            #expect(pixels.dominantColor == KeyColor(red: 200, green: 30, blue: 60))
            #expect(BlurHash.isHash(BlurHash.text(of: pixels)))
        }
        let long = try TestImage.rgb(PixelSize(width: 101, height: 2)) { _, _ in (0, 0, 0) }
        #expect(PreviewPixels(long) == nil)
    }

    @Test func `the dominant colour is the mean of the largest group of pixels, not of all pixels`() throws {
        let image = try TestImage.rgb(PixelSize(width: 10, height: 10)) { x, y in
            y < 6 ? (UInt8(x % 2 == 0 ? 10 : 20), 200, 100) : (250, UInt8(20 + 60 * (x % 4)), 30)
        }
        #expect(PreviewPixels(image)?.dominantColor == KeyColor(red: 15, green: 200, blue: 100))
        let invisible = PlanarImage(
            size: image.size,
            colorModel: .rgb,
            planes: image.planes,
            alpha: try Plane(image.size) { _, y in y < 6 ? 100 : 0 }
        )
        #expect(PreviewPixels(invisible)?.dominantColor == nil)
    }

    @Test(arguments: [
        (1, 1, 1, 1), (100, 100, 100, 100), (101, 50, 100, 50), (4000, 3000, 100, 75), (1000, 1, 100, 1),
        (1, 16_384, 1, 100),
    ])
    func `a preview has the aspect ratio of its output`(width: Int, height: Int, across: Int, down: Int) {
        let size = PreviewPixels.size(for: PixelSize(width: width, height: height))
        #expect(size == PixelSize(width: across, height: down))
    }
}
