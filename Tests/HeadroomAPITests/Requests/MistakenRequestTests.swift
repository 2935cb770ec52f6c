import Addresses
import HeadroomAPI
import Requests
import TestHTTP
import TestPacing
import Testing
import Video

/// Typical mistakes in first requests, and the advice in the response.
@Suite(.limitedConcurrency) struct MistakenRequestTests {
    private static let urlencoded = [("Content-Type", "application/x-www-form-urlencoded")]

    private func form(_ name: String, file: [UInt8]) -> (headers: [(String, String)], body: [UInt8]) {
        let head =
            "--b\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"x.jpg\"\r\n"
            + "Content-Type: image/jpeg\r\n\r\n"
        let body = Array(head.utf8) + file + Array("\r\n--b--\r\n".utf8)
        return ([("Content-Type", "multipart/form-data; boundary=b")], body)
    }

    @Test func `a file in an unknown field is rejected, and the response does not repeat its bytes`() async throws {
        let image = try Images.blankJPEG.get()
        try await TestService.running { service in
            let (headers, body) = form("file", file: image)
            let reply = try await service.request("POST", "/frame", headers: headers, body: body)
            #expect(reply.status == 400)
            let detail = try JSONValue(json: reply.body)["detail"].string
            #expect(detail == "The form contains a file in the field file; send the image in the field image.")
            #expect(reply.body.count < 400)
            let right = form("image", file: image)
            #expect(try await service.request("POST", "/frame", headers: right.headers, body: right.body).status == 200)
        }
    }

    @Test func `an image sent with curl's --data gets a hint at --data-binary`() async throws {
        var image: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        for index in 0..<8192 { image.append(UInt8(14 + index * 7 % 240)) }
        try await TestService.running { service in
            for (headers, body, hasHint) in [
                (Self.urlencoded, image, true),
                ([("Content-Type", "image/jpeg")], image, false),
                (Self.urlencoded, image + [10], false),
                (Self.urlencoded, Array(image.prefix(100)), false),
            ] {
                let reply = try await service.request("POST", "/frame", headers: headers, body: body)
                #expect(reply.text.contains("--data-binary @FILE") == hasHint)
                #expect(hasHint ? reply.status == 400 : [415, 422].contains(reply.status))
            }
        }
    }

    @Test(arguments: ["application/json", "multipart/form-data", "multipart/form-data; boundary=b", "text/html"])
    func `a body that starts like an image is accepted with every type`(type: String) async throws {
        let image = try Images.blankJPEG.get()
        try await TestService.running { service in
            let reply = try await service.request("POST", "/frame", headers: [("Content-Type", type)], body: image)
            #expect(reply.status == 200, "\(reply.text.prefix(300))")
        }
    }

    @Test func `an empty image is reported as empty`() async throws {
        try await TestService.running { service in
            let (headers, body) = form("image", file: [])
            let file = try await service.request("POST", "/frame", headers: headers, body: body)
            #expect(file.status == 400 && file.text.contains("The file in the form field image is empty."))
            for type in ["image/jpeg", "application/octet-stream"] {
                let headers = [("Content-Type", type)]
                let reply = try await service.request("POST", "/frame", headers: headers, body: [])
                #expect(
                    reply.status == 400 && reply.text.contains("The body is empty: expected the bytes of an image.")
                )
            }
        }
    }

    @Test(arguments: [
        (#"{"url": "http://a/", "focus": {"x": 1}}"#, "focus"), (#"{"filter": ["mono", ["blur:2"]]}"#, "filter"),
        (#"{"filter": [{"name": "mono"}]}"#, "filter"),
    ])
    func `the error for a nested object names its member`(body: String, member: String) async throws {
        try await TestService.running { service in
            let headers = [("Content-Type", "application/json")]
            let reply = try await service.request("POST", "/frame", headers: headers, body: Array(body.utf8))
            #expect(reply.status == 400)
            #expect(reply.text.contains("The JSON member \(member) contains an object or a nested list; expected "))
        }
    }

    @Test(arguments: ["{}", #"{"crop":{"x":1}}"#])
    func `a JSON object that an upload client adds next to the file is ignored`(metadata: String) async throws {
        let image = try Images.blankJPEG.get()
        let text = "--b\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\n\(metadata)\r\n"
        let (headers, file) = form("image", file: image)
        try await TestService.running { service in
            let reply = try await service.request("POST", "/frame", headers: headers, body: Array(text.utf8) + file)
            #expect(reply.status == 200, "\(reply.text.prefix(300))")
        }
    }

    @Test func `an image sent with curl's default form type is still accepted`() async throws {
        let image = try Images.blankJPEG.get()
        try await TestService.running { service in
            let reply = try await service.request("POST", "/frame", headers: Self.urlencoded, body: image)
            #expect(reply.status == 200)
        }
    }

    @Test(arguments: [nil, "application/x-www-form-urlencoded", "text/plain;charset=UTF-8"])
    func `a JSON object without its content type gets a hint at the header`(type: String?) async throws {
        let body = Array("{\"url\": \"http://example.com/a.jpg\", \"aspect\": \"1:1\"}".utf8)
        try await TestService.running { service in
            let headers = type.map { [("Content-Type", $0)] } ?? []
            let reply = try await service.request("POST", "/frame", headers: headers, body: body)
            #expect(reply.status == 400)
            #expect(reply.text.contains("send it with Content-Type: application/json."))
            let other = try await service.request("POST", "/frame", headers: headers, body: Array("{no object".utf8))
            #expect(other.status == 415)
        }
    }

    @Test(arguments: [
        ("/thumbor/unsafe/1x1/a.jpg", "thumbor"), ("/imgproxy/_/plain/a.jpg", "imgproxy"),
        ("/cdn-cgi/image/width=1/a.jpg", "cloudflare"),
    ])
    func `the response to a disabled URL format names the option`(path: String, name: String) async throws {
        try await TestService.running { service in
            let reply = try await service.request("GET", path)
            #expect(reply.status == 404)
            #expect(reply.text.contains("URLs of \(name) require --url-formats \(name)."))
            #expect(try await !service.request("GET", "/nothing").text.contains("--url-formats"))
        }
    }

    @Test(arguments: [
        ("/preset/avatar", "Presets require --presets."), ("/preset", "Presets require --presets."),
        ("/stream", "Streams require --max-streams above 0."),
        ("/imgix/a.jpg", "URLs of imgix require --url-formats imgix."),
        ("/imgproxy", "imgproxy URLs start with /imgproxy/ and require --url-formats imgproxy."),
        ("/unsafe/300x200/a.jpg", "thumbor URLs start with /thumbor/ and require --url-formats thumbor."),
        ("/insecure/rs:fit/plain/a", "imgproxy URLs start with /imgproxy/ and require --url-formats imgproxy."),
        ("/", "The playground requires --playground."), ("/purge", "Purges require --purge-secrets-file."),
    ])
    func `a route that is off names its option`(path: String, advice: String) async throws {
        var options = TestService.Options()
        options.presets = PresetSet()
        options.streams.maxStreams = 0
        options.playground = false
        try await TestService.running(ScriptedDetector(), options) { service in
            let reply = try await service.request("GET", path)
            #expect(reply.status == 404)
            #expect(try JSONValue(json: reply.body)["detail"].string?.hasSuffix(" \(advice)") == true, "\(reply.text)")
        }
    }

    @Test(arguments: [("PURGE", 501), ("BAN", 501), ("DELETE", 405)])
    func `the response to a purge names the ways to replace an image`(method: String, status: Int) async throws {
        try await TestService.running { service in
            let reply = try await service.request(method, "/frame?url=http%3A%2F%2Fexample.com%2Fa.jpg")
            #expect(reply.status == status)
            #expect(reply.text.contains("To replace an image, change its URL or the parameter v."))
            #expect(reply.text.contains("POST /purge, which requires --purge-secrets-file."))
        }
    }

    @Test func `the error for a URL with a user name names the option for credentials`() async throws {
        try await TestService.running { service in
            let url = percentEncoded("http://user:password@example.com/a.jpg")
            let reply = try await service.request("GET", "/frame?url=\(url)")
            #expect(reply.status == 400 && reply.text.contains("--fetch-headers-file"))
        }
    }

    @Test func `an expired URL of another service is reported as expired`() async throws {
        var options = TestService.Options()
        options.urlFormats.names = URLFormatName.allCases
        try await TestService.running(ScriptedDetector(), options) { service in
            for (path, status) in [
                ("/imgproxy/_/exp:1/plain/http://127.0.0.1/a.jpg", 404),
                ("/imgix/http%3A%2F%2F127.0.0.1%2Fa.jpg?expires=1", 404),
                ("/thumbor/unsafe/filters:expire(1)/http://127.0.0.1/a.jpg", 410),
            ] {
                let reply = try await service.request("GET", path)
                #expect(reply.status == status)
                let problem = try JSONValue(json: reply.body)
                #expect(problem["title"] == "The URL has expired" && problem["type"] == "urn:headroom:problem:expired")
            }
        }
    }

    @Test func `an unencoded ampersand in url is named, including on other routes and in forms`() async throws {
        let query = "url=http://example.com/p?a=1&b=2&aspect=1:1"
        try await TestService.running { service in
            for path in ["/frame", "/faces/1", "/preset/avatar"] {
                let reply = try await service.request("GET", "\(path)?\(query)")
                #expect(reply.status == 400)
                #expect(reply.text.contains("Unknown parameter b, which belongs to url: write the & before it as %26"))
            }
            let form = try await service.request("POST", "/frame", headers: Self.urlencoded, body: Array(query.utf8))
            #expect(form.status == 400 && form.text.contains("%26"))
            let json = Array(#"{"url": "http://example.com/p?a=1", "b": 2}"#.utf8)
            let object = try await service.request(
                "POST",
                "/frame",
                headers: [("Content-Type", "application/json")],
                body: json
            )
            #expect(
                object.status == 400 && object.text.contains("Unknown parameter b.") && !object.text.contains("%26")
            )
        }
    }

    @Test func `a client on the same host gets advice on how to allow private sources`() async throws {
        let hint = "Sources at private addresses require --allow-private-sources."
        try await TestService.running { service in
            let reply = try await service.request("GET", "/frame?url=http%3A%2F%2F127.0.0.1:1%2Fa.jpg")
            #expect(!reply.text.contains(hint))
        }
        var options = TestService.Options()
        options.allowsPrivateSources = false
        try await TestService.running(ScriptedDetector(), options) { service in
            let target = "/frame?url=http%3A%2F%2F127.0.0.1%2Fa.jpg"
            let reply = try await service.request("GET", target)
            #expect(reply.status == 404 && reply.text.contains(hint))
            for proxy in [("X-Forwarded-For", "203.0.113.1"), ("Forwarded", "for=203.0.113.1")] {
                let forwarded = try await service.request("GET", target, headers: [proxy])
                #expect(forwarded.status == 404 && !forwarded.text.contains(hint))
            }
        }
    }
}
