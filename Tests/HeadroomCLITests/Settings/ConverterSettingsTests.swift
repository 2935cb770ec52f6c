import Foundation
import TestPacing
import TestPrograms
import Testing

/// The converters in the settings file, as the commands read them.
@Suite(.limitedConcurrency) struct ConverterSettingsTests {
    /// Runs `headroom config` with a settings file.
    ///
    /// Confinement is not required, so that the tests also run on machines without it.
    private func config(_ text: String, _ environment: [String: String] = [:]) async throws -> ProgramRun {
        let folder = try Folder()
        try folder.write(Array("converter-confinement: partial\n\(text)".utf8), to: "headroom.yaml")
        // The defaults depend on the memory of the machine.
        let budgets = ["HEADROOM_MAX_MEMORY": "1024", "HEADROOM_MAX_SOURCE_MEMORY": "512"]
        return try await Headroom.run(
            ["config", "--config", "headroom.yaml"],
            in: folder,
            environment: budgets.merging(environment) { $1 }
        )
    }

    @Test func `converters are accepted in both forms`() async throws {
        let run = try await config(
            """
            converters:
              svg: [sh, --width=2000, -]
              pdf:
                command: [/bin/sh, -f, "{page}"]
                memory: 256
                timeout: 5
                max-output-bytes: 1000000
                files: [/usr/share/color]
              mp4: sh
              output:
                mp4: [sh, -c, "movflags={a,b}"]
                webm:
                  command: sh
                  timeout: 60
            """
        )
        #expect(run.status == 0, "\(run.error)")
        #expect(
            run.lines.contains {
                $0.hasPrefix("# converters: (mapping: mp4,output.mp4,output.webm,pdf,svg)")
                    && $0.hasSuffix("headroom.yaml:2")
            }
        )
    }

    @Test func `an empty setting has no converters`() async throws {
        let run = try await config("converters:\n")
        #expect(run.status == 0 && !run.text.contains("mapping"), "\(run.error)")
    }

    @Test(arguments: [
        ("converters: sh\n", "headroom.yaml:2: converters is not valid: expected formats with programs"),
        ("converters:\n  jpeg: [sh]\n", "headroom.yaml:3: jpeg is not a format of converters."),
        ("converters:\n  psf: [sh]\n", "headroom.yaml:3: psf is not a format of converters. Did you mean p"),
        ("converters:\n  svg: []\n", "headroom.yaml:3: svg is not valid: expected a program and at most 64 arguments"),
        (
            "converters:\n  svg: [[sh]]\n",
            "headroom.yaml:3: svg is not valid: expected a program and at most 64 arguments"
        ),
        ("converters:\n  svg:\n", "headroom.yaml:3: svg is not valid: expected a program and at most 64 arguments"),
        (
            "converters:\n  svg: [headroom-missing]\n",
            "headroom.yaml:3: the program of svg cannot be used: headroom-missing does not exist in /usr/local/bin, /usr/bin, "
                + "/bin."
        ),
        ("converters:\n  svg: [bin/sh]\n", "the program of svg cannot be used: bin/sh is a relative path"),
        (
            "converters:\n  svg: [sh, '{width}']\n",
            "headroom.yaml:3: the argument {width} of svg is not valid: expected {page} or {time} as placeholders."
        ),
        ("converters:\n  svg:\n    memory: 5\n", "headroom.yaml:3: svg is missing a command"),
        (
            "converters:\n  svg:\n    command: sh\n    memory: 5\n",
            "headroom.yaml:5: memory of svg is not valid: expected a whole number from 16 to 65536, in MiB."
        ),
        (
            "converters:\n  svg:\n    command: sh\n    timeout: 0\n",
            "headroom.yaml:5: timeout of svg is not valid: expected a whole number from 1 to 600, in seconds."
        ),
        (
            "converters:\n  svg:\n    command: sh\n    files: [etc]\n",
            "headroom.yaml:5: files of svg is not valid: expected at most 32 absolute paths."
        ),
        (
            "converters:\n  svg:\n    command: sh\n    timeuot: 5\n",
            "headroom.yaml:5: svg has an unknown entry: did you mean timeout?"
        ),
        (
            "converters:\n  output: sh\n",
            "headroom.yaml:3: output is not valid: expected formats of videos with programs"
        ),
        (
            "converters:\n  output:\n    gif: [sh]\n",
            "headroom.yaml:4: gif is not a format of output of converters. Expected one of mp4, webm."
        ),
        (
            "converters:\n  output:\n    mp3: [sh]\n",
            "headroom.yaml:4: mp3 is not a format of output of converters. Did you mean mp4?"
        ),
        (
            "converters:\n  output:\n    mp4: []\n",
            "headroom.yaml:4: output.mp4 is not valid: expected a program and at most 64 arguments, such as [ffmpeg]."
        ),
        (
            "converters:\n  output:\n    mp4: [sh, '{time}']\n",
            "headroom.yaml:4: the argument {time} of output.mp4 is not valid: expected no placeholders."
        ),
        (
            "converters:\n  output:\n    webm:\n      command: sh\n      timeout: 0\n",
            "headroom.yaml:6: timeout of output.webm is not valid: expected a whole number from 1 to 600, in seconds."
        ),
        ("convertors:\n  svg: [sh]\n", "Unknown setting convertors. Did you mean converters?"),
    ])
    func `an error is reported with its line`(text: String, message: String) async throws {
        let run = try await config(text)
        #expect(run.status == 64 && run.error.contains(message), "\(run.error)")
    }

    @Test(arguments: [
        (
            "HEADROOM_MAX_MEMORY", "300",
            "converters: svg needs 576 MiB (memory plus twice max-output-bytes): expected at most max-memory=300."
        ),
        (
            "HEADROOM_MAX_SOURCE_MEMORY", "50",
            "converters: max-output-bytes of svg is more than half of max-source-memory, 26214400 bytes."
        ),
    ])
    func `the memory of a converter must fit into the budgets`(
        name: String,
        value: String,
        message: String
    ) async throws {
        let run = try await config("converters:\n  svg: [sh]\n", [name: value])
        #expect(run.status == 64 && run.error.contains(message), "\(run.error)")
    }

    @Test func `the memory of a converter of videos must fit into the budgets`() async throws {
        let run = try await config("converters:\n  output:\n    mp4: [sh]\n", ["HEADROOM_MAX_MEMORY": "300"])
        let message = "converters: output.mp4 needs 576 MiB (memory plus twice max-output-bytes)"
        #expect(run.status == 64 && run.error.contains(message), "\(run.error)")
    }

    @Test func `converters are only in the settings file`() async throws {
        let run = try await config("", ["HEADROOM_CONVERTERS": "svg"])
        let message = "HEADROOM_CONVERTERS is not allowed: expected converters in the settings file."
        #expect(run.status == 64 && run.error.contains(message), "\(run.error)")
    }

    @Test func `a change of converters needs a restart`() async throws {
        let folder = try Folder()
        let first = "converter-confinement: partial\nmax-source-memory: 512\nconverters:\n  svg: [sh, a]\n"
        try folder.write(Array(first.utf8), to: "headroom.yaml")
        for (text, others) in [
            (first, "nothing"), (first.replacing("a]", with: "b]"), "converters"),
            (first + "  output:\n    mp4: [sh]\n", "converters"),
            ("converter-confinement: partial\nmax-source-memory: 512\n", "converters"),
        ] {
            try folder.write(Array(text.utf8), to: "new.yaml")
            let run = try await Headroom.run(
                ["config", "--config", "headroom.yaml", "--check", "new.yaml"],
                in: folder
            )
            #expect(run.status == 0 && run.text.contains("a restart changes: \(others)\n"), "\(run.text)\(run.error)")
        }
    }
}
