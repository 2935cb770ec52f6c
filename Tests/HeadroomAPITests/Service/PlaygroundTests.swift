import HTTPTypes
import HeadroomAPI
import Imaging
import Requests
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct PlaygroundTests {
    @Test func `every file has its media type and its content security policy`() async throws {
        try await TestService.running { service in
            for file in PlaygroundFile.paths.map(PlaygroundFile.init) {
                let reply = try await service.request("GET", file.path)
                #expect(reply.status == 200)
                #expect(reply["Content-Type"] == file.mediaType)
                #expect(reply.body == file.bytes && !reply.body.isEmpty)
                let policy = try #require(reply["Content-Security-Policy"])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; "))
                #expect(!policy.contains("unsafe") && !policy.contains("*"))
            }
            #expect(try await service.request("GET", "/playground/other.js").status == 404)
            #expect(try await service.request("POST", "/").status == 405)
        }
    }

    @Test(
        arguments: [(nil, false, true), (nil, true, false), (true, true, true), (false, false, false)]
            as [(Bool?, Bool, Bool)]
    )
    func `the playground exists unless access needs credentials or a setting decides`(
        setting: Bool?,
        hasSecret: Bool,
        isThere: Bool
    ) async throws {
        var options = TestService.Options()
        options.playground = setting
        if hasSecret { options.access.bearerSecrets = Credentials.list(Credentials.bearer) }
        try await TestService.running(ScriptedDetector(), options) { service in
            for path in ["/", "/playground/app.js"] {
                let reply = try await service.request("GET", path)
                #expect(reply.status == (isThere ? 200 : 404))
            }
            let absent = try await service.request("GET", "/nothing")
            #expect(absent.text.contains("(the playground)") == isThere)
        }
    }

    @Test(arguments: ["parameters", "responses", "plan", "problems"])
    func `the pages behind its links are rendered`(name: String) async throws {
        try await TestService.running(ScriptedDetector()) { service in
            let reply = try await service.request("GET", "/playground/\(name).md")
            #expect(reply.status == 200 && reply["Content-Type"] == "text/html; charset=utf-8")
            let text = reply.text
            #expect(text.contains("<h2 id=") && text.contains("<table>") && text.contains("</html>"))
            // No Markdown syntax remains outside code, and every link leads to a page of this service or to a URL.
            let words = text.replacing(/<(code|pre)[^>]*>.*?<\/(code|pre)>/.dotMatchesNewlines(), with: "")
            #expect(!words.contains("](") && !words.contains("**") && !words.contains("| ---"))
            for link in text.matches(of: /href="([^"]+)"/) {
                let target = String(link.output.1)
                let isServed = PlaygroundFile.paths.contains("/playground/\(target.split(separator: "#").first ?? "")")
                #expect(
                    isServed || target.hasPrefix("http") || target.hasPrefix("#") || target.hasPrefix("../"),
                    "\(target)"
                )
            }
        }
    }

    @Test func `every image of a page has a source, and every landmark of a page has a separate name`() throws {
        for path in ["/", "/playground/clip.html", "/playground/plan.md"] {
            let page = String(decoding: PlaygroundFile(path: path).bytes, as: UTF8.self)
            for image in page.matches(of: /<img[^>]*>/) { #expect(image.output.contains("src=\""), "\(path)") }
            let names = page.matches(of: /<(?:section|nav|main|aside|div)[^>]*aria-label="([^"]+)"/).map {
                String($0.output.1)
            }
            #expect(path.hasSuffix(".md") || Set(names).count == names.count, "\(names)")
        }
    }

    @Test func `the page names the public URL of the service`() async throws {
        var options = TestService.Options()
        for (url, field) in [
            (nil, "content=\"\""), ("https://img.example.com/a", "content=\"https://img.example.com/a\""),
        ] {
            options.publicURL = url
            try await TestService.running(ScriptedDetector(), options) { service in
                let page = try await service.request("GET", "/")
                #expect(page.text.contains("<meta name=\"public-url\" \(field)>"))
            }
        }
    }

    /// The files of the clip page.
    private static let clip = PlaygroundFile.paths.filter { $0.hasPrefix("/playground/clip") }

    @Test func `the page loads within a second over a connection with 1 Mbit/s`() {
        let first = PlaygroundFile.paths.subtracting(Self.clip).filter { !$0.hasSuffix(".jpg") && !$0.hasSuffix(".md") }
        #expect(first.map { PlaygroundFile(path: $0).bytes.count }.reduce(0, +) < 100_000)
    }

    @Test func `the page lists all its scripts, so that a browser loads them in parallel`() {
        let page = String(decoding: PlaygroundFile.page.bytes, as: UTF8.self)
        for path in PlaygroundFile.paths.subtracting(Self.clip) where path != "/" {
            #expect(page.contains("\(path.dropFirst())\"") || path.hasSuffix(".jpg"), "\(path)")
        }
    }

    @Test func `the clip page lists its scripts`() {
        let page = String(decoding: PlaygroundFile(path: "/playground/clip.html").bytes, as: UTF8.self)
        for path in Self.clip where !path.hasSuffix(".html") {
            #expect(page.contains("\(path.dropFirst("/playground/".count))\""), "\(path)")
        }
    }

    /// The scripts' own tests do not use the parameters of this code.
    @Test func `the playground has a control for every parameter and an option for every format`() throws {
        let script = String(decoding: PlaygroundFile(path: "/playground/parameters.js").bytes, as: UTF8.self)
        for name in Route.frame.parameters where name != .url {
            #expect(
                script.contains("\"\(name)\", \"") || script.contains("name: \"\(name)\""),
                "\(name)"
            )
        }
        for format in OutputFormat.allCases.map(\.rawValue) { #expect(script.contains("\"\(format)\"")) }
    }
}
