import Foundation
import Framing
import Imaging
import Pipeline
import TestPacing
import Testing
import Workers

/// Converters as values: their arguments, programs and formats.
@Suite(.limitedConcurrency) struct ConverterTests {
    private let part = ConvertedPart(page: 12, milliseconds: 2050)

    @Test(arguments: ["", "-", "--width=2000", "{}", "{a1}", "scale='min(1,{})'", "{ page}", "{Page}", "{page", "}"])
    func `text without placeholders is accepted`(text: String) throws {
        let argument = try #require(ConverterArgument(text))
        #expect(argument.text == text)
        #expect(ConverterArgument.Placeholder.allCases.allSatisfy { !argument.contains($0) })
    }

    @Test(arguments: ["{width}", "a{file}b", "{pages}", "{page}{x}", "a\0b"])
    func `other placeholders and null characters are rejected`(text: String) {
        #expect(ConverterArgument(text) == nil)
    }

    @Test func `placeholders are found`() throws {
        let argument = try #require(ConverterArgument("p{page}-{time}{page}"))
        #expect(argument.contains(.page) && argument.contains(.time))
        #expect(try #require(ConverterArgument("{page}")).contains(.time) == false)
    }

    @Test func `a program is found in the folders, without symbolic links and with its dynamic linker`() throws {
        let shell = try ConverterProgram("sh")
        #expect(shell.name == "sh")
        #expect(shell.path == URL(filePath: shell.path).resolvingSymlinksInPath().path)
        #expect(shell.executables.first == shell.path)
        #expect(try ConverterProgram("/bin/sh").path == shell.path)
    }

    @Test(arguments: [
        ("", "the name of a program is empty"), ("bin/sh", "bin/sh is a relative path"), ("./sh", "is a relative path"),
        ("headroom-missing", "headroom-missing does not exist in /usr/local/bin, /usr/bin, /bin"),
        ("/usr/bin/headroom-missing", "/usr/bin/headroom-missing does not exist"),
        ("/etc/passwd", "/etc/passwd is not a program"),
        ("/usr", "/usr is not a program"),
    ])
    func `other programs are rejected`(name: String, reason: String) throws {
        let failure = try #require(throws: ConverterProgram.Failure.self) { try ConverterProgram(name) }
        #expect(failure.reason.contains(reason))
    }

    @Test func `a set finds the converter of a file by its first bytes`() throws {
        var converters = ConverterSet()
        let svg = Array("<svg/>".utf8)
        #expect(converters.isEmpty && converters.converter(of: svg[...]) == nil)
        converters.byFormat[.svg] = Converter(try ConverterProgram("sh"), [])
        #expect(converters.converter(of: svg[...])?.format == .svg)
        #expect(converters.converter(of: Array("%PDF-1.7".utf8)[...]) == nil)
        #expect(Conversion([0xFF, 0xD8, 0xFF], part, converters) == nil)
    }

    @Test func `the key of a conversion contains the part and the command`() throws {
        var converters = ConverterSet()
        let program = try ConverterProgram("sh")
        converters.byFormat[.pdf] = Converter(program, [try #require(ConverterArgument("{page}"))])
        let conversion = try #require(Conversion(.init(Array("%PDF-1.7".utf8)), part, converters))
        #expect(conversion.key == "pdf 12 2050 \(program.path) {page}")
    }

    @Test func `a video is encoded by the converter of its format, and other jobs have other keys`() throws {
        var converters = ConverterSet()
        var job = FrameJob(source: SourceBytes(Array("GIF89a".utf8)), target: .image(.videoFrames))
        #expect(VideoEncoding(.mp4, of: job, converters) == nil)
        converters.byVideoFormat[.mp4] = Converter(try ConverterProgram("sh"), [try #require(ConverterArgument("-"))])
        converters.byFormat[.svg] = Converter(try ConverterProgram("sh"), [])
        #expect(!converters.isEmpty && VideoEncoding(.webm, of: job, converters) == nil)
        #expect(converters.uses == [.input(.svg), .output(.mp4)])
        var encoding = try #require(VideoEncoding(.mp4, of: job, converters))
        let needed = encoding.bytesNeeded
        encoding.frames = SourceBytes([UInt8](repeating: 0, count: 1000))
        #expect(encoding.bytesNeeded == needed + 1000 && encoding.input.count == 1000 && encoding.source.count == 6)
        job.options.resultSize.width = 20
        #expect(encoding.request != VideoEncoding(.mp4, of: job, converters)?.request)
    }

    @Test func `only a video of the format is accepted`() throws {
        var converters = ConverterSet()
        let job = FrameJob(source: SourceBytes([]), target: .image(.videoFrames))
        converters.byVideoFormat[.mp4] = Converter(try ConverterProgram("sh"), [])
        let encoding = try #require(VideoEncoding(.mp4, of: job, converters))
        let video: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0]
        #expect(try encoding.checked(video, maxPixels: 1) == video)
        let webm: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82, 0x84] + Array("webm".utf8)
        for other in [webm, [], Array(video.dropLast(8)), Array("\u{89}PNG".utf8)] {
            let failure = #expect(throws: ConversionFailure.self) { try encoding.checked(other, maxPixels: 1) }
            guard case .invalidOutput = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
        }
    }
}
