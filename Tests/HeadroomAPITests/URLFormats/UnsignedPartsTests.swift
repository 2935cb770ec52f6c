import Addresses
import HTTPTypes
import HeadroomAPI
import TestHTTP
import TestPacing
import TestImages
import Testing

/// Parts of a request that a signature does not cover.
///
/// In a running service, they must reach neither the origin nor the job.
@Suite(.limitedConcurrency) struct UnsignedPartsTests {
    /// The outcome of a request with an unsigned part.
    private enum Effect: Equatable {
        /// The response equals the response to the signed request.
        case none
        /// The request is rejected with this status.
        case status(Int)
    }

    /// A part of a request that is added after signing.
    private enum Part: CaseIterable {
        case query, furtherQuery, clientNumber, fragment, segment

        /// The target with this part added.
        func added(to target: String) -> String {
            let mark = target.contains("?") ? "&" : "?"
            return switch self {
            case .query: "\(target)\(mark)file=secret"
            case .furtherQuery: "\(target)\(mark)url=http%3A%2F%2Fexample.com%2F&w=9&width=9&format=debug"
            case .clientNumber: "\(target)\(mark)_a=B"
            case .fragment: "\(target)#file"
            case .segment: "\(target)/file"
            }
        }
    }

    /// The effect of a part on a URL of a URL format; nil is this service's own signature.
    ///
    /// thumbor and imgproxy do not use queries, so the query of the URL is dropped. imgix signs the whole query.
    /// Cloudinary signs the source's query; only the numbers that Cloudinary's clients add are dropped.
    private static func effect(_ part: Part, on name: URLFormatName?) -> Effect {
        switch (name, part) {
        case (_, .fragment): .status(400)
        case (.thumbor, .segment): .status(400)
        case (.thumbor, _), (.imgproxy, .query), (.imgproxy, .furtherQuery), (.imgproxy, .clientNumber): .none
        case (.cloudinary, .clientNumber): .none
        case (.cloudinary, _): .status(401)
        case (nil, .segment), (.imgproxy, _), (.imgix, _), (nil, _): .status(403)
        // The URLs of the other services are never signed.
        default: .status(401)
        }
    }

    /// Fields that services, proxies or browsers interpret; none affects the job, because the format is fixed.
    private static let headers: [(String, String)] = [
        ("Cookie", "session=secret"), ("Headroom-Quality", "9"), ("Headroom-Url", "http://example.com/"),
        ("Headroom-Decision", "faces"), ("Accept", "image/webp,image/avif"), ("Accept", "application/json"),
        ("Accept", "multipart/mixed"), ("Range", "bytes=0-9"), ("Width", "9"), ("DPR", "3"), ("Viewport-Width", "9"),
        ("Save-Data", "on"), ("X-Forwarded-Host", "example.com"), ("X-Original-URL", "/frame?url=x"),
        ("X-Rewrite-URL", "/frame?url=x"), ("X-HTTP-Method-Override", "POST"), ("Forwarded", "host=example.com"),
        ("Content-Type", "application/json"), ("Referer", "http://example.com/"), ("Authorization", "Basic YTpi"),
    ]

    private func get(
        _ service: TestService,
        _ target: String,
        _ headers: [(String, String)] = []
    ) async throws -> TestClient.Reply {
        let client = try service.client()
        try await client.send("GET", target, headers: headers)
        return try await client.reply()
    }

    /// Runs a service with all keys, and signed targets of one image; the origin must receive requests for this image
    /// only.
    private func running(
        _ body: (TestService, [(name: URLFormatName?, target: String)]) async throws -> Void
    ) async throws {
        let image = try Images.blankPNG.get()
        let origin = TestOrigin { _ in .file(image) }
        try await origin.running { address in
            let url = "\(address)/a.png"
            var options = TestService.Options()
            options.urlFormats = try SignedAddresses.configuration(origin: address)
            options.access = Credentials.bearing(andSigning: true)
            options.caches = CacheConfiguration()
            let rows = SignedAddresses.rows(of: url).map { ($0.name, $0.name.prefix + $0.address) }
            let own = Credentials.sign("/frame", [("url", url), ("width", "60"), ("format", "png")])
            try await TestService.running(ScriptedDetector(), options) { service in
                try await body(service, rows + [(nil, own)])
            }
        }
        for request in origin.requests {
            #expect(request.path == "/a.png" && ["", "x=1"].contains(request.query), "\(request)")
            let names = request.headers.map(\.name.canonicalName)
            let known = ["host", "user-agent", "accept", "accept-encoding", "via", "x-request-id", "traceparent"]
            #expect(Set(names).subtracting(known).isEmpty, "\(names)")
            #expect(request.headers[.accept]?.contains("avif") != true)
        }
    }

    @Test func `parts that are added after signing are rejected or have no effect`() async throws {
        try await running { service, rows in
            for (name, target) in rows {
                let signed = try await get(service, target)
                #expect(signed.status == 200, "\(target) \(signed.text)")
                for part in Part.allCases {
                    let changed = part.added(to: target)
                    let reply = try await get(service, changed)
                    switch Self.effect(part, on: name) {
                    case .none: #expect(reply.status == 200 && reply.body == signed.body, "\(changed)")
                    case .status(let status): #expect(reply.status == status, "\(changed) \(reply.text)")
                    }
                }
            }
        }
    }

    @Test func `headers are not parameters`() async throws {
        try await running { service, rows in
            for (_, target) in rows {
                let signed = try await get(service, target)
                for header in Self.headers {
                    let reply = try await get(service, target, [header])
                    #expect(reply.status == 200 && reply.body == signed.body, "\(header) \(target)")
                }
            }
        }
    }

    @Test func `Cloudflare's URLs have no signatures, so they need a bearer secret`() async throws {
        try await running { service, rows in
            let url = try #require(rows.first?.target.split(separator: "/smart/").last)
            let target = "/cdn-cgi/image/width=60/\(url)"
            #expect(try await get(service, target).status == 401)
            let bearer = ("Authorization", "Bearer \(Credentials.bearer)")
            #expect(try await get(service, target, [bearer]).status == 200)
        }
    }

    @Test func `a change to a signed request is rejected or gets the same response`() async throws {
        try await running { service, rows in
            var generator = SeededGenerator(seed: 41)
            let bytes = Array("!\"$'()*+,-./09:;<=>?@AZ[]^_`az{|}~%&#".utf8)
            for (name, target) in rows where name == nil || name == .imgix || name == .cloudinary {
                let signed = try await get(service, target)
                var refused = 0
                for _ in 0..<(name == nil ? 400 : 30) {
                    var changed = Array(target.utf8)
                    for _ in 0..<Int.random(in: 1...2, using: &generator) {
                        let index = Int.random(in: 1..<changed.count, using: &generator)
                        let byte = bytes.randomElement(using: &generator) ?? 0
                        switch Int.random(in: 0..<3, using: &generator) {
                        case 0: changed[index] = byte
                        case 1: changed.insert(byte, at: index)
                        default: changed.remove(at: index)
                        }
                    }
                    let text = String(decoding: changed, as: UTF8.self)
                    let reply = try await get(service, text)
                    if reply.status == 200, reply.body == signed.body { continue }
                    refused += 1
                    #expect([400, 401, 403, 404, 501].contains(reply.status), "\(target): \(text)")
                }
                #expect(refused > 10, "\(target)")
            }
        }
    }
}
