@testable import Imaging
import Geometry
import TestImages

extension Fuzzer {
    /// The metadata that contains a copyright notice in a JPEG, a PNG or a WebP.
    ///
    /// Invariant: a notice that is written again parses to an equal notice.
    static let copyright = Fuzzer(name: "copyright", maxLength: 2048) {
        let size = PixelSize(width: 4, height: 4)
        let jpeg = try ImageEncoder.encode(TestImage.gradient(size), as: .jpeg)
        let tiff = CameraMetadata.tiff(artist: "Ana", copyright: "Ben")
        let xmp = CameraMetadata.xmp(creators: ["A &amp; B"], rights: "&#169; C", credit: "D")
        let resources = CameraMetadata.photoshop(records: [(80, "Ana"), (110, "B"), (116, "C")])
        return [
            JPEGSegments.inserting(0xE1, Array("Exif\0\0".utf8) + tiff, into: Array(jpeg.prefix(20))),
            JPEGSegments.inserting(
                0xE1,
                Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp,
                into: Array(jpeg.prefix(20))
            ),
            JPEGSegments.inserting(0xED, Array("Photoshop 3.0\0".utf8) + resources, into: Array(jpeg.prefix(20))),
            OddPNG(.rgb, chunks: [("tEXt", Array("Author\0Ana".utf8)), ("eXIf", tiff)]).encode(size) { x, _, _ in x },
            WebPFile.riff(WebPFile.chunk("EXIF", tiff) + WebPFile.chunk("XMP ", xmp)),
        ]
    } run: { input in
        let bytes = Array(input)
        for format in [InputFormat.jpeg, .png, .webp] {
            guard let notice = CopyrightNotice(of: bytes, format: format) else { continue }
            let texts = [notice.artist, notice.copyright, notice.credit].compactMap(\.self)
            precondition(!texts.isEmpty && texts.allSatisfy { (1...CopyrightNotice.maxBytes).contains($0.utf8.count) })
            let again = CopyrightNotice(of: notice.added(toJPEG: [0xFF, 0xD8]), format: .jpeg)
            precondition(again == notice, "a notice changes when it is written")
        }
    }
}
