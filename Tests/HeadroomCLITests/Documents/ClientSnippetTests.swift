import Foundation
import Subprocess
import TestPacing
import TestPrograms
import Testing

/// Runs the client code of docs/signing.md and compares it with the output of `headroom sign` for the same requests.
@Suite("Code for clients", .limitedConcurrency)
struct ClientSnippetTests {
    private static let key = "an-example-key-0123456789abcdefghij"

    /// Requests with all characters that URL encodings treat differently.
    private static let requests: [(method: String, path: String, parameters: [String: String])] = [
        ("GET", "/frame", ["url": "https://example.com/a.jpg", "aspect": "1:1", "width": "400"]),
        (
            "GET", "/frame",
            [
                "url": "https://example.com/café+(1).jpg?a='1'&b=~!*", "aspect": "1:1", "width": "400",
                "expires": "1893456000",
            ]
        ),
        ("GET", "/faces/1", ["url": "http://h/%20%2B/日本/👩‍🚀;,/?:@&=$#[]", "padding": "24px"]),
        ("POST", "/frame", ["aspect": "16:9", "maxUpload": "5000000", "expires": "1893456000"]),
        ("POST", "/faces", ["digest": String(repeating: "0a", count: 32)]),
    ]

    private static func document(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        return try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    /// The only code block in this language in docs/signing.md that computes signatures.
    private static func snippet(_ language: String) throws -> String {
        let blocks = try document("docs/signing.md").components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
            .filter { $0.contains("HEADROOM_SIGNING_KEY") }
        #expect(blocks.count == 1, "\(language)")
        return try #require(blocks.first)
    }

    private static func isInstalled(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    /// The output of `headroom sign` for the requests.
    private func expected() async throws -> [String] {
        var targets: [String] = []
        for (method, path, parameters) in Self.requests {
            let arguments = ["sign", path] + parameters.map { "\($0.key)=\($0.value)" }
            let run = try await Headroom.run(
                arguments + (method == "POST" ? ["--upload"] : []),
                in: Folder(),
                environment: ["HEADROOM_SIGNING_KEYS": Self.key]
            )
            #expect(run.status == 0, "\(run.error)")
            targets.append(run.text.trimmingCharacters(in: .newlines))
        }
        return targets
    }

    /// Runs a program on a file and returns the lines that it prints.
    private func lines(_ program: String, _ file: String, _ text: String, in folder: Folder) async throws -> [String] {
        try folder.write(Array(text.utf8), to: file)
        let run = try await Configuration.program(
            "/usr/bin/env",
            [program, file],
            in: folder.url,
            environment: ["HEADROOM_SIGNING_KEY": Self.key]
        ).run()
        #expect(run.status == 0, "\(run.error)")
        return run.lines
    }

    @Test(arguments: [
        ("python", "python3", "sign.py", "import json\nfor r in json.load(open('requests.json')): print(signed(*r))\n"),
        (
            "javascript", "node", "sign.mjs",
            """
            import { readFileSync } from "node:fs";
            for (const request of JSON.parse(readFileSync("requests.json", "utf8"))) console.log(signed(...request));

            """
        ),
        (
            "php", "php", "sign.php",
            "foreach (json_decode(file_get_contents('requests.json'), true) as $r) echo signed(...$r), \"\\n\";\n"
        ),
    ])
    func `a client library produces the same signatures`(
        language: String,
        program: String,
        file: String,
        rest: String
    ) async throws {
        let snippet = try Self.snippet(language)
        guard Self.isInstalled(program) else { return }
        let folder = try Folder()
        let requests = Self.requests.map { [$0.method, $0.path, $0.parameters] as [Any] }
        try folder.write(Array(JSONSerialization.data(withJSONObject: requests)), to: "requests.json")
        let targets = try await expected()
        #expect(try await lines(program, file, "\(snippet)\n\(rest)", in: folder) == [targets[0]] + targets)
    }

    @Test func `a shell script with openssl produces the same signatures`() async throws {
        let snippet = try Self.snippet("sh")
        guard Self.isInstalled("openssl") else { return }
        let targets = try await expected()
        let calls = zip(Self.requests, targets).map { request, target in
            let query = target.components(separatedBy: "&signature=")[0].components(separatedBy: "?")[1]
            return "signed \(request.method) \(request.path) '\(query)'\n"
        }
        let made = try await lines("sh", "sign.sh", "\(snippet)\n\(calls.joined())", in: Folder())
        #expect(made == [targets[0]] + targets)
    }

    @Test func `the examples in docs/signing.md are correct`() async throws {
        let lines = try Self.document("docs/signing.md").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let targets = try await expected()
        #expect(lines.contains(Self.key))
        for (method, target) in [("GET", targets[1]), ("POST", targets[3])] {
            let sides = target.components(separatedBy: "&signature=")
            let message = try #require(lines.firstIndex(of: "\(method) \(sides[0])"))
            #expect(Array(lines[message...].dropFirst().prefix(2)) == ["and the signature", sides[1]])
        }
    }
}
