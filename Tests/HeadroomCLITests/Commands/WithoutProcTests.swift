import FoundationEssentials
import Subprocess
import TestPacing
import TestPrograms
import Testing

/// The commands on a system without proc(5), as in some container image builds.
@Suite(
    "headroom without /proc",
    .limitedConcurrency,
    .enabled("needs user namespaces") { await WithoutProc.isPossible }
)
struct WithoutProcTests {
    @Test(arguments: [
        ["serve", "--port", "0"], ["config"], ["doctor"], ["frame", "a.jpg", "--aspect", "1:1"], ["faces", "a.jpg"],
        ["batch", "in", "out", "--aspect", "1:1"], ["work"], ["reframe", "a.y4m", "--aspect", "1:1"],
        ["check", "a.jpg"], ["sign", "/frame"], ["health"], ["--version"],
    ])
    func `a command reports the missing /proc`(arguments: [String]) async throws {
        let folder = try Folder()
        try folder.write(Image.encoded(), to: "a.jpg")
        let run = try await WithoutProc.run(try Headroom.executable().path, arguments, in: folder)
        #expect(run.error == "Error: headroom cannot run without /proc/self/exe: mount proc(5) at /proc\n")
        #expect(run.status == 1)
    }
}

private enum WithoutProc {
    /// Whether this machine permits mounts in a private namespace.
    static var isPossible: Bool {
        get async {
            guard let folder = try? Folder() else { return false }
            return (try? await run("/bin/true", [], in: folder).status) == 0
        }
    }

    /// Runs a program in a namespace with an empty folder instead of /proc.
    static func run(_ program: String, _ arguments: [String], in folder: Folder) async throws -> ProgramRun {
        let script = #"mount -t tmpfs none /proc && exec "$0" "$@""#
        let words = ["-r", "-m", "sh", "-c", script, program] + arguments
        return try await Configuration.program("/usr/bin/unshare", words, in: folder.url).run()
    }
}
