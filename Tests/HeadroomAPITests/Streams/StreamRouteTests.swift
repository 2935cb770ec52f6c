import FaceDetection
import Fetching
import Foundation
import Geometry
import HTTPTypes
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing
import Video

/// `/stream`, with simulated cameras on this machine.
@Suite(.limitedConcurrency) struct StreamRouteTests {
    /// A frame of 160×90 pixels.
    private static func frame(_ light: Int = 0) throws -> [UInt8] {
        let plane = try Plane(PixelSize(width: 160, height: 90)) { x, y in UInt8((x + y + light) & 255) }
        return try ImageEncoder.encode(PlanarImage(size: plane.size, colorModel: .gray, planes: [plane]), as: .jpeg)
    }

    private static func part(_ jpeg: [UInt8], length: String?) -> [UInt8] {
        let field = length.map { "Content-Length: \($0)\r\n" } ?? ""
        return Array("--b\r\nContent-Type: image/jpeg\r\n\(field)\r\n".utf8) + jpeg + [13, 10]
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=\"--b\"\r\n\r\n"

    /// A camera that sends one frame and then stays silent.
    private static func silentCamera() throws -> OriginServer {
        let jpeg = try frame()
        return try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(head)
            connection.write(part(jpeg, length: nil))
            connection.waitForClose()
        }
    }

    private func target(_ url: String, _ more: String = "&aspect=1:1&width=40") -> String {
        "/stream?url=\(url.replacing(":", with: "%3A").replacing("/", with: "%2F"))\(more)"
    }

    /// The frames in a response.
    private func frames(_ bytes: [UInt8]) throws -> [MJPEGSplitter.Frame] {
        var splitter = MJPEGSplitter()
        splitter.append(bytes)
        var frames: [MJPEGSplitter.Frame] = []
        while let frame = try splitter.next() { frames.append(frame) }
        return frames
    }

    @Test(arguments: [nil, "5", "99999999999", "x"])
    func `frames are cropped regardless of the declared part lengths, and the stream ends with a boundary`(
        length: String?
    ) async throws {
        let jpeg = try Self.frame()
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(Self.head)
            connection.write(Self.part(jpeg, length: length))
        }
        try await TestService.running { service in
            let client = try service.client()
            try await client.send("GET", target(origin.url("/video")))
            let head = try await client.reply()
            #expect(head.status == 200 && head["cache-control"] == "no-store")
            let type = try #require(head["content-type"])
            #expect(type.hasPrefix("multipart/x-mixed-replace; boundary=headroom-"))
            let bytes = try await client.rest()
            let found = try frames(bytes)
            #expect(found.map(\.size) == [PixelSize(width: 40, height: 40)])
            let boundary = type.split(separator: "=").last ?? ""
            #expect(String(decoding: bytes.suffix(80), as: UTF8.self).contains("--\(boundary)--\r\n"))
            #expect(await eventually { service.metric("headroom_streams") == 0 })
            #expect(service.metric(#"headroom_stream_frames_total{outcome="sent"}"#) == 1)
            #expect(service.metric("headroom_stream_delay_seconds_count") == 1)
            #expect(service.metric(#"headroom_stream_ends_total{reason="finished"}"#) == 1)
        }
    }

    @Test(arguments: [
        ("", 502), ("X-Endless: ", 502), ("--b\r\n\r\n\u{0}", 502), ("<html>", 502),
    ])
    func `a camera that sends no frame causes a problem response`(text: String, status: Int) async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(Self.head)
            let bytes = String(repeating: text, count: 1000)
            for _ in 0..<1000 where !text.isEmpty { guard connection.write(bytes) else { return } }
        }
        try await TestService.running { service in
            let reply = try await service.request("GET", target(origin.url()))
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.text.contains("MJPEG"))
        }
    }

    @Test(arguments: ["GET", "HEAD"], ["", "ftp://camera/", "s3://bucket/key"])
    func `a url that is not a camera's is rejected`(method: String, address: String) async throws {
        try await TestService.running { service in
            let reply = try await service.request(method, target(address))
            #expect(reply.status == 400)
        }
    }

    @Test func `a frame above the size limit ends the stream after the previous frames`() async throws {
        let jpeg = try Self.frame()
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(Self.head)
            connection.write(Self.part(jpeg, length: nil) + jpeg.dropLast(2))
            let more = [UInt8](repeating: 7, count: 1 << 20)
            while connection.write(more) {}
        }
        try await TestService.running { service in
            let client = try service.client()
            try await client.send("GET", target(origin.url()))
            #expect(try await client.reply().status == 200)
            let bytes = try await client.rest()
            #expect(try frames(bytes).count == 1)
            #expect(await eventually { service.metric(#"headroom_stream_ends_total{reason="invalid"}"#) == 1 })
        }
    }

    @Test func `a camera that stops ends the stream after the idle time`() async throws {
        let origin = try Self.silentCamera()
        var options = TestService.Options()
        options.streams.idleTime = .seconds(1)
        try await TestService.running(ScriptedDetector(), options) { service in
            let client = try service.client()
            try await client.send("GET", target(origin.url()))
            #expect(try await client.reply().status == 200)
            let bytes = try await client.rest()
            #expect(try frames(bytes).count == 1)
            #expect(await eventually { service.metric(#"headroom_stream_ends_total{reason="idle"}"#) == 1 })
        }
    }

    @Test func `a camera follows the rules of url: hosts, addresses, encodings, statuses`() async throws {
        let responses: [(String, Int)] = [
            ("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", 404),
            ("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", 502),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", 502),
            ("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n", 404),
        ]
        for (response, status) in responses {
            let origin = try OriginServer(answering: response)
            try await TestService.running { service in
                let reply = try await service.request("GET", target(origin.url()))
                #expect(reply.status == status, "\(response) \(reply.text)")
            }
        }
        let origin = try OriginServer(answering: Self.head)
        var options = TestService.Options()
        options.allowsPrivateSources = false
        try await TestService.running(ScriptedDetector(), options) { service in
            let blocked = try await service.request("GET", target(origin.url())).status
            #expect(blocked == 404)
        }
        options = TestService.Options()
        options.allowedHosts = [try #require(HostPattern("cameras.example"))]
        try await TestService.running(ScriptedDetector(), options) { service in
            let foreign = try await service.request("GET", target(origin.url())).status
            #expect(foreign == 404)
        }
        #expect(origin.connections == 0)
    }

    @Test func `above the maximum number, streams are rejected until one ends`() async throws {
        let origin = try Self.silentCamera()
        var options = TestService.Options()
        options.streams.maxStreams = 1
        options.streams.idleTime = .seconds(600)
        try await TestService.running(ScriptedDetector(), options) { service in
            let client = try service.client()
            try await client.send("GET", target(origin.url()))
            #expect(try await client.reply().status == 200)
            #expect(service.metric("headroom_streams") == 1)
            let refused = try await service.request("GET", target(origin.url()))
            #expect(refused.status == 503 && refused["retry-after"] == "5", "\(refused.text)")
            try await client.reset()
            #expect(await eventually { service.metric("headroom_streams") == 0 })
            #expect(service.metric(#"headroom_stream_ends_total{reason="left"}"#) == 1)
        }
        options.streams.maxStreams = 0
        try await TestService.running(ScriptedDetector(), options) { service in
            let unknown = try await service.request("GET", "/nothing")
            #expect(!unknown.text.contains("/stream"))
            let client = try service.client()
            try await client.send("GET", target(origin.url()))
            #expect(try await client.reply().status == 404)
        }
    }

    @Test func `an upload is cropped as it arrives, and ends with its last chunk`() async throws {
        let (first, second) = (try Self.frame(), try Self.frame(40))
        try await TestService.running { service in
            let client = try service.client()
            try await client.send(
                "POST /stream?aspect=9:16&format=json HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            func chunk(_ bytes: [UInt8]) -> [UInt8] {
                Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
            }
            try await client.send(chunk(first))
            let head = try await client.reply()
            #expect(head.status == 200 && head["content-type"] == "application/x-ndjson")
            try await client.receive(atLeast: 50)
            try await client.send(chunk(second) + Array("0\r\n\r\n".utf8))
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(text.contains(#""frame":0"#) && text.contains(#""frame":1"#))
            #expect(text.contains(#""source":{"height":90,"width":160}"#))
        }
    }

    @Test(arguments: ["follow", "hold", "wide"])
    func `layout determines the content of the frames`(layout: String) async throws {
        let frame = try Self.frame()
        try await TestService.running { service in
            let client = try service.client()
            try await client.send(
                "POST /stream?aspect=1:2&layout=\(layout) HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            try await client.send(
                Array("\(String(frame.count, radix: 16))\r\n".utf8) + frame + Array("\r\n0\r\n\r\n".utf8)
            )
            #expect(try await client.reply().status == 200)
            let shown = try self.frames(try await client.rest())
            let bytes = try #require(shown.first?.bytes)
            let header = try ImageHeader.read(bytes)
            #expect(header.size == PixelSize(width: 45, height: 90))
            // Luma rises by one per column of the source, so only the whole image contains all values.
            let luma = try ImageDecoder.decode(bytes, header: header).luma()
            let row = (0..<45).map { Int(luma[x: $0, y: 45]) }
            #expect(((row.max() ?? 0) - (row.min() ?? 0) > 100) == (layout == "wide"), "\(row)")
        }
    }

    @Test func `with look-ahead, frames are delayed but in order, and all are sent when the source ends`() async throws
    {
        let frames = [try Self.frame(), try Self.frame(128)]
        let detector = ScriptedDetector()
        try await TestService.running(detector) { service in
            let client = try service.client()
            try await client.send(
                "POST /stream?aspect=1:1&lookAhead=2 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            for (index, frame) in frames.enumerated() {
                try await client.send(Array("\(String(frame.count, radix: 16))\r\n".utf8) + frame + [13, 10])
                #expect(await eventually { detector.calls > index })
            }
            try await client.send("0\r\n\r\n")
            #expect(try await client.reply().status == 200)
            let shown = try self.frames(try await client.rest())
            let lights = try shown.map { frame in
                try ImageDecoder.decode(frame.bytes, header: ImageHeader.read(frame.bytes)).luma().withUnsafeSamples {
                    Int($0[0])
                }
            }
            #expect(lights.count == 2 && lights[1] - lights[0] > 100, "\(lights)")
            #expect(service.metric(#"headroom_stream_frames_total{outcome="sent"}"#) == 2)
        }
    }

    @Test(arguments: ["", "&lookAhead=0.4&redactShape=oval", "&gravity=center"])
    func `moving heads are redacted in every frame, and detectors find none in the output`(more: String) async throws {
        let size = PixelSize(width: 320, height: 180)
        let places = (0..<12).map { 30 + 12 * $0 }
        let bodies = try places.map { place in
            let luma = DrawnFace.luma([DrawnFace(x: place, y: 50, side: 90)], size: size)
            let plane = try Plane(size) { x, y in luma[y * size.width + x] }
            return try ImageEncoder.encode(PlanarImage(size: size, colorModel: .gray, planes: [plane]), as: .jpeg)
        }
        #expect(try Self.faces(in: bodies[0]) > 0)
        let client = try TestService.standard.get().client()
        let target = "/stream?aspect=16:9&redact=fill\(more)"
        try await client.send("POST \(target) HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        for body in bodies {
            try await client.send(Array("\(String(body.count, radix: 16))\r\n".utf8) + body + [13, 10])
        }
        try await client.send("0\r\n\r\n")
        #expect(try await client.reply().status == 200)
        // Frames that arrive faster than they are processed are skipped.
        let shown = try frames(try await client.rest())
        #expect(!shown.isEmpty)
        for frame in shown {
            #expect(frame.size == size)
            #expect(try Self.faces(in: frame.bytes) == 0)
        }
    }

    /// The number of faces that any of the detectors finds.
    private static func faces(in jpeg: [UInt8]) throws -> Int {
        let luma = try ImageDecoder.decode(jpeg, header: ImageHeader.read(jpeg)).luma()
        var detector = try FaceDetectorModel.hog.makeDetector()
        return try luma.withUnsafeSamples { samples in
            guard let pixels = samples.baseAddress else { return 0 }
            let image = LumaImage(pixels: pixels, size: luma.size, bytesPerRow: luma.bytesPerRow)
            let seen = try FaceNetwork().detect(red: image, green: image, blue: image, threshold: 0).count
            return try seen + detector.detect(in: image, threshold: 0).count
        }
    }

    @Test(arguments: [
        ("redact=none", "redact"), ("redact=fill&redactFaces=others", "redactFaces"),
        ("redactAreas=0,0,1,1", "redactAreas"), ("redact=fill&redactShape=star", "redactShape"),
    ])
    func `a redaction that streams do not support is rejected`(query: String, parameter: String) async throws {
        try await TestService.running { service in
            let reply = try await service.request("GET", "/stream?url=http%3A%2F%2Fa%2F&\(query)")
            #expect(reply.status == 400 && reply.text.contains(#""parameter":"\#(parameter)""#), "\(reply.text)")
        }
    }

    @Test func `areas alone are redacted without face detection`() async throws {
        let detector = ScriptedDetector()
        try await TestService.running(detector) { service in
            let client = try service.client()
            let query = "aspect=16:9&gravity=center&redact=fill&redactFaces=none&redactAreas=0,0,0.5,0.5"
            try await client.send("POST", "/stream?\(query)", body: try Self.frame())
            #expect(try await client.reply().status == 200)
            let shown = try #require(try frames(try await client.rest()).first)
            let luma = try ImageDecoder.decode(shown.bytes, header: ImageHeader.read(shown.bytes)).luma()
            // Blocks of eight pixels at the edges include pixels next to the area.
            #expect((0..<40).allSatisfy { y in (0..<72).allSatisfy { abs(Int(luma[x: $0, y: y]) - 128) < 8 } })
            #expect(detector.calls == 0)
        }
    }

    @Test func `an upload without a frame gets a problem response`() async throws {
        try await TestService.running { service in
            let body = Array("no JPEG".utf8)
            let foreignBody = try await service.request("POST", "/stream", body: body).status
            #expect(foreignBody == 422)
            let empty = try await service.request("POST", "/stream").status
            #expect(empty == 400)
        }
    }

    @Test func `a frame whose output is too large is skipped`() async throws {
        for (limit, status) in [(100, 422), (100_000, 200)] {
            var options = TestService.Options()
            options.streams.maxResultBytes = limit
            try await TestService.running(ScriptedDetector(), options) { service in
                let client = try service.client()
                try await client.send("POST", "/stream", body: try Self.frame())
                #expect(try await client.reply().status == status)
                let dropped = service.metric(#"headroom_stream_frames_total{outcome="dropped"}"#)
                #expect(dropped == (limit == 100 ? 1 : 0))
            }
        }
    }

    @Test func `at shutdown a stream ends with its closing boundary`() async throws {
        let origin = try Self.silentCamera()
        var options = TestService.Options()
        options.streams.idleTime = .seconds(600)
        try await TestService.running(ScriptedDetector(), options) { service in
            let client = try service.client()
            try await client.send("GET", target(origin.url()))
            #expect(try await client.reply().status == 200)
            try await client.receive(atLeast: 500)
            service.shutdown()
            let text = String(decoding: try await client.rest().suffix(60), as: UTF8.self)
            #expect(text.contains("--\r\n") && text.hasSuffix("0\r\n\r\n"), "\(text)")
        }
    }

    @Test(arguments: [
        ("aspect=1:1", "url"), ("url=http%3A%2F%2Fa%2F&format=png", "format"),
        ("url=http%3A%2F%2Fa%2F&aspect=1:1,2:1", "aspect"), ("url=http%3A%2F%2Fa%2F&fallback=error", "fallback"),
        ("url=http%3A%2F%2Fa%2F&gravity=subject", "gravity"), ("url=http%3A%2F%2Fa%2F&gravity=object:dog", "gravity"),
        ("url=http%3A%2F%2Fa%2F&layout=stack", "layout"),
        ("url=http%3A%2F%2Fa%2F&lookAhead=2.1", "lookAhead"), ("url=http%3A%2F%2Fa%2F&quality=source", "quality"),
        ("url=http%3A%2F%2Fa%2F&losslessCrop=true", "losslessCrop"),
    ])
    func `parameters that streams do not support are rejected`(query: String, parameter: String) async throws {
        try await TestService.running { service in
            let reply = try await service.request("GET", "/stream?\(query)")
            #expect(reply.status == 400 && reply.text.contains(#""parameter":"\#(parameter)""#), "\(reply.text)")
        }
    }

    @Test func `streams require the same credentials as images, and a digest is rejected`() async throws {
        let key = try #require(Secret.list("0123456789abcdef0123456789abcdef").first)
        var options = TestService.Options()
        options.access = AccessPolicy(signingKeys: [key])
        try await TestService.running(ScriptedDetector(), options) { service in
            let unsigned = try await service.request("GET", "/stream?url=http%3A%2F%2Fa%2F").status
            #expect(unsigned == 403)
            let digest = String(repeating: "0", count: 64)
            let pairs = [(name: "digest", value: digest)]
            let signed = CanonicalRequest(.post, path: "/stream", pairs: pairs).signedTarget(key)
            let digested = try await service.request("POST", signed, body: [1]).status
            #expect(digested == 403)
        }
    }
}
