import Foundation
import Subprocess
import TestPacing
import TestPrograms
import Testing

/// Runs scripts/install-dependencies.sh with test programs that replace apt-get, sleep and other programs.
@Suite(.limitedConcurrency) struct DependencyScriptTests {
    /// The output of apt-get 2.6 in Debian 12 while another program holds a lock.
    private static let locks = [
        """
        E: Could not get lock /var/lib/apt/lists/lock. It is held by process 812 (unattended-upgr)
        E: Unable to lock directory /var/lib/apt/lists/
        """,
        """
        E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (unattended-upgr)
        E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?
        """,
        """
        E: Could not get lock /var/cache/apt/archives/lock. It is held by process 812 (unattended-upgr)
        E: Unable to lock directory /var/cache/apt/archives/
        """,
    ]

    private static let waiting =
        "headroom: another program (unattended-upgr, process 812) uses apt; waiting for it, at most "

    /// Runs the script for one missing package.
    ///
    /// - Parameters:
    ///   - error: The text that apt-get writes before it fails.
    ///   - command: The apt-get command that fails: update or install.
    ///   - failures: The number of failures.
    ///   - seconds: The time limit of the wait.
    /// - Returns: The run, and the calls of apt-get and sleep.
    /// - Throws: If the script cannot be run.
    private func run(
        _ error: String,
        of command: String,
        failures: Int,
        seconds: Int = 900
    ) async throws -> (ProgramRun, calls: [String]) {
        let folder = try Folder()
        let programs = [
            "swift": "echo 'Swift version 6.3 (swift-6.3-RELEASE)'", "dpkg-query": "exit 1", "id": "echo 0",
            "sleep": "echo \"sleep $1\" >>calls",
            "apt-get": """
            shift
            echo "apt-get $1" >>calls
            [ "$1" = \(command) ] && [ "$(grep -c "apt-get $1" calls)" -le \(failures) ] || exit 0
            cat error >&2
            exit 100
            """,
        ]
        for (name, text) in programs {
            try folder.write(Array("#!/bin/sh\n\(text)\n".utf8), to: "bin/\(name)")
            let path = folder.url.appending(path: "bin/\(name)").path
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        try folder.write(Array("\(error)\n".utf8), to: "error")
        try folder.write(Array("# One\nan-example\n".utf8), to: "list.txt")
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let script = root.appending(path: "scripts/install-dependencies.sh").standardizedFileURL.path
        let path = "\(folder.url.appending(path: "bin").path):/usr/bin:/bin"
        let run = try await Configuration.program(
            "/bin/sh",
            [script, folder.url.appending(path: "list.txt").path],
            in: folder.url,
            environment: ["PATH": path, "APT_LOCK_SECONDS": "\(seconds)"]
        ).run()
        let calls = String(decoding: try folder.read("calls"), as: UTF8.self)
        return (run, calls.split(separator: "\n").map(String.init))
    }

    @Test(arguments: locks, ["update", "install"])
    func `the script waits for another program that holds an apt lock, and reports it once`(
        lock: String,
        command: String
    ) async throws {
        let (run, calls) = try await run(lock, of: command, failures: 3)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.lines == ["headroom: installing an-example", Self.waiting + "900 seconds"])
        let waits = Array(repeating: ["apt-get \(command)", "sleep 2"], count: 3).flatMap(\.self)
        #expect(
            calls.filter { !$0.hasPrefix("apt-get") || $0 == "apt-get \(command)" } == waits + ["apt-get \(command)"]
        )
    }

    @Test func `the wait is limited, and the error is shown afterwards`() async throws {
        let (run, calls) = try await run(Self.locks[0], of: "update", failures: 100, seconds: 10)
        #expect(run.status == 77)
        #expect(calls.count { $0 == "sleep 2" } == 5)
        #expect(run.error.contains("/var/lib/apt/lists/lock"))
        #expect(run.error.contains("headroom: apt-get update failed"))
    }

    @Test func `any other error is shown at once`() async throws {
        let (run, calls) = try await run("E: Unable to locate package an-example", of: "install", failures: 1)
        #expect(run.status == 77)
        #expect(calls == ["apt-get update", "apt-get install"])
        #expect(run.error.contains("Unable to locate package") && run.error.contains("could not install: an-example"))
    }
}
