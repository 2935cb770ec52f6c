import Encodings
import Fetching
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// Images as text: Base64 and `data:` URLs in JSON and forms; other text instead of an image.
@Suite(.limitedConcurrency) struct ImageTextTests {
    private static let json = [("Content-Type", "application/json")]
    private static let urlencoded = [("Content-Type", "application/x-www-form-urlencoded")]
    private static let multipart = [("Content-Type", "multipart/form-data; boundary=b")]

    private let image: [UInt8]
    private let text: String

    init() throws {
        image = try Images.blankPNG.get()
        text = Base64.text(image, isStandard: true)
    }

    /// A text with line breaks after every 76 characters.
    private func wrapped(_ separator: String) -> String {
        var lines: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(76)))
            rest = rest.dropFirst(76)
        }
        return lines.joined(separator: separator)
    }

    private func form(_ content: String, fileName: String? = nil) -> [UInt8] {
        let file = fileName.map { "; filename=\"\($0)\"" } ?? ""
        let head = "--b\r\nContent-Disposition: form-data; name=\"image\"\(file)\r\n\r\n"
        return Array(
            "\(head)\(content)\r\n--b\r\nContent-Disposition: form-data; name=\"width\"\r\n\r\n20\r\n--b--\r\n".utf8
        )
    }

    @Test func `Base64 and data URLs are images in JSON and in forms`() async throws {
        let unpadded = String(text.prefix { $0 != "=" })
        let forURLs = Base64.text(image)
        let url = "data:image/png;base64,\(text)"
        let escaped = text.map { $0 == "/" ? "\\/" : $0 == "+" ? "\\u002B" : String($0) }.joined()
        let percent = percentEncoded(text)
        let bodies: [(name: String, headers: [(String, String)], body: [UInt8])] = [
            ("JSON", Self.json, Array(#"{"image":"\#(text)","width":20}"#.utf8)),
            (
                "JSON, later", Self.json,
                Array(#"{ "width" : 20 , "filter" : ["mono", "blur:1"], "image" : "\#(text)" }"#.utf8)
            ),
            ("JSON without padding", Self.json, Array(#"{"image":"\#(unpadded)"}"#.utf8)),
            ("JSON in the alphabet of URLs", Self.json, Array(#"{"image":"\#(forURLs)"}"#.utf8)),
            ("JSON with line breaks", Self.json, Array(#"{"image":"\#(wrapped("\\n"))"}"#.utf8)),
            ("JSON with CRLF", Self.json, Array(#"{"image":"\#(wrapped("\\r\\n"))\n"}"#.utf8)),
            ("JSON with escapes", Self.json, Array(#"{"image":"\#(escaped)"}"#.utf8)),
            ("JSON with an escaped name", Self.json, Array(#"{"im\u0061ge":"\#(text)"}"#.utf8)),
            ("data: URL", Self.json, Array(#"{"image":"\#(url)"}"#.utf8)),
            ("data: URL of PHP", Self.json, Array(#"{"image":"data:image\/png;base64,\#(escaped)"}"#.utf8)),
            (
                "data: URL with a parameter", Self.json,
                Array(#"{"image":"DATA:image/png;name=a.png;base64,\#(text)"}"#.utf8)
            ),
            ("data: URL without a type", Self.json, Array(#"{"image":"data:;base64,\#(text)"}"#.utf8)),
            ("encoded data: URL", Self.json, Array(#"{"image":"data:image/png;base64,\#(percent)"}"#.utf8)),
            ("multipart", Self.multipart, form(text)),
            ("multipart with a name", Self.multipart, form(text, fileName: "blob")),
            ("multipart with line breaks", Self.multipart, form(wrapped("\r\n"))),
            ("multipart with a data: URL", Self.multipart, form(url)),
            ("encoded form", Self.urlencoded, Array("width=20&image=\(percent)".utf8)),
            ("encoded form with raw digits", Self.urlencoded, Array("image=\(text)&width=20".utf8)),
            ("encoded form with line breaks", Self.urlencoded, Array("image=\(wrapped("\n"))\n".utf8)),
            ("encoded form with a data: URL", Self.urlencoded, Array("image=\(percentEncoded(url))".utf8)),
        ]
        try await TestService.running { service in
            for (name, headers, body) in bodies {
                let reply = try await service.request("POST", "/frame?format=png", headers: headers, body: body)
                #expect(reply.status == 200, "\(name): \(reply.text.prefix(300))")
                #expect(reply["Content-Type"] == "image/png", "\(name)")
            }
            let plan = try await service.request("POST", "/faces", headers: Self.json, body: bodies[0].body)
            #expect(plan.status == 400 && plan.text.contains("width"))
        }
    }

    @Test func `an image sent as text gives the same output as the file`() async throws {
        try await TestService.running { service in
            let file = try await service.request("POST", "/frame?width=30&format=png", body: image)
            let body = Array(#"{"image":"\#(text)"}"#.utf8)
            let asText = try await service.request("POST", "/frame?width=30&format=png", headers: Self.json, body: body)
            #expect(file.status == 200 && file.body == asText.body)
        }
    }

    @Test func `an image in JSON may be larger than parameters, up to the limit of bodies`() async throws {
        // A comment of a PNG has no effect, but many bytes.
        let large = image + [UInt8](repeating: 0, count: 300_000)
        let body = Array(#"{"image":"\#(Base64.text(large, isStandard: true))","width":20}"#.utf8)
        var options = TestService.Options()
        try await TestService.running(ScriptedDetector(), options) { service in
            let bodyReply = try await service.request("POST", "/frame", headers: Self.json, body: body)
            #expect(bodyReply.status == 200)
            let form = Array("image=\(Base64.text(large))&width=20".utf8)
            let formReply = try await service.request("POST", "/frame", headers: Self.urlencoded, body: form)
            #expect(formReply.status == 200)
        }
        options.maxBodyBytes = 200_000
        try await TestService.running(ScriptedDetector(), options) { service in
            let bodyReply = try await service.request("POST", "/frame", headers: Self.json, body: body)
            #expect(bodyReply.status == 413)
        }
    }

    @Test(arguments: [
        (#"{"image":"photo.jpg"}"#, "image is a file name, not a file; send the file in a multipart form."),
        (#"{"image":"https://example.com/a.jpg"}"#, "image is a URL; send it in the parameter url."),
        (#"{"image":"data:image/png,abc"}"#, "image is a data: URL without valid Base64"),
        (#"{"image":"data:image/png;base64,ab=c"}"#, "image is a data: URL without valid Base64"),
        (#"{"image":"iVBORw0KGgo "}"#, "image is text that is not Base64"),
        (#"{"image":"iVBORw0KGgo=="}"#, "image is text that is not Base64"),
        (#"{"image":"iVBORw0KGgp"}"#, "image is text that is not Base64"),
        (#"{"image":"iVBO+_=="}"#, "image is text that is not Base64"),
        (#"{"image":5}"#, "image is text that is not Base64"),
        (#"{"image":"AAAA","image":"AAAA"}"#, "The body contains several JSON members named image; expected one."),
    ])
    func `other text in the member image is rejected`(body: String, detail: String) async throws {
        try await TestService.running { service in
            let reply = try await service.request("POST", "/frame", headers: Self.json, body: Array(body.utf8))
            #expect(reply.status == 400)
            #expect(try JSONValue(json: reply.body)["detail"].string?.hasPrefix(detail) == true, "\(reply.text)")
        }
    }

    @Test(arguments: [
        ("photo.jpg", "image is a file name, not a file; send the file, with curl -F image=@photo.jpg."),
        ("@/tmp/team.png", "image is a file name, not a file; send the file, with curl -F image=@/tmp/team.png."),
        ("http://example.com/a.jpg", "image is a URL; send it in the parameter url."),
        ("hello", "image is text that is not Base64"),
    ])
    func `other text in the form field image is rejected`(content: String, detail: String) async throws {
        try await TestService.running { service in
            let reply = try await service.request("POST", "/frame", headers: Self.multipart, body: form(content))
            #expect(reply.status == 400)
            #expect(try JSONValue(json: reply.body)["detail"].string?.hasPrefix(detail) == true, "\(reply.text)")
        }
    }

    @Test func `text instead of an image is named, with every type of body`() async throws {
        let page = "<!DOCTYPE html>\n<html><title>Log in</title></html>"
        let texts = [
            (
                "photo.jpg",
                "The body is the file name photo.jpg, not the file. Send the file: with curl, --data-binary @photo.jpg."
            ),
            ("@photo.jpg", "The body is the file name photo.jpg"),
            ("/home/me/a b.png\n", "The body is the file name /home/me/a b.png"),
            ("https://example.com/a.jpg", "The body is a URL, not an image. Send it in the parameter url."),
            (text, "The body is Base64, not an image."), (wrapped("\n"), "The body is Base64, not an image."),
            ("data:image/png;base64,\(text)", "The body is a data: URL, not an image."),
            (page, "The body is a web page (HTML), not an image."),
            ("<?xml version=\"1.0\"?>\n<a/>", "The body is XML, not an image."),
            ("[1, 2]", "The body is JSON, not an image."), ("just some words", "The body is text, not an image."),
        ]
        try await TestService.running { service in
            for headers in [[], Self.urlencoded, [("Content-Type", "image/jpeg")]] {
                for (body, detail) in texts {
                    let reply = try await service.request("POST", "/frame", headers: headers, body: Array(body.utf8))
                    #expect(reply.status == 415, "\(detail): \(reply.text)")
                    let text = try JSONValue(json: reply.body)["detail"].string ?? ""
                    #expect(text.hasPrefix(detail), "\(headers): \(text)")
                }
            }
        }
    }

    @Test func `the error for a URL that leads to text names the kind of text`() async throws {
        let texts = [
            (
                "<!doctype html><html>",
                "The url leads to a web page (HTML), such as a login page or a share link, not to an image."
            ),
            ("<?xml version=\"1.0\"?><Error/>", "The url leads to an XML document, not to an image."),
            ("{\"error\": \"denied\"}", "The url leads to JSON, not to an image."),
            ("not found", "The url leads to text, not to an image."),
            (text, "The url leads to an image as Base64 text, not to an image file."),
        ]
        var responses: [String: TestOrigin.Response] = [:]
        for (index, (content, _)) in texts.enumerated() { responses["/\(index)"] = .file(Array(content.utf8)) }
        try await TestService.running { service in
            try await TestOrigin.running(responses) { origin in
                for (index, (_, detail)) in texts.enumerated() {
                    for path in ["/frame", "/faces"] {
                        let reply = try await service.request(
                            "GET",
                            "\(path)?url=\(percentEncoded("\(origin)/\(index)"))"
                        )
                        #expect(reply.status == 415)
                        #expect(
                            try JSONValue(json: reply.body)["detail"].string
                                == "\(detail) Use the URL of the image file itself."
                        )
                    }
                }
            }
        }
    }

    @Test func `the error for a data URL in url names where to send data URLs`() async throws {
        try await TestService.running { service in
            let url = percentEncoded("data:image/png;base64,\(text)")
            let reply = try await service.request("GET", "/frame?url=\(url)")
            #expect(reply.status == 400)
            let advice = "POST the image, or send the data: URL in the JSON member or the form field image."
            #expect(reply.text.contains("url does not accept data: URLs; \(advice)"))
            let long = "{\"url\": \"data:image/png;base64,\(String(repeating: "A", count: 20_000))\"}"
            let posted = try await service.request("POST", "/frame", headers: Self.json, body: Array(long.utf8))
            #expect(posted.status == 400 && posted.text.contains(advice) && posted.body.count < 1000)
            let stream = try await service.request("GET", "/stream?url=\(url)")
            #expect(stream.status == 400 && stream.text.contains("expected an http or https URL"))
            #expect(!stream.text.contains("form field"))
        }
    }

    private static let videos: [(body: [UInt8], name: String)] = {
        let zeros = [UInt8](repeating: 0, count: 60)
        let avi = Array("RIFF".utf8) + [9, 9, 9, 9] + Array("AVI LIST".utf8)
        let mp4 = [0, 0, 0, 0x18] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isomiso2mp41".utf8)
        return [(mp4, "MP4"), ([0x1A, 0x45, 0xDF, 0xA3] + zeros, "Matroska"), (avi + zeros, "AVI")]
    }()

    @Test(arguments: videos)
    func `a video gets the command for videos`(body: [UInt8], name: String) async throws {
        try await TestService.running { service in
            for path in ["/frame", "/faces"] {
                let reply = try await service.request("POST", path, body: body)
                #expect(reply.status == 415)
                #expect(
                    reply.text.contains("This is a video (\(name)), not an image. Use the command headroom reframe")
                )
            }
        }
    }

    @Test func `no truncated body with an image as text crashes the service`() async throws {
        let escaped = #"{ "a" : [1, {"b": "}"}], "image" : "data:image\/png;base64,iVBOR\u002B==" , "width": 2 }"#
        let form = "width=2&image=data:image/png;base64,iVB%2B%zz%3D&x=1"
        try await TestService.running { service in
            for (headers, text) in [
                (Self.json, escaped), (Self.urlencoded, form),
                (Self.multipart, String(decoding: self.form("iVBO="), as: UTF8.self)),
            ] {
                for length in 0...text.utf8.count {
                    let reply = try await service.request(
                        "POST",
                        "/frame",
                        headers: headers,
                        body: Array(text.utf8.prefix(length))
                    )
                    #expect([400, 415, 422].contains(reply.status), "\(text.prefix(length)): \(reply.status)")
                }
            }
        }
    }
}
