import Foundation
import TestHTTP
import TestPacing
import TestPrograms
import Testing

@Suite("headroom sign", .limitedConcurrency)
struct SignTests {
    private static let key = "an-example-key-0123456789abcdefghij"
    private let environment = ["HEADROOM_SIGNING_KEYS": key]
    private let example = ["/frame", "url=https://example.com/a.jpg", "aspect=1:1", "width=400"]

    private func sign(_ arguments: [String], environment: [String: String]? = nil) async throws -> ProgramRun {
        try await Headroom.run(["sign"] + arguments, in: Folder(), environment: environment ?? self.environment)
    }

    @Test func `parameters are accepted in the path and as arguments, in any order`() async throws {
        let first = try await sign(example)
        #expect(first.status == 0, "\(first.error)")
        let target = "/frame?aspect=1%3A1&url=https%3A%2F%2Fexample.com%2Fa.jpg&width=400&signature="
        #expect(first.text.hasPrefix(target))
        #expect(first.text.dropFirst(target.count).wholeMatch(of: /[0-9a-f]{64}\n/) != nil)
        let address = "https://images.example.com/frame?width=400&url=https://example.com/a.jpg"
        let second = try await sign([address, "aspect=1:1"])
        #expect(second.text == "https://images.example.com\(first.text)")
    }

    @Test func `a prefix of the path is printed and not signed`() async throws {
        let plain = try await sign(example)
        let parameters = Array(example.dropFirst())
        for address in ["/frame", "/a/img/frame"] {
            let run = try await sign([address, "--path-prefix", "/a/img"] + parameters)
            #expect(run.text == "/a/img" + plain.text, "\(run.error)")
        }
        var environment = environment
        environment["HEADROOM_PATH_PREFIX"] = "/img"
        let whole = try await sign(["https://a.example/img/frame"] + parameters, environment: environment)
        #expect(whole.text == "https://a.example/img" + plain.text)
        #expect(try await sign(["/img/frame"] + parameters).status == 64)
    }

    @Test func `the first key signs, from a variable or a file`() async throws {
        let expected = try await sign(example).text
        let other = String(repeating: "x", count: 40)
        let folder = try Folder()
        try folder.write(Array("\(Self.key)\n\(other)\n".utf8), to: "keys")
        let fromFile = try await Headroom.run(["sign"] + example + ["--signing-keys-file", "keys"], in: folder)
        #expect(fromFile.text == expected)
        let variable = ["HEADROOM_SIGNING_KEYS_FILE": "keys"]
        let named = try await Headroom.run(["sign"] + example, in: folder, environment: variable)
        #expect(named.text == expected)
        #expect(
            try await sign(example, environment: ["HEADROOM_SIGNING_KEYS": "\(other),\(Self.key)"]).text != expected
        )
    }

    @Test func `all errors are reported at once`() async throws {
        let run = try await sign(
            [
                "/frame", "aspekt=1", "width=0", "no parameter", "--expires-in=soon", "--max-upload=many",
                "--body=nothing.jpg",
            ]
        )
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(
            Set(run.errorLines) == [
                "Error: Unknown parameter aspekt. Did you mean aspect?",
                "Error: width=0 is not valid: expected a whole number of pixels from 1 to 16384, a percentage, for example 50%, or auto.",
                "Error: no parameter is not valid: expected name=value.",
                "Error: --expires-in=soon is not valid: expected a time such as 90s, 15m, 12h or 30d.",
                "Error: maxUpload requires POST.",
                "Error: --body=nothing.jpg: no such file or directory",
            ]
        )
    }

    @Test(arguments: [
        (["/frame"], "url is missing: expected the URL of an image, or --upload."),
        (["/healthz"], "/healthz is not valid: expected the path /frame, /faces or /faces/N."),
        (["frame"], "frame is not valid: expected the path /frame, /faces or /faces/N."),
        (["https://h"], "https://h is not valid: expected the path /frame, /faces or /faces/N."),
        (["/frame?signature=0", "url=http://h/"], "the URL already has a signature: remove it"),
        (["/frame", "url=ftp://h/"], "url=ftp://h/ is not valid: the scheme must be http or https."),
        (["/frame", "url=http://h/", "url=http://i/"], "url is allowed only once."),
        (["/frame?url=%ff"], "url=%ff is not valid: expected percent-encoded UTF-8."),
    ])
    func `a URL that the service would reject is not signed`(arguments: [String], reason: String) async throws {
        let run = try await sign(arguments)
        #expect(run.status == 64)
        #expect(run.error == "Error: \(reason)\n")
    }

    @Test func `the text to sign is explained`() async throws {
        let run = try await sign(example + ["--explain"])
        #expect(run.status == 0, "\(run.error)")
        let text = "GET /frame?aspect=1%3A1&url=https%3A%2F%2Fexample.com%2Fa.jpg&width=400"
        #expect(run.text.contains("text to sign: \(text)\n"))
        let signed = try await sign(example).text.trimmingCharacters(in: .newlines)
        #expect(run.text.contains("url: \(signed)\n"))
        let valid = try await sign([signed, "--explain"])
        #expect(valid.status == 0 && valid.text.contains("result: valid, made with key 1\n"))
        #expect(!valid.text.contains(Self.key))
    }

    @Test func `the mistake of a signature is explained`() async throws {
        let posted = try await sign(["/frame", "aspect=1:1", "--upload"]).text.trimmingCharacters(in: .newlines)
        let run = try await sign(["--explain", posted])
        #expect(run.status == 1)
        #expect(run.text.contains("result: invalid. The signature was made for POST, but the request is a GET"))
        let prefixed = try await sign(["--explain", "--path-prefix", "/img", "--upload", "/img\(posted)"])
        #expect(prefixed.status == 0, "\(prefixed.text)")
    }

    @Test func `a missing or short key is reported without printing it`() async throws {
        let none = try await sign(example, environment: [:])
        #expect(none.status == 64)
        #expect(none.error == "Error: no signing key: set HEADROOM_SIGNING_KEYS, or give --signing-keys-file\n")
        let short = try await sign(example, environment: ["HEADROOM_SIGNING_KEYS": "\(Self.key) tooshort"])
        #expect(short.status == 64)
        let reason = "HEADROOM_SIGNING_KEYS is not valid: number 2 has 8 characters; expected 32 to 256."
        #expect(short.error == "Error: \(reason)\n")
    }

    @Test func `signed requests are accepted, and all others are rejected`() async throws {
        let folder = try Folder()
        let image = try Image.encoded()
        try folder.write(image, to: "a.jpg")
        let service = try await RunningService(["--port", "0"], environment: environment, in: folder)
        #expect(!service.startLines.contains { $0.contains("everyone") })
        let limits = ["--expires-in", "1h", "--max-upload", "\(image.count)", "--body", "a.jpg"]
        let arguments = ["sign", "/frame", "aspect=1:1", "--upload"] + limits
        let target = try await Headroom.run(arguments, in: folder, environment: environment).text
            .trimmingCharacters(in: .newlines)
        #expect(target.contains("&expires=") && target.contains("&maxUpload=") && target.contains("&digest="))
        for (target, body, status) in [
            (target, image, 200), (target, Array(image.dropLast()), 403), (target, image + [0], 413),
            ("/frame?aspect=1:1", image, 403),
        ] {
            let client = try TestClient(port: service.port)
            try await client.send("POST", target, headers: [("Connection", "close")], body: body)
            #expect(try await client.reply().status == status)
        }
        service.send(signal: SIGTERM)
        while let line = await service.line(containing: "") { #expect(!line.contains(Self.key)) }
    }
}
