import Cryptography
import Encodings
import Fetching
import HTTPServer
import HTTPTypes
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// The caching fields of responses, compared with the rows of docs/contributing/caching-table.md.
@Suite(.limitedConcurrency) struct CachingTableTests {
    /// The origin's paths, by their names in the table.
    private static let names = [
        "PICTURE", "ABSENT", "GONE", "FAILING", "REFUSING", "SILENT", "SHORT", "SECRET", "DOWN", "NAMELESS",
    ]

    private static func responses() throws -> [String: TestOrigin.Response] {
        let image = TestOrigin.Response.file(try Images.singleJPEG.get())
        var short = image
        short.headers[.cacheControl] = "Max-Age=600, x=1"
        var secret = image
        secret.headers[.cacheControl] = "private, no-store"
        return [
            "/picture": image, "/short": short, "/secret": secret,
            "/gone": TestOrigin.Response(status: .gone),
            "/failing": TestOrigin.Response(status: .internalServerError),
            "/refusing": TestOrigin.Response(status: .forbidden),
        ]
    }

    private func address(in target: String, origin: String) -> String? {
        Self.names.first { target.contains("url=\($0)") }.map {
            switch $0 {
            case "SILENT": "\(origin)/silence"
            // A privileged port without a listener.
            case "DOWN": "http://127.0.0.1:1/a.jpg"
            case "NAMELESS": "http://\(UnknownHost.name)/a.jpg"
            default: "\(origin)/\($0.lowercased())"
            }
        }
    }

    /// The target with the actual address, and with a signature if the row requires it.
    private func target(_ row: CachingTable.Row, origin: String) throws -> String {
        guard let address = address(in: row.target, origin: origin) else { return row.target }
        guard let signature = row.conditions.first(where: { $0.hasPrefix("a signature") }) else {
            return Self.names.reduce(row.target) {
                $0.replacing("url=\($1)", with: "url=\(percentEncoded(address))")
            }
        }
        var pairs = [(name: "url", value: address)]
        if let seconds = signature.split(separator: " ").compactMap({ Int($0) }).first {
            pairs.append(("expires", "\(1_000_000 + seconds)"))
        }
        return Credentials.sign("/frame", pairs)
    }

    private func options(_ row: CachingTable.Row) -> TestService.Options {
        var options = TestService.Options()
        if row.target.contains("SILENT") { options.fetchTimeout = .milliseconds(1) }
        if row.conditions.contains(where: { $0.hasPrefix("a signature") }) { options.access = Credentials.signing() }
        if row.conditions.contains("a bearer secret") { options.access = Credentials.bearing() }
        options.caching.followsOrigin = row.conditions.contains("--cache-control origin")
        return options
    }

    private func detector(_ row: CachingTable.Row) -> ScriptedDetector {
        if row.conditions.contains("a broken detector") {
            return ScriptedDetector { _, _ in throw ScriptedDetector.Broken() }
        }
        return row.conditions.contains("no faces") ? ScriptedDetector { _, _ in [] } : ScriptedDetector()
    }

    @Test func `the table is parsed completely`() {
        #expect(CachingTable.rows.count >= 45)
    }

    @Test(arguments: CachingTable.rows) func `each row matches the service`(row: CachingTable.Row) async throws {
        try await TestService.running(detector(row), options(row)) { service in
            try await TestOrigin.running(try Self.responses()) { origin in
                let target = try target(row, origin: origin)
                let body = row.method == "POST" ? try Images.singleJPEG.get() : []
                var headers: [(String, String)] = []
                if row.conditions.contains("a bearer secret") {
                    headers.append(("Authorization", "Bearer \(Credentials.bearer)"))
                }
                for hint in row.conditions where hint.hasPrefix("Save-Data: ") || hint.hasPrefix("Sec-CH-") {
                    let sides = hint.split(separator: ": ").map(String.init)
                    headers.append((sides[0], sides[1]))
                }
                if let condition = row.conditions.first(where: { $0.hasPrefix("If-None-Match: ") }) {
                    var value = String(condition.dropFirst("If-None-Match: ".count))
                    if value.contains("TAG") {
                        let tag = try #require(try await service.request("GET", target, headers: headers)["ETag"])
                        value = value.replacing("TAG", with: tag)
                    }
                    headers.append(("If-None-Match", value))
                }
                let reply = try await service.request(row.method, target, headers: headers, body: body)
                #expect(reply.status == row.status)
                #expect(reply["Cache-Control"] == row.cacheControl)
                #expect(reply["Vary"] == row.vary)
                #expect(reply["ETag"].map { $0.hasPrefix("W/") ? "weak" : "strong" } == row.tag)
                let address = address(in: row.target, origin: origin)
                let digest = Hexadecimal.text(SHA256.digest(of: Array((address ?? "").utf8))).prefix(16)
                let host = row.target.contains("NAMELESS") ? UnknownHost.name : "127.0.0.1"
                #expect(reply["Cache-Tag"] == (row.hasCacheTag ? "source-\(digest),host-\(host)" : nil))
                #expect(reply["Link"] == (row.hasLink ? "<\(address ?? "")>; rel=\"canonical\"" : nil))
                if row.status == 304 {
                    #expect(reply.body.isEmpty)
                    #expect(reply["Server-Timing"] == nil)
                }
            }
        }
    }

    @Test func `the host behind a relative URL is not disclosed`() async throws {
        try await TestOrigin.running(["/a.png": .file(try Images.blankPNG.get())]) { origin in
            var options = TestService.Options()
            options.base = try BaseURL(origin)
            try await TestService.running(ScriptedDetector(), options) { service in
                for (url, status) in [("a.png", 200), ("%2Fa.png", 200), ("b.png", 404)] {
                    let reply = try await service.request("GET", "/frame?width=9&url=\(url)")
                    #expect(reply.status == status)
                    #expect(reply["cache-tag"]?.wholeMatch(of: /source-[0-9a-f]{16}/) != nil)
                    let fields = reply.headers.map { "\($0)" }.joined()
                    #expect(!fields.contains("127.0.0.1") && !reply.text.contains("127.0.0.1"))
                }
                let named = try await service.request("GET", "/frame?width=9&url=\(percentEncoded(origin + "/a.png"))")
                #expect(named["cache-tag"]?.hasSuffix(",host-127.0.0.1") == true)
                let absent = try await service.request("GET", "/frame?width=9&url=\(percentEncoded(origin + "/b.png"))")
                #expect(absent.status == 404 && absent["cache-tag"]?.hasSuffix(",host-127.0.0.1") == true)
            }
        }
    }
}
