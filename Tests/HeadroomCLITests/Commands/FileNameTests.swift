import Foundation
import Subprocess
import TestPacing
import TestPrograms
import Testing

/// Untrusted file names: no command prints their control characters.
@Suite(.limitedConcurrency) struct FileNameTests {
    /// Red text, a carriage return, a line end, a bell, the C1 control CSI, and characters that change the text
    /// direction.
    private static let name = "a\u{1B}[31m\r\n\u{7}\u{9B}2J\u{202E}\u{2066}\u{200F}b"

    private static let hidden = Set("\u{1B}\r\u{7}\u{9B}\u{202E}\u{2066}\u{200F}".unicodeScalars)

    private func check(_ arguments: [String], in folder: Folder, status: Int32, lines: Int? = nil) async throws {
        let run = try await Headroom.run(arguments, in: folder)
        #expect(run.status == status, "\(arguments): \(run.error)")
        for text in [run.text, run.error] {
            let plain = text.replacing("\r\n", with: "\n").unicodeScalars
            // JSON escapes only the ASCII control characters.
            let isJSON = arguments.contains("--json")
            #expect(
                !plain.contains { Self.hidden.contains($0) && !(isJSON && $0.value > 0x7F) },
                "\(arguments): \(text.debugDescription)"
            )
        }
        #expect((run.text + run.error).contains(#"\u001b[31m"#), "\(arguments): \(run.text) \(run.error)")
        if let lines { #expect(run.lines.count + run.errorLines.count == lines, "\(run.text) \(run.error)") }
    }

    @Test func `image names are escaped in tables and messages`() async throws {
        let folder = try Folder()
        let (good, bad) = ("\(Self.name).jpg", "\(Self.name).png")
        try folder.write(try Image.encoded(), to: "in/\(good)")
        try folder.write([1, 2, 3], to: "bad/\(bad)")
        try await check(["faces", "in"], in: folder, status: 0, lines: 2)
        try await check(["faces", "in", "--focus"], in: folder, status: 0)
        try await check(["faces", "in", "--json"], in: folder, status: 0, lines: 1)
        try await check(["frame", "in", "--json"], in: folder, status: 0, lines: 1)
        try await check(["check", "bad"], in: folder, status: 2, lines: 2)
        for command in ["faces", "frame"] {
            let output = command == "frame" ? ["--aspect", "1:1", "--output", "out"] : []
            try await check([command, "bad"] + output, in: folder, status: 1, lines: 1)
            try await check([command, "none/\(good)"] + output, in: folder, status: 1, lines: 1)
        }
        try await check(["frame", "in", "in", "--output", "out"], in: folder, status: 64, lines: 1)
        try await check(["frame", "bad", "--output", "in/\(good)"], in: folder, status: 64, lines: 1)
    }

    @Test func `video names are escaped`() async throws {
        let folder = try Folder()
        try folder.write(Array("no video".utf8), to: "\(Self.name).mp4")
        let output = ["--aspect", "1:1", "--output", "out.y4m"]
        try await check(["reframe", "\(Self.name).mp4"] + output, in: folder, status: 1, lines: 1)
        try await check(["reframe", "none\(Self.name)"] + output, in: folder, status: 1, lines: 1)
    }

    @Test func `unknown commands and unexpected arguments are escaped`() async throws {
        let folder = try Folder()
        try await check([Self.name], in: folder, status: 64, lines: 1)
        try await check(["reframe", "a", Self.name], in: folder, status: 64)
    }

    // MARK: Names that are not UTF-8

    /// Runs a script in a folder with `in.jpg`; `$H` is the program and `$N` a name with Latin-1 and other bytes.
    private func script(_ text: String, in folder: Folder) async throws -> ProgramRun {
        let program = try Headroom.executable().path
        let name = #"N=$(printf 'caf\351 \377\364\217\277\251')"#
        let words = ["-c", "H='\(program)'; \(name); set -e; \(text)"]
        return try await Configuration.program("/bin/sh", words, in: folder.url).run()
    }

    @Test(arguments: [
        (#"mv in.jpg "$N.jpg"; $H frame "$N.jpg" --aspect 1:1 --output "$N.png""#, "$N.png"),
        (#"mkdir "$N"; mv in.jpg "$N/$N.jpg"; $H frame "$N" --aspect 1:1 --output "out$N""#, "out$N/$N.jpg"),
        (#"mv in.jpg "$N.jpg"; $H frame "$N.jpg" --aspect 1:1 --output "$N/$N/""#, "$N/$N/$N.jpg"),
        (#"mkdir "$N"; mv in.jpg "$N/$N.jpg"; $H batch "$N" --aspect 1:1 --output "o$N""#, "o$N/$N.jpg"),
        (#"mv in.jpg "$N.jpg"; $H batch "$N.jpg" --aspect 1:1 --output out"#, "out/$N.jpg"),
        (#"mv in.jpg "$N.jpg"; $H batch "$N*" --aspect 1:1 --output out"#, "out/$N.jpg"),
        (#"mv in.jpg "$N.jpg"; echo "$N.jpg" > l.txt; $H batch l.txt --aspect 1:1 --output out"#, "out/$N.jpg"),
        (
            #"mv in.jpg "$N.jpg"; (echo file,key; echo "$N.jpg,k") > l.csv; $H batch l.csv --aspect 1:1 --output out"#,
            "out/k.jpg"
        ),
        (#"mv in.jpg "$N.jpg"; tar cf "$N.tar" "$N.jpg"; $H batch "$N.tar" --aspect 1:1 --output out"#, "out/$N.jpg"),
        (
            #"mv in.jpg "$N.jpg"; tar cf a.tar --format=pax "$N.jpg"; $H batch a.tar --aspect 1:1 --output "$N.tar"; "#
                + #"tar xf "$N.tar" --one-top-level=out"#,
            "out/$N.jpg"
        ),
        (
            #"mkdir d; mv in.jpg "d/$N.jpg"; $H batch 'local:///caf%E9%20%ff%f4%8f%bf%a9.jpg' --local-root $PWD/d "#
                + #"--aspect 1:1 --output out --name x{key}.{format}; mv out/x*.jpg out/y.jpg"#,
            "out/y.jpg"
        ),
        // The list of failures is used as input.
        (
            #"mv in.jpg "$N.jpg"; echo "$N.jpg" > l.txt; mv "$N.jpg" away; $H batch l.txt --aspect 1:1 --output o "#
                + #"--failures f.jsonl || true; mv away "$N.jpg"; $H batch f.jsonl --aspect 1:1 --output out"#,
            "out/$N.jpg"
        ),
    ])
    func `names that are not UTF-8 are supported`(command: String, result: String) async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        let run = try await script(#"\#(command); test -s "\#(result)""#, in: folder)
        #expect(run.status == 0, "\(command): \(run.error)")
        #expect(!run.error.utf8.contains(0xFF))
    }

    @Test func `bytes that are not UTF-8 are escaped in messages`() async throws {
        let folder = try Folder()
        let run = try await script(#"$H frame "$N.jpg" --aspect 1:1 --output out.jpg"#, in: folder)
        #expect(run.error == #"caf\xe9 \xff\xf4\x8f\xbf\xa9.jpg: no such file or directory"# + "\n", "\(run.error)")
        try folder.write(try Image.encoded(), to: "in.jpg")
        let faces = try await script(#"mv in.jpg "$N.jpg"; $H faces "$N.jpg"; $H frame "$N.jpg" --json"#, in: folder)
        #expect(faces.lines.first == #"caf\xe9 \xff\xf4\x8f\xbf\xa9.jpg: 480×320, 1 face"#)
        #expect(String(validating: faces.output, as: UTF8.self) != nil)
    }

    @Test func `a summary with the count follows the images of a folder`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/a.jpg")
        try folder.write(try Image.encoded(), to: "in/b.jpg")
        try folder.write([1], to: "in/c.jpg")
        let run = try await Headroom.run(["frame", "in", "--aspect", "1:1", "--output", "out"], in: folder)
        #expect(run.status == 1 && run.errorLines.last == "2 images written, 1 failed", "\(run.error)")
    }
}
