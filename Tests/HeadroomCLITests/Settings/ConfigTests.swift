import Foundation
import Requests
import TestPacing
import TestPrograms
import Testing

@Suite("Settings and their sources", .limitedConcurrency)
struct ConfigTests {
    private static let secret = "0123456789abcdefghijklmnopqrstuvwxyz"

    /// The settings for secrets, which have no option.
    private static let secretNames: Set<String> = [
        "signing-keys", "bearer-secrets", "purge-secrets", "thumbor-key", "imgproxy-key", "imgproxy-salt",
        "imgix-token", "cloudinary-secret", "source-encryption-keys", "imgproxy-encryption-key",
    ]

    /// The value and origin of every setting that `headroom config` prints.
    private func listing(
        _ arguments: [String] = [],
        in folder: Folder,
        environment: [String: String] = [:]
    ) async throws -> [String: (value: String, source: String)] {
        let run = try await Headroom.run(["config"] + arguments, in: folder, environment: environment)
        #expect(run.status == 0, "\(run.error)")
        var settings: [String: (value: String, source: String)] = [:]
        for line in run.lines {
            let parts = try #require(line.wholeMatch(of: /(?:# )?([a-z0-9-]+):(.*) # (.*)/), "\(line)")
            settings[String(parts.1)] = (parts.2.trimmingCharacters(in: .whitespaces), String(parts.3))
        }
        return settings
    }

    @Test func `options have priority over the environment, and the environment has priority over the file`()
        async throws
    {
        let folder = try Folder()
        let text = "# Ours\nport: 1001\nmax-pixels: 1001\nqueue: 1001\nunix-socket:\nallow-hosts: [a.com, '*.b.com']\n"
        try folder.write(Array(text.utf8), to: "headroom.yaml")
        let settings = try await listing(
            ["--port", "1003", "--no-allow-private-sources"],
            in: folder,
            environment: [
                "HEADROOM_CONFIG": "headroom.yaml", "HEADROOM_PORT": "1002", "HEADROOM_MAX_PIXELS": "1002",
                "HEADROOM_QUEUE": "", "HEADROOM_ALLOW_PRIVATE_SOURCES": "true",
            ]
        )
        for (name, value, source) in [
            ("port", "1003", "--port"), ("max-pixels", "1002", "HEADROOM_MAX_PIXELS"),
            ("queue", "1001", "headroom.yaml:4"), ("allow-hosts", "a.com,*.b.com", "headroom.yaml:6"),
            ("allow-private-sources", "false", "--allow-private-sources"), ("host", "127.0.0.1", "default"),
            ("unix-socket", "", "default"),
        ] {
            #expect(settings[name]?.value == value, "\(name)")
            #expect(settings[name]?.source == source, "\(name)")
        }
    }

    /// Options, variables and settings files with the old name of a setting, and the printed origin.
    static let oldNames:
        [(arguments: [String], variables: [String: String], file: String, source: String, use: String)] = [
            (["--grammars", "weserv"], [:], "", "--grammars", "--url-formats"),
            ([], ["HEADROOM_GRAMMARS": "weserv"], "", "HEADROOM_GRAMMARS", "HEADROOM_URL_FORMATS"),
            ([], [:], "grammars: weserv\n", "headroom.yaml:1", "url-formats"),
        ]

    @Test(arguments: oldNames)
    func `the old name of a setting works, and is reported`(
        arguments: [String],
        variables: [String: String],
        file: String,
        source: String,
        use: String
    ) async throws {
        let folder = try Folder()
        try folder.write(Array("# Ours\n".utf8), to: "headroom.yaml")
        if !file.isEmpty { try folder.write(Array(file.utf8), to: "headroom.yaml") }
        let call = ["config", "--config", "headroom.yaml"] + arguments
        let run = try await Headroom.run(call, in: folder, environment: variables)
        let name = file.isEmpty ? source : "\(source): grammars"
        #expect(run.status == 0 && run.error == "Warning: \(name) is deprecated; use \(use)\n", "\(run.error)")
        let line = try #require(run.lines.first { $0.hasPrefix("url-formats:") })
        #expect(line.contains("weserv") && line.hasSuffix("# \(source), deprecated; use \(use)"), "\(line)")
    }

    @Test func `every setting has its old name, and both names at one origin are rejected`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "a.jpg")
        let values = ["url-formats": "weserv", "fallback-image": "a.jpg"]
        #expect(Set(values.keys) == Set(DeprecatedName.settings.map(\.new)))
        for name in DeprecatedName.settings {
            let value = try #require(values[name.new])
            for spelling in [name.old, name.new] {
                #expect(try await listing(["--\(spelling)", value], in: folder)[name.new]?.value == value)
            }
            let both = try await Headroom.run(["config", "--\(name.old)", value, "--\(name.new)", value], in: folder)
            #expect(both.status == 64)
            let error = "Error: --\(name.old) is not allowed with --\(name.new), which is its new name.\n"
            #expect(both.error.contains(error), "\(both.error)")
            // Options have priority over the environment, by either name.
            let variable = "HEADROOM_\(name.new.uppercased().replacing("-", with: "_"))"
            let run = try await listing(["--\(name.old)", value], in: folder, environment: [variable: "?"])
            #expect(run[name.new]?.source.hasPrefix("--\(name.old), ") == true)
        }
    }

    @Test func `the old names in presets are warnings`() async throws {
        let folder = try Folder()
        try folder.write(Array("shop:\n  mark: halo\n  motion: still\n".utf8), to: "presets.yaml")
        let run = try await Headroom.run(["config", "--presets", "presets.yaml"], in: folder)
        #expect(
            run.status == 0
                && run.errorLines == [
                    "Warning: presets.yaml: preset shop: mark is deprecated; use watermark",
                    "Warning: presets.yaml: preset shop: motion=still is deprecated; use motion=fixed",
                ],
            "\(run.error)"
        )
    }

    @Test func `unknown variables cause warnings`() async throws {
        let environment = [
            "HEADROOM_MAX_PIXLES": "3", "HEADROOM_XYZZYXYZZYX": "1", "HEADROOM_MAX_PIXELS": "1000",
            "HEADROOM_SIGNING_KEYS": Self.secret,
            // Kubernetes sets this variable for a Service named headroom.
            "HEADROOM_SERVICE_HOST": "10.0.0.1", "HEADROOM_SERVICE_PORT_HTTP": "8080",
            "HEADROOM_PORT_8080_TCP_ADDR": "10.0.0.1",
        ]
        let run = try await Headroom.run(["config"], in: Folder(), environment: environment)
        #expect(run.status == 0)
        #expect(
            run.errorLines == [
                "Warning: the variable HEADROOM_MAX_PIXLES is not a setting: did you mean HEADROOM_MAX_PIXELS?",
                "Warning: the variable HEADROOM_XYZZYXYZZYX is not a setting: headroom config lists all settings",
            ]
        )
    }

    @Test func `the printed settings are a valid settings file with the same settings`() async throws {
        let folder = try Folder()
        let arguments = [
            "--max-pixels", "1234", "--unix-socket", "a # b: 'c'", "--cors-origins", "*", "--drain-timeout", "0.5",
        ]
        let first = try await Headroom.run(["config"] + arguments, in: folder)
        try folder.write(first.output, to: "headroom.yaml")
        let second = try await listing(["--config", "headroom.yaml"], in: folder)
        #expect(second["max-pixels"]?.value == "1234")
        #expect(second["unix-socket"]?.value == "'a # b: ''c'''")
        #expect(second["cors-origins"]?.value.contains("*") == true)
        #expect(second["drain-timeout"]?.value == "0.5")
        #expect(second.count == first.lines.count)
    }

    @Test(arguments: ["environment", "settings file", "file of its own"])
    func `a secret is never printed`(place: String) async throws {
        let folder = try Folder()
        try folder.write(Array("\(Self.secret)\n".utf8), to: "keys")
        try folder.write(Array("signing-keys:\n  - \(Self.secret)\n".utf8), to: "headroom.yaml")
        let (arguments, environment, source): ([String], [String: String], String) =
            switch place {
            case "environment": ([], ["HEADROOM_SIGNING_KEYS": Self.secret], "HEADROOM_SIGNING_KEYS")
            case "settings file": (["--config", "headroom.yaml"], [:], "headroom.yaml:1")
            default: (["--signing-keys-file", "keys"], [:], "keys")
            }
        let run = try await Headroom.run(["config"] + arguments, in: folder, environment: environment)
        let settings = try await listing(arguments, in: folder, environment: environment)
        #expect(settings["signing-keys"]?.value == "(set, hidden)")
        #expect(settings["signing-keys"]?.source == source)
        #expect(!run.text.contains(Self.secret))
    }

    @Test func `every setting can be in a file, and all errors are reported at once`() async throws {
        let folder = try Folder()
        let nonsense = String(repeating: "?", count: 200)
        let names = try await listing(in: folder).keys.filter { !Self.secretNames.contains($0) }
        // Any text is a valid host, and a file of secrets is not read if the secrets are set directly.
        let inFile = names.filter { !["host", "port", "queue", "bearer-secrets-file"].contains($0) }.sorted()
        let lines =
            inFile.map { "\($0): '\(nonsense)'" } + ["port: {a: 1}", "max-pixles: 1", "signing-key: \(Self.secret)"]
        try folder.write(Array(lines.joined(separator: "\n").utf8), to: "headroom.yaml")
        let run = try await Headroom.run(
            ["serve", "--config", "headroom.yaml", "--queue", "many"],
            in: folder,
            environment: ["HEADROOM_BEARER_SECRETS": "short"]
        )
        #expect(run.status == 64)
        for (index, name) in inFile.enumerated() {
            // A value that may contain a password is not repeated.
            let said = ["redis", "fetch-proxy"].contains(name) ? "" : "=\(nonsense)"
            let sentence = "Error: headroom.yaml:\(index + 1): \(name)\(said) is not valid: expected "
            #expect(run.errorLines.contains { $0.hasPrefix(sentence) }, "\(name)")
        }
        let count = inFile.count
        for sentence in [
            "headroom.yaml:\(count + 1): port is not valid: expected a value, or a list of values.",
            "headroom.yaml:\(count + 2): Unknown setting max-pixles. Did you mean max-pixels?",
            "headroom.yaml:\(count + 3): Unknown setting signing-key. Did you mean signing-keys?",
            "--queue=many is not valid: expected a whole number from 0 to 100000.",
            "HEADROOM_BEARER_SECRETS is not valid: number 1 has 5 characters; expected 32 to 256.",
        ] {
            #expect(run.errorLines.contains("Error: \(sentence)"), "\(sentence)")
        }
        #expect(run.errorLines.count == count + 5)
        #expect(!run.error.contains(Self.secret))
    }

    @Test(arguments: [
        ("port: 1\nport: 2", "headroom.yaml:1 is not valid: expected every setting once; port."),
        ("- port", "headroom.yaml is not valid: expected lines such as max-pixels: 1000000."),
        ("a: [", "headroom.yaml:2 is not valid: expected YAML; "),
        (String(repeating: "#", count: 65_537), "--config=headroom.yaml is not valid: expected at most 65536 bytes."),
        ("signing-keys: short", "headroom.yaml:1: signing-keys is not valid: number 1 has 5 characters; "),
    ])
    func `an invalid file is reported`(text: String, expected: String) async throws {
        let folder = try Folder()
        try folder.write(Array(text.utf8), to: "headroom.yaml")
        let run = try await Headroom.run(["config", "--config", "headroom.yaml"], in: folder)
        #expect(run.status == 64)
        #expect(run.errorLines.count == 1)
        #expect(run.error.hasPrefix("Error: \(expected)"), "\(run.error)")
    }

    @Test func `an empty file has no effect, and a missing file is reported`() async throws {
        let folder = try Folder()
        try folder.write(Array("# nothing yet\n".utf8), to: "headroom.yaml")
        #expect(try await listing(["--config", "headroom.yaml"], in: folder)["port"]?.source == "default")
        let run = try await Headroom.run(["serve"], in: folder, environment: ["HEADROOM_CONFIG": "none.yaml"])
        #expect(run.status == 64)
        #expect(
            run.error
                == "Error: HEADROOM_CONFIG=none.yaml is not valid: expected a file that can be read; none.yaml: no such file "
                + "or directory.\n"
        )
    }

    @Test func `the table in docs/configuration.md lists every setting with its default`() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = try String(contentsOf: root.appending(path: "docs/configuration.md"), encoding: .utf8)
        var table: [String: (variable: String, standard: String)] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("| `--") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
            }
            table[String(cells[1].dropFirst(2))] = (cells[2], cells[3])
        }
        let settings = try await listing(in: Folder()).filter { !Self.secretNames.contains($0.key) }
        #expect(Set(table.keys) == Set(settings.keys).union(["config"]))
        for (name, setting) in settings {
            let row = table[name]
            #expect(row?.variable == "HEADROOM_" + name.uppercased().replacing("-", with: "_"))
            let words = setting.source.hasPrefix("default: ") ? String(setting.source.dropFirst(9)) : setting.value
            #expect(row?.standard == (words == "none" ? "" : words), "\(name)")
        }
    }

    @Test(
        arguments: [
            (["PORT": "9123"], [], "", ("'::'", "PORT"), ("9123", "PORT")),
            (["PORT": "9123", "HEADROOM_HOST": "10.0.0.1"], [], "", ("10.0.0.1", "HEADROOM_HOST"), ("9123", "PORT")),
            (["PORT": "9123"], ["--host", "127.0.0.1"], "", ("127.0.0.1", "--host"), ("9123", "PORT")),
            (["PORT": "9123", "HEADROOM_PORT": "81"], [], "", ("127.0.0.1", "default"), ("81", "HEADROOM_PORT")),
            (["PORT": "9123"], ["--port", "82"], "", ("127.0.0.1", "default"), ("82", "--port")),
            (["PORT": "9123"], [], "port: 83\n", ("127.0.0.1", "default"), ("83", "headroom.yaml:1")),
            (["PORT": ""], [], "", ("127.0.0.1", "default"), ("8080", "default")),
        ] as [([String: String], [String], String, (String, String), (String, String))]
    )
    func `PORT is used if no port is set, and then the default host is all addresses`(
        environment: [String: String],
        arguments: [String],
        file: String,
        host: (String, String),
        port: (String, String)
    ) async throws {
        let folder = try Folder()
        try folder.write(Array("# Ours\n".utf8), to: "empty.yaml")
        try folder.write(Array(file.utf8), to: "headroom.yaml")
        let listing = try await listing(
            ["--config", file.isEmpty ? "empty.yaml" : "headroom.yaml"] + arguments,
            in: folder,
            environment: environment
        )
        #expect(listing["host"].map { ($0.value, $0.source) }.map { $0 == host } == true)
        #expect(listing["port"].map { ($0.value, $0.source) }.map { $0 == port } == true)
    }

    @Test(arguments: ["http", "70000", "-1", " 80", "tcp://10.0.0.1:8080"])
    func `an invalid PORT is reported`(text: String) async throws {
        let run = try await Headroom.run(["serve"], in: Folder(), environment: ["PORT": text])
        #expect(run.status == 64)
        #expect(run.errorLines == ["Error: PORT=\(text) is not valid: expected a whole number from 0 to 65535."])
    }

    @Test func `headroom health finds a service that listens on all addresses at PORT`() async throws {
        let folder = try Folder()
        let service = try await RunningService(["--host", "::", "--port", "0", "--isolation", "thread"], in: folder)
        let run = try await Headroom.run(["health"], in: folder, environment: ["PORT": "\(service.port)"])
        #expect(run.status == 0, "\(run.error)")
        withExtendedLifetime(service) {}
    }

    @Test func `headroom health reads the port from the same file`() async throws {
        let folder = try Folder()
        let service = try await RunningService(["--port", "0", "--isolation", "thread"], in: folder)
        try folder.write(Array("port: \(service.port)\nworkers: 1\n".utf8), to: "headroom.yaml")
        let run = try await Headroom.run(["health", "--config", "headroom.yaml"], in: folder)
        #expect(run.status == 0, "\(run.error)")
        withExtendedLifetime(service) {}
    }
}
