import Foundation
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
}
