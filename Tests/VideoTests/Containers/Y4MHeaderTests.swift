import Geometry
import Imaging
import Testing
import Video

@Suite struct Y4MHeaderTests {
    private func header(_ line: String) throws -> Y4MHeader { try Y4MHeader(Array(line.utf8)) }

    @Test(arguments: [
        ("YUV4MPEG2 W96 H54 F25:1 Ip A1:1 C420jpeg", 96, 54, 8, 7776),
        ("YUV4MPEG2 F15:1 C420mpeg2 H53 Xa=b W95 A1:1", 95, 53, 8, 95 * 53 + 2 * 48 * 27),
        ("YUV4MPEG2 W96 H54", 96, 54, 8, 7776),
        ("YUV4MPEG2 W96 H54 C444", 96, 54, 8, 3 * 96 * 54),
        ("YUV4MPEG2 W95 H53 C422", 95, 53, 8, 95 * 53 + 2 * 48 * 53),
        ("YUV4MPEG2 W95 H53 C411", 95, 53, 8, 95 * 53 + 2 * 24 * 53),
        ("YUV4MPEG2 W95 H53 Cmono", 95, 53, 8, 95 * 53),
        ("YUV4MPEG2 W3 H3 C420p10 XYSCSS=420P10", 3, 3, 10, 2 * (9 + 2 * 4)),
        ("YUV4MPEG2 W2 H2 C444p16", 2, 2, 16, 24),
        ("YUV4MPEG2 W2 H2 Cmono10", 2, 2, 10, 8),
        ("YUV4MPEG2 W1 H1 I?", 1, 1, 8, 3),
        ("YUV4MPEG2 W16384 H4096 C420", 16384, 4096, 8, 16384 * 4096 * 3 / 2),
    ])
    func `a header determines the size and the bytes of its frames`(
        line: String,
        width: Int,
        height: Int,
        depth: Int,
        bytes: Int
    ) throws {
        let header = try header(line)
        #expect(header.size == PixelSize(width: width, height: height))
        #expect(header.layout.depth == depth)
        #expect(header.layout.bytes(of: header.size) == bytes)
    }

    @Test(arguments: [
        ("RIFF W96 H54", "YUV4MPEG2"), ("", "YUV4MPEG2"), ("YUV4MPEG2 H54", "tag W"), ("YUV4MPEG2 W54", "tag H"),
        ("YUV4MPEG2 W0 H54", "W1 to W16384"), ("YUV4MPEG2 W-5 H54", "W1 to W16384"),
        ("YUV4MPEG2 W96 H99999999999999999999", "H1 to H16384"), ("YUV4MPEG2 W16384 H16384", "at most 67108864 pixels"),
        ("YUV4MPEG2 W96 W97 H54", "each tag once"), ("YUV4MPEG2 W96 H54 It", "interlaced"),
        ("YUV4MPEG2 W96 H54 Im", "interlaced"), ("YUV4MPEG2 W96 H54 C420p11", "C420p10"),
        ("YUV4MPEG2 W96 H54 C444alpha", "C444"), ("YUV4MPEG2 W96 H54 F25", "F25:1"),
        ("YUV4MPEG2 W96 H54 F1:999999999", "ratio"), ("YUV4MPEG2 W96 H54 F-1:1", "two numbers"),
        ("YUV4MPEG2 W96\u{7F} H54", "ASCII"),
    ])
    func `an invalid header is rejected with the expected values`(line: String, expected: String) throws {
        let error = #expect(throws: VideoError.self) { try header(line) }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }

    @Test func `frame rates are parsed, and an unknown rate counts as missing`() throws {
        #expect(try header("YUV4MPEG2 W2 H2 F30000:1001 A4:3").fps.map { abs($0 - 29.97) < 0.001 } == true)
        #expect(try header("YUV4MPEG2 W2 H2 F0:0 A0:0").fps == nil)
    }

    @Test func `other tags are written unchanged`() throws {
        var header = try header("YUV4MPEG2 F30000:1001 W96 Xone=1 H54 Ip A4:3 C420mpeg2 Xtwo")
        header.size = PixelSize(width: 30, height: 54)
        let line = "YUV4MPEG2 W30 H54 F30000:1001 Xone=1 Ip A4:3 C420mpeg2 Xtwo\n"
        #expect(String(decoding: header.bytes, as: UTF8.self) == line)
    }
}
