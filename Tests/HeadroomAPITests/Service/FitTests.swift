import Geometry
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// `fit` and `background` on real sockets.
@Suite(.limitedConcurrency) struct FitTests {
    private let service: TestService
    private let pair: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        pair = try Images.pairJPEG.get()
    }

    @Test(arguments: ["", "&background=fff", "&background=%23102030", "&background=transparent", "&background=blur"])
    func `a padded image has the requested size and needs no detection`(query: String) async throws {
        let reply = try await service.request("POST", "/frame?fit=pad&width=300&height=400\(query)", body: pair)
        #expect(reply.status == 200)
        #expect(reply["Headroom-Decision"] == "pad")
        #expect(reply["Headroom-Faces"] == nil)
        #expect(reply["Content-Type"] == (query.contains("transparent") ? "image/png" : "image/jpeg"))
        #expect(try ImageHeader.read(reply.body).size == PixelSize(width: 300, height: 400))
    }

    @Test func `transparent bars use an accepted format`() async throws {
        let target = "/frame?fit=pad&aspect=1:1&background=transparent"
        for (accept, type) in [("image/webp", "image/webp"), ("image/jpeg", "image/jpeg"), ("image/png", "image/png")] {
            let reply = try await service.request("POST", target, headers: [("Accept", accept)], body: pair)
            #expect(reply["Content-Type"] == type)
        }
        let jpeg = try await service.request("POST", target + "&format=jpeg", body: pair)
        #expect(jpeg["Content-Type"] == "image/jpeg")
    }

    @Test func `the plan contains the rectangle of the image in the output`() async throws {
        let target = "/frame?format=json&fit=pad&aspect=1:1,8:5&width=320&accuracy=low"
        let plan = try await service.document(target, posting: pair)
        #expect(plan["decision"] == "pad")
        #expect(plan["crop"].rect == PixelRect(Images.pair.size))
        let square = plan["crops"][0]
        #expect(square["output"].rect.size == PixelSize(width: 320, height: 320))
        #expect(square["contentRect"].rect == PixelRect(x: 0, y: 60, width: 320, height: 200))
        #expect(square["position"] == "50% 50%")
        #expect(plan["crops"][1]["contentRect"].isNull)
        #expect(plan["faces"].elements.allSatisfy { $0["kept"] == .bool(true) })
        let cover = try await service.document("/frame?format=json&aspect=1:1&accuracy=low", posting: pair)
        #expect(cover["crops"][0]["contentRect"].isNull)
    }

    @Test func `fit=auto keeps heads that a crop would cut`() async throws {
        func plan(_ query: String) async throws -> JSONValue {
            try await service.document("/frame?format=json&accuracy=low&\(query)", posting: pair)
        }
        let cover = try await plan("aspect=1:1")
        #expect(cover["faces"].elements.map { $0["kept"] } == [.bool(true), .bool(false)])
        let auto = try await plan("aspect=1:1&fit=auto")
        #expect(auto["decision"] == "pad")
        #expect(auto["faces"].elements.map { $0["kept"] } == [.bool(true), .bool(true)])
        #expect(auto["crops"][0]["contentRect"].rect.width == auto["crops"][0]["output"]["width"].integer)
        for query in ["aspect=16:9", "aspect=1:1&gravity=largest", "aspect=1:1&gravity=left"] {
            let (with, without) = (try await plan("\(query)&fit=auto"), try await plan(query))
            #expect(with["crops"] == without["crops"], "\(query)")
        }
        let reply = try await service.request("POST", "/frame?aspect=1:1&fit=auto&accuracy=low", body: pair)
        #expect(reply["Headroom-Decision"] == "pad")
        #expect(reply["Headroom-Faces"] == "2")
        let size = try ImageHeader.read(reply.body).size
        #expect(size == auto["crops"][0]["output"].rect.size)
    }

    @Test func `a form and an object accept fit and background`() async throws {
        let form =
            "--x\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.jpg\"\r\n\r\n".utf8 + pair
            + ("\r\n--x\r\nContent-Disposition: form-data; name=\"fit\"\r\n\r\npad\r\n--x\r\n"
            + "Content-Disposition: form-data; name=\"background\"\r\n\r\n#abcdef\r\n--x--\r\n").utf8
        let type = [("Content-Type", "multipart/form-data; boundary=x")]
        let posted = try await service.request("POST", "/frame?aspect=1:1", headers: type, body: Array(form))
        #expect(posted["Headroom-Decision"] == "pad")
        try await TestOrigin.running(["/a.jpg": .file(pair)]) { origin in
            let object =
                "{\"url\": \"\(origin)/a.jpg\", \"aspect\": \"1:1\", \"fit\": \"pad\", \"background\": \"blur\"}"
            let json = [("Content-Type", "application/json")]
            let reply = try await service.request("POST", "/frame", headers: json, body: Array(object.utf8))
            #expect(reply["Headroom-Decision"] == "pad")
        }
    }

    @Test(arguments: [
        ("fit=contain", "fit", "one of cover, limit, crop, inside, outside, fill, pad, auto"),
        ("fit=", "fit", "one of cover, limit, crop, inside, outside, fill, pad, auto"),
        ("fit=PAD", "fit", "one of cover, limit, crop, inside, outside, fill, pad, auto"),
        ("background=blur", "background", "a colour without fit=pad or fit=auto"),
        ("fit=cover&background=transparent", "background", "a colour without fit=pad or fit=auto"),
        ("fit=pad&background=", "background", "a colour such as"),
        ("fit=pad&background=red", "background", "a colour such as"),
        ("fit=pad&background=12345", "background", "a colour such as"),
        ("fit=pad&background=%00ffffff", "background", "a colour such as"),
        ("fit=pad&background=blur:20", "background", "a colour such as"),
        ("fit=pad&zoom=0.1", "zoom", "0 for fit=pad"), ("fit=inside&zoom=0.1", "zoom", "0 for fit=inside"),
        ("fit=fill&zoom=1", "zoom", "0 for fit=fill"),
        ("fit=fill&background=blur", "background", "a colour without fit=pad or fit=auto"),
        ("fit=inside&aspect=1:1", "aspect", "no aspect"),
        ("fit=inside&focus=0,0,1,1", "focus", "no focus"),
        ("fit=auto&format=html&aspect=1:1", "fit", "cover or pad for format=html"),
        ("fit=pad&format=html&aspect=1:1&background=blur", "background", "a colour or transparent for format=html"),
    ])
    func `an invalid combination is rejected with the received and the expected value`(
        query: String,
        parameter: String,
        expected: String
    ) async throws {
        let reply = try await service.request("POST", "/frame?\(query)", body: pair)
        #expect(reply.status == 400)
        let error = try JSONValue(json: reply.body)["errors"][0]
        #expect(error["parameter"] == .string(parameter))
        #expect(error["expected"].string?.hasPrefix(expected) == true, "\(error)")
        #expect(!error["received"].isNull)
    }

    @Test(arguments: [("aspect", "1:1"), ("focus", "0,0,1,1")])
    func `parameters that need a crop are rejected for a whole image, with the reason`(
        name: String,
        value: String
    ) async throws {
        let reply = try await service.request("POST", "/frame?fit=inside&\(name)=\(value)", body: pair)
        let detail = try JSONValue(json: reply.body)["errors"][0]["detail"].string
        #expect(detail?.hasPrefix("\(name) is not allowed with fit=inside") == true, "\(reply.text)")
    }

    @Test(arguments: [
        ("fit=inside&width=320&height=320", 320, 200), ("fit=inside&height=100", 160, 100),
        ("fit=inside&width=6400&height=320", 512, 320), ("fit=inside&width=1280&height=1280", 640, 400),
        ("fit=inside&width=1280&enlarge=true", 1280, 800), ("fit=inside&width=160&height=160&dpr=2", 320, 200),
        ("fit=inside&width=5000&height=1", 2, 1), ("fit=fill&width=100&height=100", 100, 100),
        ("fit=fill&aspect=1:1", 400, 400), ("fit=fill&width=100", 100, 63),
        ("fit=fill&width=1000&height=500", 640, 320), ("fit=fill&width=1000&height=500&enlarge=true", 1000, 500),
    ])
    func `a whole image has the requested size and needs no detection`(
        query: String,
        width: Int,
        height: Int
    ) async throws {
        let reply = try await service.request("POST", "/frame?\(query)", body: pair)
        #expect(reply.status == 200)
        #expect(reply["Headroom-Decision"] == (query.contains("inside") ? "inside" : "fill"))
        #expect(reply["Headroom-Faces"] == nil)
        #expect(try ImageHeader.read(reply.body).size == PixelSize(width: width, height: height))
        let plan = try await service.document("/frame?format=json&accuracy=low&\(query)", posting: pair)
        #expect(plan["crop"].rect == PixelRect(Images.pair.size))
        #expect(plan["faces"].elements.allSatisfy { $0["kept"] == .bool(true) })
        #expect(plan["crops"][0]["contentRect"].isNull)
    }

    @Test func `markup for a whole image has its aspect ratio`() async throws {
        let target = "/frame?format=html&fit=inside&width=320&height=320"
        let inside = try await service.request("POST", target, body: pair).text
        #expect(inside.contains("aspect-ratio: 640 / 400; object-fit: cover"))
        let fill = try await service.request("POST", "/frame?format=html&fit=fill&aspect=1:1", body: pair).text
        #expect(fill.contains("aspect-ratio: 400 / 400; object-fit: fill"))
    }

    @Test func `bars that exceed the size limit are rejected`() async throws {
        let reply = try await service.request("POST", "/frame?fit=pad&aspect=1:100", body: pair)
        #expect(reply.status == 422)
        #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:too-large")
    }

    @Test func `face images reject bars`() async throws {
        for target in ["/faces/1?fit=pad", "/faces?format=zip&fit=pad", "/faces/1?background=fff"] {
            #expect(try await service.request("POST", target, body: pair).status == 400)
        }
    }

    @Test func `in markup the browser pads an upload, and this service pads a URL`() async throws {
        let target = "/frame?format=html&fit=pad&aspect=1:1&background=08f&gravity=top"
        let sent = try await service.request("POST", target, body: pair).text
        #expect(
            sent == """
                <img src="your-picture.jpg" style="width: 100%; height: auto; aspect-ratio: 640 / 640; \
                object-fit: contain; background: rgb(0 136 255); object-position: 50% 0%" alt="">

                """
        )
        try await TestOrigin.running(["/a.jpg": .file(pair)]) { origin in
            let html = try await service.request("GET", "\(target)&url=\(percentEncoded("\(origin)/a.jpg"))").text
            #expect(html.contains("fit=pad&amp;background=08f&amp;gravity=top&amp;width=400"))
            #expect(html.contains("width=\"640\" height=\"640\""))
        }
    }

    @Test func `the annotated image shows the bars`() async throws {
        let plain = try await service.request("POST", "/frame?format=debug&aspect=1:1&accuracy=low", body: pair)
        let padded = try await service.request(
            "POST",
            "/frame?format=debug&aspect=1:1&fit=pad&accuracy=low",
            body: pair
        )
        #expect(padded["Headroom-Decision"] == "pad")
        #expect(try ImageHeader.read(padded.body).size == Images.pair.size)
        #expect(padded.body != plain.body)
    }
}
