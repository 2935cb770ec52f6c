import Imaging
import TestImages
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct ConvertibleFormatTests {
    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private static let documentType = """
        <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
          <!ENTITY ns "a > b"> <!-- ] > ' -->
        ]>
        """

    @Test(arguments: [
        "<svg/>", "<svg>", "\u{FEFF}<svg xmlns='http://www.w3.org/2000/svg'/>", " \r\n\t<svg\n>",
        "<s:svg xmlns:s='u'/>",
        declaration + "<svg/>", declaration + "<!-- <html> -->\n<!---->\n<svg/>",
        declaration + documentType + "<svg />",
        "<!DOCTYPE svg><svg/>", "<?xml-stylesheet href='a?b>c'?><svg/>",
    ])
    func `the root element decides whether XML is SVG`(text: String) {
        #expect(ConvertibleFormat.sniff(Array(text.utf8)) == .svg)
    }

    @Test(arguments: [
        "", "<", "<svg", "svg", "<svgs/>", "<SVG/>", "<html><svg/></html>", "<!DOCTYPE html><body><svg/></body>",
        "<!-- <svg/>", "<?xml <svg/>", "<!DOCTYPE svg [ <svg/>", "<!DOCTYPE svg \"> <svg/>", "text <svg/>",
        "<feed><svg/></feed>",
    ])
    func `other text is not SVG`(text: String) {
        #expect(ConvertibleFormat.sniff(Array(text.utf8)) == nil)
    }

    @Test func `the root element must begin within 16 KiB`() {
        for (count, isFound) in [(16_000, true), (17_000, false)] {
            let text = "<!--" + String(repeating: "-<", count: count / 2) + "--><svg/>"
            #expect((ConvertibleFormat.sniff(Array(text.utf8)) == .svg) == isFound)
        }
    }

    @Test(
        arguments: [
            (.pdf, Array("%PDF-1.7".utf8)), (.ps, Array("%!PS-Adobe-3.0".utf8)), (.psd, Array("8BPS".utf8)),
            (.mp4, [0, 0, 0, 0x18] + Array("ftypisom".utf8)),
            (.mov, [0, 0, 0, 0x14] + Array("ftypqt  \0\0\0\0qt  ".utf8)),
            (.cr3, [0, 0, 0, 0x18] + Array("ftypcrx \0\0\0\u{1}crx isom".utf8)),
            (.webm, [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84] + Array("webm".utf8)),
            (.mkv, [0x1A, 0x45, 0xDF, 0xA3, 0xA3, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x88] + Array("matroska".utf8)),
            (.raf, Array("FUJIFILMCCD-RAW 0201".utf8)), (.pnm, Array("P6\n2 1 255\n".utf8)),
        ] as [(ConvertibleFormat, [UInt8])]
    )
    func `signatures identify other formats`(format: ConvertibleFormat, bytes: [UInt8]) {
        #expect(ConvertibleFormat.sniff(bytes) == format)
    }

    @Test(
        arguments: [
            [0xFF, 0xD8, 0xFF, 0xE0], Array("GIF89a".utf8), Array("<html>".utf8), Array("text".utf8), [],
            Array("P7".utf8),
        ] as [[UInt8]]
    )
    func `images that the service reads, and unknown files, have no converter`(bytes: [UInt8]) {
        #expect(ConvertibleFormat.sniff(bytes) == nil)
    }

    /// A text as the values of a field.
    private static func text(_ text: String) -> (tag: Int, type: Int, values: [Int]) {
        (271, 2, text.utf8.map(Int.init) + [0])
    }

    @Test(arguments: [false, true])
    func `the first directory identifies raw photographs`(isBigEndian: Bool) {
        let full = TIFFTree.Directory(9, 7, (0, 255, 0), kind: 0)
        let preview = TIFFTree.Directory(4, 3, (255, 0, 0), kind: 1)
        let cases: [(ConvertibleFormat?, TIFFTree.Directory)] = [
            (.nef, preview.with([Self.text("NIKON CORPORATION")]).containing([full])),
            (.arw, preview.with([Self.text("SONY")]).containing([full])),
            (.dng, preview.with([Self.text("Apple"), (50_706, 4, [1])]).containing([full])),
            (.dng, full.with([(50_706, 4, [1])])),
            // TIFF files that programs of the makers wrote.
            (nil, full.with([Self.text("NIKON CORPORATION")]).containing([preview])),
            (nil, preview.with([Self.text("NIKON CORPORATION")])),
            (nil, full), (nil, preview.containing([full])),
        ]
        for (format, directory) in cases {
            var tree = TIFFTree([directory])
            tree.isBigEndian = isBigEndian
            #expect(ConvertibleFormat.sniff(tree.encode()) == format)
        }
    }

    @Test func `a raw photograph truncated at any length is recognised correctly or not at all`() {
        let full = TIFFTree.Directory(9, 7, (0, 255, 0), kind: 0)
        let bytes = TIFFTree([
            TIFFTree.Directory(4, 3, (255, 0, 0), kind: 1).with([Self.text("SONY")]).containing([full])
        ]).encode()
        for count in 0..<bytes.count {
            let format = ConvertibleFormat.sniff(Array(bytes.prefix(count)))
            #expect(format == nil || format == .arw)
        }
        #expect(ConvertibleFormat.sniff(bytes) == .arw)
    }

    @Test func `CR2 has letters after its header`() {
        #expect(ConvertibleFormat.sniff([0x49, 0x49, 0x2A, 0, 16, 0, 0, 0] + Array("CR\u{2}\0".utf8)) == .cr2)
    }
}
