#if JPEGXL
import Foundation
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// JPEG XL boxes and channels that libjxl does not read by itself.
@Suite(.limitedConcurrency) struct JPEGXLContainerTests {
    private static func decode(_ bytes: [UInt8]) throws(CodecError) -> PlanarImage {
        let header = try ImageHeader.read(bytes)
        let image = try ImageDecoder.decode(bytes, header: header)
        #expect(image.size == header.size && image.colorModel == header.colorModel)
        return image
    }

    /// A box with a 64-bit size.
    private static func long(_ name: String, _ content: [UInt8]) -> [UInt8] {
        HEIFWriter.long(1) + Array(name.utf8) + HEIFWriter.long(0) + HEIFWriter.long(16 + content.count) + content
    }

    private static let signature: [UInt8] = [0, 0, 0, 12] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]
    private static let type = HEIFWriter.box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))

    @Test(arguments: CodedFile.jpegxl)
    func `boxes may have 64-bit sizes`(file: CodedFile) throws {
        let stream = file.bytes
        let (head, tail) = (Array(stream[..<20]), Array(stream[20...]))
        let longType = Self.long("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
        let exif = Self.long("Exif", Array(repeating: 7, count: 40))
        let last = HEIFWriter.long(0x8000_0001)
        let files: [(name: String, bytes: [UInt8])] = [
            ("the codestream", Self.signature + Self.type + Self.long("jxlc", stream)),
            ("every box", Self.signature + longType + exif + Self.long("jxlc", stream)),
            ("metadata only", Self.signature + Self.type + exif + HEIFWriter.box("jxlc", stream)),
            (
                "two parts",
                Self.signature + Self.type + Self.long("jxlp", HEIFWriter.long(0) + head) + exif
                    + Self.long("jxlp", last + tail)
            ),
            (
                "one of two parts",
                Self.signature + Self.type + HEIFWriter.box("jxlp", HEIFWriter.long(0) + head)
                    + Self.long("jxlp", last + tail)
            ),
            (
                "up to the end",
                Self.signature + longType + HEIFWriter.long(0) + Array("jxlc".utf8) + stream
            ),
        ]
        let whole = try Self.decode(stream)
        for (name, bytes) in files {
            #expect(ImageDifference(try Self.decode(bytes), whole).maximum == 0, "\(name)")
            let more = try ImageHeader.read(bytes).decodedBytes(atScale: .full)
            #expect(try more == ImageHeader.read(stream).decodedBytes(atScale: .full) + stream.count, "\(name)")
            for length in stride(from: 0, to: bytes.count, by: 3) { _ = try? Self.decode(Array(bytes.prefix(length))) }
        }
    }

    /// 24×16 pixels in four colours: no ink, cyan, black, and 50 % black.
    ///
    /// In the profile, inks multiply.
    private static let inks = [UInt8](
        Data(
            base64Encoded: """
                AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAENanhsY/8KA8EoAMKPw4CcmAfg83Xsl1INSHO5edy0\
                6NN0f2E4KLoV3AoSK+Ioi8HOOzzTRE61IAQQ01DTtH8C+g6OH+evNR0EPK0S8yIB1xADZOA/kWFKiglqMqJTPvHeN2gAAAD85nhj\
                A//+v+n+KYACYBnGbQpmcCeyxpWpuSsmh/4alyJoyJALk2vsc062tIrhGvtzPKF0Q/bXOJeKiUzHxtf4dnzGV3oMJTktTW4YKCGH\
                Fpr8D+7z27ZFA/B0NQgIEAAIAUsSCRIYOARBSIENl/cfY/D+MX6c/zgbARAAgjAAgOhzHgAAnwRyL7xP0+MHze/cgugTy24f/IH3\
                QXaXRQjckhIjFg==
                """
        ) ?? Data()
    )

    /// The same image, but cyan has an alpha of 128.
    private static let inksWithAlpha = [UInt8](
        Data(
            base64Encoded: """
                AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAEaanhsY/8KA0EhBUD4cRiQE/MAfL6O/VKqAWkuN4+b\
                Fn2a7i8MB0W3gltBYkUcZTHYeYdnmsipFoQAYhpqmvZPQN/B8eP8taaDgKdVYl4k4BpigAz8JzJMSTFBTUZ0yife+wYNAACA3xxv\
                bODf/zfdPwVQACzDuE3BDO5E1rgyNXfF5NBf41IEDRlyYXKNfc7JllYxXGN/jieUbsj+GudSMZHp2Pga347P+EqPoSSnpckNAyXk\
                0EKT/8F9ftu2aACergYIIAABADQBSxIJEhg4BEFIgQ2X9x9j8P4xfsz5OCsBEACCIACEYQCA4TboATA+APjySeCyxPvOnz7Q+O7j\
                gKU57EbbN+fBKgqkNXG0VIeAaqoIPAA=
                """
        ) ?? Data()
    )

    @Test(arguments: [false, true]) func `the black channel of CMYK is used`(hasAlpha: Bool) throws {
        let image = try Self.decode(hasAlpha ? Self.inksWithAlpha : Self.inks)
        #expect(image.colorModel == .cmyk && (image.alpha != nil) == hasAlpha && image.iccProfile != nil)
        let planes = image.planes
        let places = [(6, 4), (18, 4), (6, 12), (18, 12)]
        let stored = places.map { x, y in planes.map { $0[x: x, y: y] } }
        #expect(stored == [[255, 255, 255, 255], [0, 255, 255, 255], [255, 255, 255, 0], [255, 255, 255, 128]])
        if let alpha = image.alpha { #expect(places.map { alpha[x: $0, y: $1] } == [255, 128, 255, 255]) }
        let whole = FractionalRect(PixelRect(image.size))
        let shown = try image.rendered(whole, to: image.size, model: .rgb, profile: .srgb)
        let colors = places.map { x, y in shown.planes.map { Int($0[x: x, y: y]) } }
        for (color, wanted) in zip(colors, [[255, 255, 255], [0, 255, 255], [0, 0, 0], [119, 119, 119]]) {
            #expect(zip(color, wanted).allSatisfy { abs($0 - $1) <= 2 }, "\(color)")
        }
        #expect((shown.alpha != nil) == hasAlpha)
    }
}
#endif
