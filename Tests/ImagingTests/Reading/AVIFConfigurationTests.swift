#if AVIF
import Foundation
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Configurations that contradict the coded image.
///
/// The coded image has priority.
@Suite(.limitedConcurrency) struct AVIFConfigurationTests {
    /// Four coloured quarters, 24×16 pixels, 4:2:2, encoded with libavif.
    private static let acrossOnly = [UInt8](
        Data(
            base64Encoded: """
                AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAPJtZXRhAAAAAAAAAChoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAbGli\
                YXZpZgAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAEWAAAALQAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAA\
                AAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAGAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOB\
                QAgAAAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAANW1kYXQSAAoIWBDv7BAQ0GkyH0RQAAAUuh2F\
                6cITdEiGUZeexhiS+4Sn7m9Ieh9udfg=
                """
        ) ?? Data()
    )

    private static var files: [[UInt8]] { CodedFile.avif.map(\.bytes) + [acrossOnly] }

    private static func decode(_ bytes: [UInt8]) throws(CodecError) -> PlanarImage {
        try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    @Test func `a 4:2:2 image has its colours`() throws {
        let image = try Self.decode(Self.acrossOnly)
        #expect(image.colorModel == .ycbcr(.halvedAcross))
        let rgb = try image.converted(to: .rgb)
        for (plane, value) in zip(rgb.planes, [220, 40, 40]) { #expect(abs(Int(plane[x: 3, y: 3]) - value) < 4) }
        for (plane, value) in zip(rgb.planes, [40, 60, 210]) { #expect(abs(Int(plane[x: 3, y: 13]) - value) < 4) }
    }

    @Test func `a configuration with a different sampling, depth and profile has no effect`() throws {
        for file in Self.files {
            let whole = try Self.decode(file)
            var (bytes, place) = (file, file.startIndex)
            for (profile, flags) in [(0x20, 0x00), (0x00, 0x0C), (0x40, 0x08), (0x00, 0x1C), (0x40, 0x6C)]
                as [(UInt8, UInt8)]
            {
                // The configurations for colour and for alpha.
                place = bytes.startIndex
                while let found = bytes[place...].firstRange(of: Array("av1C".utf8)) {
                    place = found.upperBound
                    bytes.replaceSubrange(place + 1..<place + 3, with: [bytes[place + 1] & 0x1F | profile, flags])
                }
                let image = try Self.decode(bytes)
                #expect(image.colorModel == whole.colorModel && image.size == whole.size)
                #expect(ImageDifference(image, whole).maximum == 0)
            }
        }
    }

    @Test func `a depth in the list of channels that contradicts the image has no effect`() throws {
        var bytes = Self.acrossOnly
        let place = try #require(bytes.firstRange(of: Array("pixi".utf8))).upperBound
        bytes.replaceSubrange(place + 5..<place + 8, with: [10, 10, 10])
        #expect(ImageDifference(try Self.decode(bytes), try Self.decode(Self.acrossOnly)).maximum == 0)
    }
}
#endif
