import Foundation
import TestPacing
import TestPrograms
import Testing

@Suite("Settings of headroom serve", .limitedConcurrency)
struct ServeSettingsTests {
    /// The options that `serve --help` prints.
    private func options(in folder: Folder) async throws -> [String] {
        let help = try await Headroom.run(["serve", "--help"], in: folder)
        return help.lines.compactMap { line in
            line.prefixMatch(of: /\s\s--([a-z0-9-]+)/).map { String($0.1) }
        }
        .filter { $0 != "version" }
    }

    @Test func `every option has a variable, and all invalid values are reported at once`() async throws {
        let folder = try Folder()
        let options = try await options(in: folder)
        #expect(options.count > 15)
        // This value is longer than the maximum path of a socket, and is not a number, a keyword or the name of a
        // detector.
        let nonsense = String(repeating: "?", count: 200)
        var environment: [String: String] = [:]
        for option in options where option != "host" {
            environment["HEADROOM_" + option.uppercased().replacing("-", with: "_")] = nonsense
        }
        let run = try await Headroom.run(["serve"], in: folder, environment: environment)
        #expect(run.status == 64)
        #expect(run.errorLines.count == environment.count)
        for variable in environment.keys.sorted() {
            // A value that may contain a password is not repeated.
            let received = ["HEADROOM_REDIS", "HEADROOM_FETCH_PROXY"].contains(variable) ? "" : "=\(nonsense)"
            let sentence = "Error: \(variable)\(received) is not valid: expected "
            #expect(run.errorLines.contains { $0.hasPrefix(sentence) }, "\(variable)")
        }
    }

    @Test func `the Redis password can be in a file`() async throws {
        let folder = try Folder()
        try folder.write(Array("s3cret-of-redis\n".utf8), to: "password")
        try folder.write([], to: "empty")
        let redis = ["--redis", "redis://127.0.0.1:1"]
        for (arguments, expected) in [
            (redis + ["--redis-password-file", "none"], "expected a file that can be read"),
            (redis + ["--redis-password-file", "empty"], "expected a password in the file"),
            (["--redis-password-file", "password"], "--redis-password-file=password requires the setting redis."),
            (
                ["--redis", "redis://:other@127.0.0.1:1", "--redis-password-file", "password"],
                "is not allowed if the setting redis contains a password."
            ),
            (redis + ["--redis-timeout", "0.0001"], "expected a number of seconds from 0.001 to 1"),
        ] {
            let run = try await Headroom.run(["config"] + arguments, in: folder)
            #expect(run.status == 64)
            #expect(run.errorLines.count == 1 && run.error.contains(expected), "\(run.error)")
        }
        let good = try await Headroom.run(
            ["config", "--redis-password-file", "password", "--redis-timeout", "0.02"] + redis,
            in: folder
        )
        #expect(good.status == 0, "\(good.error)")
        #expect(good.text.contains("redis-timeout: 0.02") && !good.text.contains("s3cret"))
    }

    @Test func `the TLS files for Redis are loaded at startup`() async throws {
        let folder = try Folder()
        try folder.write(Array("s3cret-of-sentinels\n".utf8), to: "password")
        try folder.write(Array("no PEM".utf8), to: "text")
        let (plain, secure) = (["--redis", "redis://127.0.0.1:1"], ["--redis", "rediss://127.0.0.1:1"])
        for (arguments, expected) in [
            (
                plain + ["--redis-ca-file", "text"],
                "--redis-ca-file=text requires TLS: a setting redis that starts with rediss."
            ),
            (secure + ["--redis-ca-file", "text"], "is not valid: text: expected certificates in PEM."),
            (["--redis-ca-file", "text"], "requires TLS: a setting redis that starts with rediss."),
            (secure + ["--redis-ca-file", "none"], "is not valid: expected a file that can be read; none: "),
            (
                secure + ["--redis-client-certificate", "text"],
                "--redis-client-certificate=text is not valid: text: expected a certificate in PEM."
            ),
            (
                secure + ["--redis-client-key", "text"],
                "--redis-client-key=text requires redis-client-certificate."
            ),
            (
                plain + ["--redis-sentinel-password-file", "password"],
                "requires a setting redis with sentinels."
            ),
        ] {
            let run = try await Headroom.run(["config"] + arguments, in: folder)
            #expect(run.status == 64)
            #expect(run.errorLines.count == 1 && run.error.contains(expected), "\(run.error)")
        }
        let good = try await Headroom.run(
            [
                "config", "--redis", "rediss+sentinel://:hunter2@127.0.0.1:1/main", "--redis-sentinel-password-file",
                "password",
            ],
            in: folder
        )
        #expect(good.status == 0, "\(good.error)")
        #expect(good.text.contains("rediss+sentinel://127.0.0.1:1/main/0"))
        #expect(!good.text.contains("s3cret") && !good.text.contains("hunter2"))
    }

    @Test func `the host has an environment variable`() async throws {
        let environment = ["HEADROOM_HOST": "203.0.113.1", "HEADROOM_PORT": "0"]
        let run = try await Headroom.run(["serve"], in: Folder(), environment: environment)
        #expect(run.status == 1)
        #expect(run.errorLines.count == 1)
        #expect(run.error.hasPrefix("Error: cannot listen on 203.0.113.1:0: "))
    }

    @Test func `invalid options and invalid variables are reported together`() async throws {
        let run = try await Headroom.run(
            [
                "serve", "--port", "70000", "--workers", "0", "--detector", "cats", "--fetch-slots", "129",
                "--max-memory", "2GB",
            ],
            in: Folder(),
            environment: [
                "HEADROOM_PORT": "1", "HEADROOM_ALLOW_PRIVATE_SOURCES": "maybe", "HEADROOM_LOG_LEVEL": "loud",
            ]
        )
        #expect(run.status == 64)
        #expect(
            Set(run.errorLines) == [
                "Error: --port=70000 is not valid: expected a whole number from 0 to 65535.",
                "Error: --workers=0 is not valid: expected a whole number from 1 to 1024.",
                "Error: --detector=cats is not valid: expected yunet+hog, yunet, hog, dlib, or NAME=FILE.svm.",
                "Error: --max-memory=2GB is not valid: expected a whole number of MiB from 16 to 1048576.",
                "Error: --fetch-slots=129 is not valid: expected a whole number from 1 to 128.",
                "Error: HEADROOM_ALLOW_PRIVATE_SOURCES=maybe is not valid: expected true or false.",
                "Error: HEADROOM_LOG_LEVEL=loud is not valid: expected one of trace, debug, info, notice, warning, error, "
                    + "critical.",
            ]
        )
    }

    @Test func `a missing detector file is reported`() async throws {
        let run = try await Headroom.run(["serve", "--port", "0", "--detector", "cats=cats.svm"], in: Folder())
        #expect(run.status == 1)
        #expect(run.error == "Error: cannot read the detector cats.svm: No such file or directory\n")
    }

    @Test func `a port in use is reported in one sentence`() async throws {
        let service = try await RunningService(["--port", "0"], in: Folder())
        let run = try await Headroom.run(["serve", "--port", "\(service.port)"], in: Folder())
        #expect(run.status == 1)
        #expect(run.error == "Error: cannot listen on 127.0.0.1:\(service.port): address already in use\n")
    }

    @Test func `the limit on open files is raised to its maximum, and a low maximum is reported`() async throws {
        let limits = "ulimit -Sn 64; ulimit -Hn 512"
        let service = try await RunningService(["--port", "0"], after: limits, in: Folder())
        let line = try #require(service.startLines.first { $0.contains("open files") })
        #expect(line.contains(" warning "))
        #expect(line.contains("limit=512"))

        let modest = ["--port", "0", "--max-connections", "100", "--fetch-slots", "4"]
        let lines = try await RunningService(modest, after: limits, in: Folder()).startLines
        #expect(!lines.contains { $0.contains("open files") })
    }
}
