import HeadroomAPI
import Requests
import TestHTTP
import TestPacing
import Testing

/// File names, masks and placeholders over HTTP.
@Suite(.limitedConcurrency) struct DownloadTests {
    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    static let names: [(text: String, disposition: String)] = [
        ("portrait", "attachment; filename=\"portrait.jpg\""),
        ("portrait.jpg", "attachment; filename=\"portrait.jpg\""),
        ("a.PNG", "attachment; filename=\"a.jpg\""), ("v1.2", "attachment; filename=\"v1.2.jpg\""),
        ("two words", "attachment; filename=\"two words.jpg\""),
        ("Zoë", "attachment; filename=\"Zo_.jpg\"; filename*=UTF-8''Zo%C3%AB.jpg"),
        ("50%25", "attachment; filename=\"50_25.jpg\"; filename*=UTF-8''50%2525.jpg"),
        ("名前", "attachment; filename=\"__.jpg\"; filename*=UTF-8''%E5%90%8D%E5%89%8D.jpg"),
        ("it's", "attachment; filename=\"it's.jpg\""),
    ]

    @Test(arguments: names)
    func `a name is sent in a header, with the extension of the output format`(
        text: String,
        disposition: String
    ) async throws {
        let query = "/frame?aspect=1:1&format=jpeg&download=" + percentEncoded(text)
        try await TestService.running(ScriptedDetector()) { service in
            let reply = try await service.request("POST", query, body: image)
            #expect(reply.status == 200 && reply["Content-Disposition"] == disposition)
        }
    }

    @Test(arguments: [
        "", ".", "..", ".hidden", "a/b", "a\\b", "a\"b", "a\nb", "a\u{0}", "a:b", "a*", "a?", "a<b", "a|b", " a", "a ",
        "a.",
        "a .jpg", ".jpg", "a\u{202E}gpj", "\u{FEFF}a", "a\u{2028}", String(repeating: "x", count: 61),
    ])
    func `an invalid file name is rejected`(text: String) async throws {
        try await TestService.running(ScriptedDetector()) { service in
            let query = "/frame?download=" + percentEncoded(text)
            let reply = try await service.request("POST", query, body: image)
            #expect(reply.status == 400 && reply.text.contains("download"), "\(reply.text)")
        }
    }

    /// Paths of sources, and the name that `download=true` gives.
    static let sources: [(path: String, disposition: String)] = [
        ("/a/portrait.png", "attachment; filename=\"portrait.jpg\""), ("/team", "attachment; filename=\"team.jpg\""),
        ("/Zo%C3%AB%20M.JPG", "attachment; filename=\"Zo_ M.jpg\"; filename*=UTF-8''Zo%C3%AB%20M.jpg"),
        ("/", "attachment; filename=\"image.jpg\""), ("/.hidden.png", "attachment; filename=\"hidden.jpg\""),
        ("/a%22b%0d%0aX.png", "attachment; filename=\"a_b__X.jpg\""),
        ("/%FF.png", "attachment; filename=\"image.jpg\""),
        ("/a%2Fb.png", "attachment; filename=\"a_b.jpg\""), ("/p.png?name=other.png", "attachment; filename=\"p.jpg\""),
        ("/v1.2.webp", "attachment; filename=\"v1.2.jpg\""), ("/true", "attachment; filename=\"true.jpg\""),
    ]

    @Test func `true uses the name of the source, and false sets no name`() async throws {
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(ScriptedDetector()) { [image] service in
            try await origin.running { address in
                for (path, disposition) in Self.sources {
                    let url = percentEncoded(address + path)
                    let reply = try await service.request("GET", "/frame?format=jpeg&download=true&url=\(url)")
                    #expect(reply.status == 200 && reply["Content-Disposition"] == disposition, "\(path)")
                    let plain = try await service.request("GET", "/frame?format=jpeg&download=No&url=\(url)")
                    #expect(plain.status == 200 && plain["Content-Disposition"] == nil)
                }
            }
            for (name, disposition) in [
                ("; filename=\"me.png\"", "attachment; filename=\"me.jpg\""),
                ("", "attachment; filename=\"image.jpg\""),
            ] {
                let start = "--b\r\nContent-Disposition: form-data; name=\"image\"\(name)\r\n\r\n"
                let body = Array(start.utf8) + image + Array("\r\n--b--\r\n".utf8)
                let type = [("Content-Type", "multipart/form-data; boundary=b")]
                let reply = try await service.request(
                    "POST",
                    "/frame?format=jpeg&download=Yes",
                    headers: type,
                    body: body
                )
                #expect(reply["Content-Disposition"] == disposition)
            }
        }
    }

    @Test func `the name matches the response's format and is not part of the entity tag`() async throws {
        let origin = TestOrigin { [image] _ in .file(image) }
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                let url = "&url=" + percentEncoded(address + "/a.jpg")
                for (query, name) in [
                    ("/frame?format=webp", "x.webp"), ("/frame?format=json", "x.json"),
                    ("/frame?format=html", "x.html"),
                    ("/faces?format=zip", "x.zip"), ("/faces", "x.json"), ("/faces/1?format=png", "x.png"),
                    ("/frame?format=debug", "x.jpg"), ("/frame?format=focus", "x.json"),
                ] {
                    let target = query + (query.contains("?") ? "&" : "?") + "download=x" + url
                    for _ in 0..<3 {
                        let reply = try await service.request("GET", target)
                        #expect(
                            reply["Content-Disposition"] == "attachment; filename=\"\(name)\"",
                            "\(query): \(reply.text)"
                        )
                    }
                }
                let plain = try await service.request("GET", "/frame?format=webp" + url)
                let named = try await service.request("GET", "/frame?format=webp&download=y" + url)
                #expect(plain["ETag"] == named["ETag"] && plain["Content-Disposition"] == nil)
                #expect(named["Cache-Status"] == "headroom; hit" && named["Content-Disposition"] != nil)
                let parts = try await service.request("GET", "/faces?format=multipart&download=x" + url)
                #expect(parts.status == 400)
            }
        }
    }

    @Test(arguments: [
        ("mask=circle&format=png", 200), ("mask=rounded:0.2&format=webp", 200), ("mask=rounded:8px", 200),
        ("mask=circle&format=jpeg", 400), ("mask=circle&format=jpeg&background=fff", 200), ("mask=oval", 400),
        ("mask=rounded", 400), ("mask=rounded:0.6", 400), ("mask=rounded:-1", 400),
        ("mask=circle&losslessCrop=true", 400),
        ("placeholder=thumbhash&format=json", 200), ("placeholder=blurhash&format=html&aspect=1:1", 200),
        ("placeholder=thumbhash", 200), ("placeholder=thumbhash&format=png", 400),
        ("placeholder=none&format=json", 400),
        ("placeholder=thumbhash&format=json&redact=blur", 400), ("aspect=faces", 200), ("aspect=faces&width=40", 200),
        ("aspect=faces&width=40&height=40", 400), ("aspect=faces,1:1", 400), ("aspect=faces&zoom=1", 400),
        ("aspect=faces&place=left", 400), ("aspect=faces&gravity=center", 400), ("aspect=faces&fit=pad", 400),
        ("focus=0,0,0.2,0.2,-1&aspect=1:1", 200), ("focus=0,0,0.2,0.2,-1&gravity=attention&aspect=1:1", 200),
        ("focus=0,0,0.2,0.2,-1&gravity=top", 400), ("focus=0,0,0.2,0.2,1&gravity=attention", 400),
        ("place=0.3,0.4&aspect=1:1", 200), ("place=keep&aspect=1:1", 200), ("place=2,2", 400),
        ("fallback=point:0.2,0.3&aspect=1:1", 200), ("gravity=centermost&aspect=1:1", 200),
    ])
    func `parameters are accepted or rejected`(query: String, status: Int) async throws {
        try await TestService.running(ScriptedDetector()) { service in
            let reply = try await service.request("POST", "/frame?" + query, body: image)
            #expect(reply.status == status, "\(reply.text)")
        }
    }

    @Test func `a plan contains placeholders, and HTML contains their colour`() async throws {
        try await TestService.running(ScriptedDetector()) { service in
            for kind in ["thumbhash", "blurhash"] {
                let target = "/frame?aspect=1:1,3:2&format=json&placeholder=\(kind)"
                let reply = try await service.request("POST", target, body: image)
                let crops = try JSONValue(json: reply.body)["crops"]
                for index in 0..<2 {
                    let placeholder = crops[index]["placeholder"]
                    #expect(placeholder[kind].string?.isEmpty == false)
                    #expect(placeholder["color"].string?.count == 7)
                }
            }
            let origin = TestOrigin { [image] _ in .file(image) }
            try await origin.running { address in
                let target =
                    "/frame?aspect=1:1&format=html&placeholder=thumbhash&download=a&url="
                    + percentEncoded(address + "/a.jpg")
                let html = try await service.request("GET", target).text
                #expect(html.contains("; background: #") && !html.contains("placeholder="))
            }
        }
    }
}
