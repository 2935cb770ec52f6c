import Foundation
import TestPacing
import TestPrograms
import Testing

@Suite("Help", .limitedConcurrency)
struct HelpTests {
    @Test func `the help of every command matches its snapshot`() async throws {
        let folder = try Folder()
        let main = try await Headroom.run(["--help"], in: folder)
        #expect(main.status == 0)
        try Snapshot.check(main.text, "headroom")
        let commands = main.text.components(separatedBy: "SUBCOMMANDS:\n").last?
            .split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.hasPrefix("  ") }
            .filter { !$0.hasPrefix("   ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        let names = try #require(commands)
        #expect(Set(names).isSuperset(of: ["serve", "frame", "faces"]))
        for name in names {
            let run = try await Headroom.run([name, "--help"], in: folder)
            #expect(run.status == 0)
            #expect(run.error.isEmpty)
            try Snapshot.check(run.text, "headroom-\(name)")
        }
    }

    @Test func `help fits 80 columns`() async throws {
        let folder = try Folder()
        for arguments in [["--help"], ["serve", "--help"], ["frame", "--help"], ["faces", "--help"]] {
            let run = try await Headroom.run(arguments, in: folder)
            #expect(run.lines.filter { $0.count > 80 && !$0.hasPrefix("USAGE") } == [])
        }
    }

    @Test func `the version consists of three numbers`() async throws {
        let run = try await Headroom.run(["--version"], in: Folder())
        #expect(run.status == 0)
        #expect(run.text.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
    }

    @Test func `examples can be pasted because none of their lines is wrapped`() async throws {
        let folder = try Folder()
        for command in ["batch", "frame", "reframe", "serve", "sign"] {
            let run = try await Headroom.run([command, "--help"], in: folder)
            let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false)
            let examples = lines.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
            #expect(examples.count >= 3)
            #expect(examples.filter { !$0.hasPrefix("  ") } == [])
        }
    }

    @Test func `-V prints the version`() async throws {
        let (short, long) = (
            try await Headroom.run(["-V"], in: Folder()), try await Headroom.run(["--version"], in: Folder())
        )
        #expect(short.status == 0 && short.text == long.text)
    }

    @Test(
        arguments: [
            ("framee", "unknown command framee: did you mean headroom frame?"),
            ("Serve", "unknown command Serve: did you mean headroom serve?"),
            ("xyzzyxyzzy", "unknown command xyzzyxyzzy: headroom --help lists them"),
            ("a b.jpg", "a b.jpg is a file, not a command; to crop it: headroom frame 'a b.jpg' …"),
        ]
    )
    func `the error for an unknown command suggests the nearest command`(word: String, expected: String) async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "a b.jpg")
        let run = try await Headroom.run([word], in: folder)
        #expect(run.status == 64)
        #expect(run.error == "Error: \(expected)\n")
    }

    @Test(arguments: [["frame"], ["faces"], ["frame", "a.jpg", "--bogus"], ["bogus"], ["serve", "--port"]])
    func `invalid arguments exit with status 64`(arguments: [String]) async throws {
        let run = try await Headroom.run(arguments, in: Folder())
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("Error: "))
    }
}
