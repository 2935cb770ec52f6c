import HTTPServer
import HTTPTypes
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// Entity tags and `If-None-Match`.
@Suite(.limitedConcurrency) struct EntityTagTests {
    @Test(
        arguments: [
            ("\"a\"", ["a"]), ("W/\"a\"", ["a"]), ("\"a\", W/\"b\"", ["a", "b"]), (" , \"a\" ,,\"b\"\t, ", ["a", "b"]),
            ("\"\"", [""]), ("\"a,b\", \"c\"", ["a,b", "c"]),
            // Parsing stops at the first syntax error.
            ("\"a\", b, \"c\"", ["a"]), ("\"a\" \"b\"", nil), ("a", nil), ("\"a", nil), ("w/\"a\"", nil),
            ("\"a b\"", nil),
            ("", nil), ("*, \"a\"", nil), ("**", nil),
        ] as [(String, [String]?)]
    )
    func `a list of tags is parsed`(value: String, tags: [String]?) {
        #expect(IfNoneMatch(value) == tags.map(IfNoneMatch.tags))
    }

    @Test func `an asterisk matches any response, and the comparison is weak`() {
        #expect(IfNoneMatch(" * ") == .any)
        #expect(IfNoneMatch("\"a\"")?.matches(EntityTag("a", isWeak: true)) == true)
        #expect(IfNoneMatch("W/\"a\"")?.matches(EntityTag("a")) == true)
        #expect(IfNoneMatch("\"A\"")?.matches(EntityTag("a")) == false)
        #expect(EntityTag("a", isWeak: true).text == "W/\"a\"")
    }

    private func origin() throws -> [String: TestOrigin.Response] {
        [
            "/a": .file(try Images.singleJPEG.get()), "/b": .file(try Images.singleJPEG.get()),
            "/c": .file(try Images.pairJPEG.get()),
        ]
    }

    @Test func `a tag depends on bytes and parameters, and equal tags mean equal images`() async throws {
        try await TestService.running { service in
            try await TestOrigin.running(try origin()) { origin in
                func get(_ target: String, _ accept: String = "*/*") async throws -> TestClient.Reply {
                    let path = target.replacing("URL", with: percentEncoded(origin) + "%2F")
                    return try await service.request("GET", path, headers: [("Accept", accept)])
                }
                let first = try await get("/frame?url=URLa&width=50&aspect=1:1")
                for same in [
                    "/frame?aspect=1:1&width=50&url=URLa", "/frame?url=URLb&width=50&aspect=1%3A1",
                    "/frame?url=URLa&width=50&aspect=1:1&v=2",
                ] {
                    let reply = try await get(same)
                    #expect(reply["ETag"] == first["ETag"], "\(same)")
                    #expect(reply.body == first.body, "\(same)")
                }
                for other in [
                    "/frame?url=URLc&width=50&aspect=1:1", "/frame?url=URLa&width=51&aspect=1:1",
                    "/faces/1?url=URLa&width=50&aspect=1:1", "/frame?url=URLa&width=50&aspect=1:1&format=png",
                ] {
                    #expect(try await get(other)["ETag"] != first["ETag"], "\(other)")
                }
                let webp = try await get("/frame?url=URLa&width=50&aspect=1:1", "image/webp")
                #expect(webp["Content-Type"] == "image/webp")
                #expect(webp["ETag"] != first["ETag"])
            }
        }
    }

    @Test func `a conditional request for a stored tag needs neither decoding nor detection`() async throws {
        let detector = ScriptedDetector()
        try await TestOrigin.running(try origin()) { origin in
            let target = "/frame?url=\(percentEncoded(origin))%2Fa"
            let tag = try await TestService.running(detector) { service in
                try await service.request("GET", target)["ETag"]
            }
            let known = try #require(tag)
            let calls = detector.calls
            // A service with a small pixel limit would reject the image if it read the image's header.
            var options = TestService.Options()
            options.maxPixels = 100
            try await TestService.running(detector, options) { service in
                let reply = try await service.request("GET", target, headers: [("If-None-Match", known)])
                #expect(reply.status == 304)
                // The service must compute the response to determine whether it exists.
                let any = try await service.request("GET", target, headers: [("If-None-Match", "*")])
                #expect(any.status == 422)
            }
            #expect(detector.calls == calls)
        }
    }

    @Test func `without a tag the source's date decides, and a tag has priority`() async throws {
        let date = "Sat, 01 Jan 2022 00:00:00 GMT"
        var dated = TestOrigin.Response.file(try Images.singleJPEG.get())
        dated.headers[.lastModified] = date
        var future = dated
        future.headers[.lastModified] = "Fri, 01 Jan 2100 00:00:00 GMT"
        let undated = TestOrigin.Response.file(try Images.singleJPEG.get())
        let responses = ["/a": dated, "/b": undated, "/c": future]
        try await TestService.running { service in
            try await TestOrigin.running(responses) { origin in
                func status(_ name: String, _ headers: [(String, String)]) async throws -> Int {
                    let target = "/frame?url=\(percentEncoded(origin))%2F\(name)&width=40"
                    return try await service.request("GET", target, headers: headers).status
                }
                let first = try await service.request("GET", "/frame?url=\(percentEncoded(origin))%2Fa&width=40")
                #expect(first["Last-Modified"] == date)
                let tag = try #require(first["ETag"])
                // Once from the stored sources, and once from the index of responses.
                for _ in 0..<2 {
                    #expect(try await status("a", [("If-Modified-Since", date)]) == 304)
                    #expect(try await status("a", [("If-Modified-Since", "Sunday, 02-Jan-22 00:00:00 GMT")]) == 304)
                    #expect(try await status("a", [("If-Modified-Since", "Fri, 31 Dec 2021 23:59:59 GMT")]) == 200)
                    #expect(try await status("a", [("If-Modified-Since", "yesterday")]) == 200)
                    #expect(try await status("a", [("If-Modified-Since", date), ("If-None-Match", "\"b\"")]) == 200)
                    #expect(try await status("a", [("If-Modified-Since", date), ("If-None-Match", "b")]) == 200)
                    let old = [("If-Modified-Since", "Fri, 31 Dec 2021 23:59:59 GMT"), ("If-None-Match", tag)]
                    #expect(try await status("a", old) == 304)
                    for name in ["b", "c"] { #expect(try await status(name, [("If-Modified-Since", date)]) == 200) }
                }
                let undated = try await service.request("GET", "/frame?url=\(percentEncoded(origin))%2Fb&width=40")
                #expect(undated["Last-Modified"] == nil)
            }
        }
    }
}
