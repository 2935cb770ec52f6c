import Imaging
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct VideoFormatTests {
    private static let webm: [UInt8] =
        [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 0x01, 0x42, 0x82, 0x84] + Array("webm".utf8)

    private static func brand(_ name: String) -> [UInt8] { [0, 0, 0, 16] + Array("ftyp\(name)".utf8) + [0, 0, 2, 0] }

    private static let files: [(bytes: [UInt8], format: VideoFormat?)] = [
        (brand("isom"), .mp4), (brand("iso5"), .mp4), (webm, .webm), (brand("qt  "), nil), (brand("avif"), nil),
        (Array(webm.dropLast(4)) + Array("matr".utf8), nil), (Array("GIF89a".utf8), nil), ([], nil),
    ]

    @Test(arguments: files.indices) func `the signature determines the format`(index: Int) {
        let (bytes, format) = Self.files[index]
        #expect(VideoFormat.sniff(bytes) == format)
        #expect(VideoFormat.sniff(bytes + [UInt8](repeating: 0, count: 5000)) == format)
    }

    @Test func `the media types are registered types of videos`() {
        #expect(VideoFormat.allCases.map(\.mediaType) == ["video/mp4", "video/webm"])
    }
}
