import Imaging
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct ImageFormatTests {
    @Test func `signatures identify the supported formats`() {
        #expect(ImageFormat.sniff([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(ImageFormat.sniff([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]) == .png)
        #expect(ImageFormat.sniff([0x89, 0x50, 0x4E, 0x47]) == nil)
        #expect(ImageFormat.sniff(Array("RIFF\u{4}\u{0}\u{0}\u{0}WEBPVP8 ".utf8)) == .webp)
        #expect(ImageFormat.sniff(Array("RIFF\u{4}\u{0}\u{0}\u{0}WAVEfmt ".utf8)) == nil)
        #expect(ImageFormat.sniff([]) == nil)
        #expect(SourceFormat.sniff([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(SourceFormat.sniff(Array("GIF89a".utf8)) == .gif && SourceFormat.sniff(Array("GIF87a".utf8)) == .gif)
        #expect(SourceFormat.sniff(Array("GIF88a".utf8)) == nil)
    }

    @Test(
        arguments: [
            ("avif", [0, 0, 0, 0x1C] + Array("ftypavif".utf8)), ("heic", [0, 0, 0, 0x18] + Array("ftypheic".utf8)),
            ("heic", [0, 0, 0, 0x18] + Array("ftypmif1".utf8)),
            ("avif", [0, 0, 0, 0x1C] + Array("ftypmif1\0\0\0\0mif1avifmiaf".utf8)),
            ("jxl", [0xFF, 0x0A, 0xFA]), ("jxl", [0, 0, 0, 12] + Array("JXL \r\n\u{87}\n".utf8)),
        ] as [(String, [UInt8])]
    )
    func `signatures of optional formats are recognised, or named in the error`(name: String, bytes: [UInt8]) {
        let format = SourceFormat(rawValue: name)
        #expect(SourceFormat.sniff(bytes) == format)
        if format == nil {
            #expect(throws: CodecError.unsupportedFormat(named: name == "jxl" ? "JPEG XL" : name.uppercased())) {
                try ImageHeader.read(bytes)
            }
        }
    }

    @Test(
        arguments: [
            ("MP4", [0, 0, 0, 0x18] + Array("ftypisom".utf8)),
            ("TIFF", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]),
            ("BMP", Array("BM6\u{3}".utf8)),
            ("SVG", Array("\n<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)),
            ("HTML", Array("<!DOCTYPE html><title>404</title>".utf8)),
            ("PDF", Array("%PDF-1.7".utf8)),
        ] as [(String, [UInt8])]
    )
    func `known formats that are not supported are named in the error`(name: String, bytes: [UInt8]) {
        #expect(throws: CodecError.unsupportedFormat(named: name)) { try ImageHeader.read(bytes) }
    }

    @Test(arguments: [[], [0], Array("hello".utf8), Array(repeating: 0, count: 100)] as [[UInt8]])
    func `bytes of no format are refused without a name`(bytes: [UInt8]) {
        #expect(throws: CodecError.unsupportedFormat(named: nil)) { try ImageHeader.read(bytes) }
    }

    @Test func `media types and extensions are the usual ones`() {
        #expect(ImageFormat.jpeg.mediaType == "image/jpeg" && ImageFormat.jpeg.fileExtensions.first == "jpg")
        #expect(ImageFormat.png.mediaType == "image/png" && ImageFormat.png.fileExtensions.first == "png")
        #expect(ImageFormat.webp.mediaType == "image/webp" && ImageFormat.webp.fileExtensions == ["webp"])
        #expect(ImageFormat.webp.name == "WebP")
    }
}
