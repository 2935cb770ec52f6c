import Foundation
import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// The presets file, as the commands read it, and its reload.
@Suite(.limitedConcurrency) struct PresetsFileTests {
    private func config(_ text: String, _ options: [String] = []) async throws -> ProgramRun {
        let folder = try Folder()
        try folder.write(Array(text.utf8), to: "presets")
        return try await Headroom.run(["config", "--presets", "presets"] + options, in: folder)
    }

    private static let whole = """
        avatar:
          gravity: largest
          aspect: 1:1
          width: 128
          zoom: 1
          mask: circle
          format: webp
        wide:
          aspect: [16:9, 1:1]
          enlarge: true
          format: json
          cache-control-crops: max-age=60, s-maxage=3600
          cache-control-versioned: [max-age=3600, immutable]

        """

    @Test func `a presets file is accepted`() async throws {
        let run = try await config(Self.whole, ["--only-presets"])
        #expect(run.status == 0, "\(run.error)")
        #expect(run.text.contains("presets: presets") && run.text.contains("only-presets: true"))
    }

    @Test(arguments: [
        ("", "presets is not valid: expected at least one preset."),
        ("avatar\n", "presets is not valid: expected names of presets, each with parameters."),
        ("avatar:\n", "presets:1: avatar is not valid: expected parameters, such as width: 400."),
        ("Avatar:\n  width: 4\n", "presets:1 is not valid: expected a name of at most 40 letters"),
        ("a:\n  width: 0\n", "presets:2: preset a: width=0 is not valid"),
        ("a:\n  aspect: 1:1\n  widht: 3\n", "presets:3: preset a: Unknown parameter widht."),
        ("a:\n  url: http://example.com\n", "presets:2: preset a: url is not allowed here."),
        (
            "default:\n  width: 4\n",
            "presets:1: the name default is not allowed, because presets never apply to requests"
        ),
        (
            "a:\n  width: 4\n  cache-control-crops: 60\n",
            "presets:3: cache-control-crops of a is not valid: expected no-store, or max-age"
        ),
        ("a:\n  width:\n", "presets:2: width of a is missing a value."), ("a: [\n", "expected YAML"),
    ])
    func `an error in a file is reported with its line number`(text: String, message: String) async throws {
        let run = try await config(text)
        #expect(run.status != 0 && run.error.contains(message), "\(run.error)")
    }

    @Test func `--only-presets requires presets and excludes features with free parameters`() async throws {
        let folder = try Folder()
        let alone = try await Headroom.run(["config", "--only-presets"], in: folder)
        #expect(alone.status != 0 && alone.error.contains("only-presets"))
        let urlFormats = try await config(Self.whole, ["--only-presets", "--url-formats", "weserv"])
        #expect(urlFormats.status != 0 && urlFormats.error.contains("only-presets"))
        let html = try await config("a:\n  format: html\n", ["--only-presets"])
        #expect(html.status != 0 && html.error.contains("format=html"))
    }

    @Test func `SIGHUP reloads presets, and a reload cannot remove all of them`() async throws {
        func presets(_ width: Int) -> [UInt8] {
            Array("avatar:\n  aspect: 1:1\n  width: \(width)\n  format: png\n".utf8)
        }
        let folder = try Folder()
        try folder.write(presets(40), to: "presets")
        let service = try await RunningService(["--port", "0", "--presets", "presets", "--only-presets"], in: folder)
        let image = try Image.encoded()
        func width() async throws -> Int {
            let client = try TestClient(port: service.port)
            try await client.send("POST", "/preset/avatar", headers: [("Connection", "close")], body: image)
            return try ImageHeader.size(of: try await client.reply().body).width
        }
        #expect(try await width() == 40)
        try folder.write(presets(50), to: "presets")
        service.send(signal: SIGHUP)
        #expect(await service.line(containing: "changed=presets") != nil)
        #expect(try await width() == 50)
        for text in ["", "avatar:\n  width: 0\n"] {
            try folder.write(Array(text.utf8), to: "presets")
            service.send(signal: SIGHUP)
            #expect(await service.line(containing: "settings not reloaded") != nil)
            #expect(try await width() == 50)
        }
        withExtendedLifetime(service) {}
    }
}
