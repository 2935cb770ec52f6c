import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct OutputFormatTests {
    @Test func `signatures identify the supported formats`() {
        #expect(OutputFormat.sniff([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(OutputFormat.sniff([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]) == .png)
        #expect(OutputFormat.sniff([0x89, 0x50, 0x4E, 0x47]) == nil)
        #expect(OutputFormat.sniff(Array("RIFF\u{4}\u{0}\u{0}\u{0}WEBPVP8 ".utf8)) == .webp)
        #expect(OutputFormat.sniff(Array("RIFF\u{4}\u{0}\u{0}\u{0}WAVEfmt ".utf8)) == nil)
        #expect(OutputFormat.sniff([]) == nil)
        #expect(InputFormat.sniff([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(InputFormat.sniff(Array("GIF89a".utf8)) == .gif && InputFormat.sniff(Array("GIF87a".utf8)) == .gif)
        #expect(InputFormat.sniff(Array("GIF88a".utf8)) == nil)
    }

    @Test(
        arguments: [
            ("avif", [0, 0, 0, 0x1C] + Array("ftypavif".utf8)), ("heic", [0, 0, 0, 0x18] + Array("ftypheic".utf8)),
            ("heic", [0, 0, 0, 0x18] + Array("ftypmif1".utf8)),
            ("avif", [0, 0, 0, 0x1C] + Array("ftypmif1\0\0\0\0mif1avifmiaf".utf8)),
            ("jxl", [0xFF, 0x0A, 0xFA]), ("jxl", [0, 0, 0, 12] + Array("JXL \r\n\u{87}\n".utf8)),
        ] as [(String, [UInt8])]
    )
    func `signatures of optional formats are recognised or named in the error`(name: String, bytes: [UInt8]) {
        let format = InputFormat(rawValue: name)
        #expect(InputFormat.sniff(bytes) == format)
        if format == nil {
            #expect(throws: CodecError.unsupportedFormat(named: name == "jxl" ? "JPEG XL" : name.uppercased())) {
                try ImageHeader.read(bytes)
            }
        }
    }

    @Test(
        arguments: [
            ("MP4", [0, 0, 0, 0x18] + Array("ftypisom".utf8)),
            ("Photoshop", Array("8BPS".utf8)),
            ("Cursor", [0, 0, 2, 0, 1, 0]),
            ("Cursor", [0, 0, 2, 0, 1, 0, 32, 32, 0, 0, 4, 0, 4, 0, 0x28, 1, 0, 0, 22, 0, 0, 0]),
            // Colour files with and without run lengths and a note, a grey file, and a file with a colour map.
            ("Targa", [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 48, 0, 24, 0x20]),
            ("Targa", [5, 0, 10, 0, 0, 0, 0, 0, 0, 0, 9, 0, 64, 0, 48, 1, 32, 8]),
            ("Targa", [0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 48, 0, 8, 0]),
            ("Targa", [0, 1, 1, 0, 0, 0, 1, 24, 0, 0, 0, 0, 64, 0, 48, 0, 8, 0]),
            ("SVG", Array("\n<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)),
            ("HTML", Array("<!DOCTYPE html><title>404</title>".utf8)),
            ("PDF", Array("%PDF-1.7".utf8)),
            ("CR3", [0, 0, 0, 0x18] + Array("ftypcrx \0\0\0\u{1}crx isom".utf8)),
            ("QuickTime", [0, 0, 0, 0x14] + Array("ftypqt  \0\0\0\0qt  ".utf8)),
            ("RAF", Array("FUJIFILMCCD-RAW 0201".utf8)),
            ("ORF", Array("IIRO\u{8}\0\0\0".utf8)),
            ("ORF", Array("IIRS\u{8}\0\0\0".utf8)),
            ("ORF", Array("MMOR\0\0\0\u{8}".utf8)),
            ("RW2", Array("IIU\0\u{18}\0\0\0".utf8)),
            ("CRW", Array("II\u{1A}\0\0\0HEAPCCDR".utf8)),
            ("MRW", Array("\0MRM".utf8)),
            ("X3F", Array("FOVb".utf8)),
            ("AVI", Array("RIFF\u{4}\0\0\0AVI LIST".utf8)),
            ("WAV", Array("RIFF\u{4}\0\0\0WAVEfmt ".utf8)),
            ("MPEG-TS", (0..<600).map { $0 % 188 == 0 ? 0x47 : 7 }),
            ("MPEG-TS", (0..<600).map { $0 % 192 == 4 ? 0x47 : 7 }),
            ("MPEG", [0, 0, 1, 0xBA, 0x44]),
            ("ICNS", Array("icns\0\0\u{1}\0".utf8)),
            ("DICOM", Array(repeating: 0, count: 128) + Array("DICM".utf8)),
            ("XCF", Array("gimp xcf v011\0".utf8)),
            ("gzip", [0x1F, 0x8B, 8, 0]),
            ("ZIP", [0x50, 0x4B, 3, 4]),
        ] as [(String, [UInt8])]
    )
    func `unsupported but known formats are named in the error`(name: String, bytes: [UInt8]) {
        #expect(throws: CodecError.unsupportedFormat(named: name)) { try ImageHeader.read(bytes) }
    }

    @Test(arguments: [[], [0], Array("hello".utf8), Array(repeating: 0, count: 100)] as [[UInt8]])
    func `the error for bytes of an unknown format contains no name`(bytes: [UInt8]) {
        #expect(throws: CodecError.unsupportedFormat(named: nil)) { try ImageHeader.read(bytes) }
    }

    @Test func `formats have their registered media types and usual extensions`() {
        #expect(OutputFormat.jpeg.mediaType == "image/jpeg" && OutputFormat.jpeg.fileExtensions.first == "jpg")
        #expect(OutputFormat.png.mediaType == "image/png" && OutputFormat.png.fileExtensions.first == "png")
        #expect(OutputFormat.webp.mediaType == "image/webp" && OutputFormat.webp.fileExtensions == ["webp"])
        #expect(OutputFormat.webp.name == "WebP")
    }

    @Test func `no two formats share a name or a file extension`() {
        let names = InputFormat.allCases.map(\.name)
        let extensions = InputFormat.allCases.flatMap(\.fileExtensions)
        #expect(Set(names).count == names.count && Set(extensions).count == extensions.count)
        #expect(InputFormat.allCases.allSatisfy { !$0.fileExtensions.isEmpty })
    }

    @Test(arguments: InputFormat.allCases)
    func `a still image of each format is recognised and decoded`(format: InputFormat) throws {
        let image = try TestImage.gradient(PixelSize(width: 20, height: 10))
        let file = try format.sample ?? ImageEncoder.encode(image, as: try #require(format.written))
        #expect(InputFormat.sniff(file) == format)
        let header = try ImageHeader.read(file)
        #expect(header.format == format && header.animation == nil)
        #expect(try ImageDecoder.decode(file, header: header).size == header.size)
        // For a GIF, only its blocks show whether it is a still image.
        #expect(InputFormat.mayBeAnimated(file[...]) == (format == .gif))
    }

    @Test(arguments: OutputFormat.allCases.filter(\.keepsAnimation))
    func `an animation of each format is recognised and has all its frames`(format: OutputFormat) throws {
        let size = PixelSize(width: 20, height: 10)
        let writer = try AnimationEncoder.begin(format, size: size, plays: 2)
        for level in [0, 255] as [UInt8] {
            try writer.add(TestImage.rgb(size) { _, _ in (level, level, level) }, milliseconds: 200)
        }
        let file = try writer.finish()
        #expect(InputFormat.mayBeAnimated(file[...]))
        let header = try ImageHeader.read(file)
        #expect(header.animation?.frames == 2 && header.animation?.duration == 400)
        #expect(header.animation?.plays == (format.keepsPlays ? 2 : 0))
        let frames = try AnimationDecoder.frames(file, header: header)
        var levels: [UInt8] = []
        while let frame = try frames.next() { levels.append(try frame.image.luma()[x: 10, y: 5]) }
        #expect(levels.count == 2 && levels[0] < 20 && levels[1] > 235)
    }
}
