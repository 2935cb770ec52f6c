import TestPacing
import TestPrograms
import Testing

/// The settings of responses, as the commands read them.
@Suite(.limitedConcurrency) struct ResponseSettingsTests {
    private func config(_ options: [String], _ text: String = "") async throws -> ProgramRun {
        let folder = try Folder()
        try folder.write(Array(text.utf8), to: "file")
        return try await Headroom.run(["config"] + options, in: folder)
    }

    @Test(arguments: [
        (["--cache-control-crops", "60"], "--cache-control-crops=60 is not valid: expected no-store, or max-age"),
        (["--cache-control-errors", "max-age=-1"], "--cache-control-errors=max-age=-1 is not valid"),
        (
            ["--fallback-image-status", "302"],
            "--fallback-image-status=302 is not valid: expected 200, a status from 400"
        ),
        (["--cache-tag-headers", "X-Tags"], "--cache-tag-headers=X-Tags is not valid: expected none, or at most 8"),
        (["--ignored-parameters", "width"], "--ignored-parameters=width is not valid: expected none, or at most 100"),
        (["--ignored-parameters", "expires"], "--ignored-parameters=expires is not valid"),
        (["--response-headers-file", "absent"], "--response-headers-file=absent is not valid: expected a file"),
        (["--default-parameters", "absent"], "--default-parameters=absent is not valid: expected a file"),
    ])
    func `an invalid value is reported with the accepted values`(options: [String], message: String) async throws {
        let run = try await config(options)
        #expect(run.status != 0 && run.error.contains(message), "\(run.error)")
    }

    @Test(arguments: [
        ("Vary: Accept\n", "--response-headers-file=file, line 1: Vary belongs to the service."),
        ("X-A: a\n\nX-B\n", "--response-headers-file=file, line 3: expected a field, such as X-Robots-Tag: noindex."),
    ])
    func `an invalid line of fixed headers is reported`(text: String, message: String) async throws {
        let run = try await config(["--response-headers-file", "file"], text)
        #expect(run.status != 0 && run.error.contains(message), "\(run.error)")
    }

    @Test(arguments: [
        ("", "file is not valid: expected at least one section."),
        ("quality\n", "file is not valid: expected names of sections, each with parameters."),
        ("preset:\n  quality: 5\n", "file:1 is not valid: expected one of all, frame, faces, face, thumbor"),
        ("all:\n", "file:1: all is not valid: expected parameters, such as quality: 70."),
        ("all:\n  quality: 0\n", "file:2: defaults of all: quality=0 is not valid"),
        ("frame:\n  quality: 5\n  url: http://a.example/\n", "file:3: defaults of frame: url is not allowed here."),
        ("faces:\n  quality: 5\n", "file:2: quality is not a parameter of faces."),
    ])
    func `an error in a file of default parameters is reported with its line number`(
        text: String,
        message: String
    ) async throws {
        let run = try await config(["--default-parameters", "file"], text)
        #expect(run.status != 0 && run.error.contains(message), "\(run.error)")
    }

    @Test func `valid settings are listed`() async throws {
        let text = "all:\n  quality: 70\nimgproxy:\n  fallback: top\n"
        let run = try await config(
            [
                "--cache-control-crops", "max-age=60, s-maxage=600", "--cache-tag-headers", "Surrogate-Key,xkey",
                "--ignored-parameters", "utm_*,fbclid", "--default-parameters", "file", "--fallback-image-status",
                "error",
            ],
            text
        )
        #expect(run.status == 0, "\(run.error)")
        for part in [
            "max-age=60, s-maxage=600", "Surrogate-Key,xkey", "utm_*,fbclid", "default-parameters: file",
            "fallback-image-status: error",
        ] {
            #expect(run.text.contains(part), "\(run.text)")
        }
    }
}
