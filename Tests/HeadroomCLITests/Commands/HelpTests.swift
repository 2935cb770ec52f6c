import Foundation
import HeadroomCLI
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
            ("crop", "unknown command crop: did you mean headroom frame?"),
            ("resize", "unknown command resize: did you mean headroom frame?"),
            ("server", "unknown command server: did you mean headroom serve?"),
            ("Detect", "unknown command Detect: did you mean headroom faces?"),
            ("version", "unknown command version: did you mean headroom --version?"),
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

    @Test(
        arguments: [
            (["frame", "a.jpg", "--size", "80"], "--size. Did you mean --width or --height?"),
            (["frame", "a.jpg", "-w", "80"], "-w. Did you mean --width?"),
            (["frame", "a.jpg", "--ratio=1:1"], "--ratio. Did you mean --aspect?"),
            (["frame", "a.jpg", "--out", "b.jpg"], "--out. Did you mean --output?"),
            (["frame", "a.jpg", "--blur", "5"], "--blur. Did you mean --filter blur:5?"),
            (["frame", "a.jpg", "--widht", "80"], "--widht. Did you mean --width?"),
            (["frame", "a.jpg", "--threads", "2"], "--threads. Did you mean --workers?"),
            (["frame", "a.jpg", "--layout", "x"], "--layout. --layout is an option of headroom reframe."),
            (["frame", "a.jpg", "--xyzzyxyzzy"], "--xyzzyxyzzy"),
            (["serve", "--listen", ":8080"], "--listen. Did you mean --host or --port?"),
            (["serve", "-p", "8080"], "-p. Did you mean --port?"),
            (["serve", "--threads", "2"], "--threads. Did you mean --workers?"),
            (["serve", "--log-levl", "info"], "--log-levl. Did you mean --log-level?"),
        ]
    )
    func `the error for an unknown option suggests options of the command`(
        arguments: [String],
        expected: String
    ) async throws {
        let run = try await Headroom.run(arguments, in: Folder())
        #expect(run.status == 64)
        #expect(run.error.hasPrefix("Error: Unknown option \(expected)\nUsage: headroom \(arguments[0]) "))
    }

    @Test func `synonyms of commands and options mean existing commands and options`() {
        let existing = UnknownArgument.allOptions.union(UnknownArgument.allCommands)
        for (word, meanings) in UnknownArgument.synonyms {
            #expect(meanings.filter { !existing.contains($0) } == [], "\(word)")
        }
    }

    @Test(arguments: [["frame"], ["faces"], ["frame", "a.jpg", "--bogus"], ["bogus"], ["serve", "--port"]])
    func `invalid arguments exit with status 64`(arguments: [String]) async throws {
        let run = try await Headroom.run(arguments, in: Folder())
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("Error: "))
    }
}
