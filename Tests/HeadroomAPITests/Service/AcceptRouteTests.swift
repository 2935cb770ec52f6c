import TestHTTP
import TestPacing
import Testing

/// The response that `Accept` selects on image routes.
@Suite(.limitedConcurrency) struct AcceptRouteTests {
    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    /// Values that clients send, and whether they get JSON.
    private static let table: [(accept: String?, isJSON: Bool)] = [
        (nil, false), ("*/*", false),
        // axios, jQuery, and clients that request JSON.
        ("application/json, text/plain, */*", false), ("application/json, text/javascript, */*; q=0.01", true),
        ("application/json", true), ("application/json, */*;q=0.5", true), ("application/json, */*", false),
        // Browsers: an image in a page, and a page.
        ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", false),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", false),
        ("text/html", false), ("image/avif, image/webp", false),
    ]

    @Test func `the response is an image unless JSON has a higher weight`() async throws {
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(ScriptedDetector()) { service in
            try await origin.running { address in
                let url = "url=" + percentEncoded(address + "/a.jpg")
                for (accept, isJSON) in Self.table {
                    let headers = accept.map { [("Accept", $0)] } ?? []
                    for path in ["/frame", "/faces/1", "/preset/avatar"] {
                        let fetched = try await service.request("GET", "\(path)?\(url)", headers: headers)
                        let sent = try await service.request("POST", path, headers: headers, body: image)
                        for reply in [fetched, sent] {
                            let type = reply["Content-Type"] ?? ""
                            #expect(reply.status == 200 && reply["Vary"] == "Accept")
                            #expect(
                                isJSON ? type == "application/json" : type.hasPrefix("image/"),
                                "\(path) \(accept ?? "")"
                            )
                        }
                    }
                }
            }
        }
    }

    @Test func `format takes effect regardless of Accept`() async throws {
        try await TestService.running(ScriptedDetector()) { service in
            for (accept, _) in Self.table {
                let headers = accept.map { [("Accept", $0)] } ?? []
                for path in ["/frame", "/faces/1", "/preset/avatar"] {
                    let plan = try await service.request(
                        "POST",
                        "\(path)?format=json",
                        headers: headers,
                        body: self.image
                    )
                    #expect(plan["Content-Type"] == "application/json" && plan["Vary"] == nil)
                    let image = try await service.request(
                        "POST",
                        "\(path)?format=jpeg",
                        headers: headers,
                        body: self.image
                    )
                    #expect(image["Content-Type"] == "image/jpeg" && image["Vary"] == nil)
                }
            }
        }
    }
}
