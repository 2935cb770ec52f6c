import Cryptography
import Encodings
import FaceDetection
import Geometry
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// The content of responses for all kinds of requests.
///
/// If one of these digests changes, ``ResponseKey/version`` must change. Pixels are digested after decoding, and
/// documents are digested without times, so the digests depend only on this program. Nothing is scaled, because scaling
/// depends on the processor. The detector is scripted, so that a better detector does not require a new version.
@Suite(.limitedConcurrency) struct ResponseContentVersionTests {
    private static let version = 14

    private static let digests: [String: String] = [
        "square": "320×320 255398b48eb471b2",
        "wide, tight": "598×299 19cd9702f83f29fb",
        "one of the people": "320×320 cf6a193898329a91",
        "an edge": "320×320 f6d1208a13938438",
        "an area": "320×320 1ec93ee7d7703b22",
        "a region": "280×280 18ab1e225ebf7dac",
        "borders cut off": "600×280 3529e52224a8eed6",
        "bars": "960×320 b7625ffccd7c527f",
        "transparent bars": "640×1280 c46e46ecfde342a5",
        "turned": "320×160 4f01d0a4fd529106",
        "upside down": "640×320 75c5838962c95d73",
        "a key": "640×320 b36343d2234ff2ff",
        "a key and a backdrop": "640×320 6e8a1de636f32a51",
        "filters of colours": "640×320 b58e52d6af88d8fa",
        "filters with neighbours": "640×320 bed4f1d9f9c70286",
        "looks": "640×320 21324ec9c8f07eea",
        "looks in colour": "640×320 48f42e05d13593c3",
        "blurred heads": "640×320 10a41fe58c00f384",
        "oval heads": "640×320 67cb58c6ddcbf409",
        "others and areas": "640×320 06117352322dd3d1",
        "a face": "178×240 26057224b8b654fd",
        "the smaller face": "240×320 93fe4ff5e3e7626a",
        "faces drawn": "640×320 5dc1fc984f5549b0",
        "faces and crop drawn": "640×320 f39e0ba72c0f96ca",
        "a plan": "42de462cbe2ed795",
        "a plan of bars": "fbfb6500bea56070",
        "a list": "b3f57fd2a63cc2ef",
        "a focal point": "af1427b855e68c05",
    ]

    private static let targets: [(name: String, target: String)] = [
        ("square", "/frame?aspect=1:1&format=png"),
        ("wide, tight", "/frame?aspect=2:1&zoom=1&padding=0.3&place=thirds&format=png"),
        ("one of the people", "/frame?aspect=1:1&gravity=smallest&format=png"),
        ("an edge", "/frame?aspect=1:1&gravity=bottom-right&format=png"),
        ("an area", "/frame?aspect=1:1&gravity=faces&focus=0.3,0.1,0.2,0.3,5&format=png"),
        ("a region", "/frame?region=40px,20px,400px,280px&aspect=1:1&format=png"),
        ("borders cut off", "/frame?trim=12&format=png"),
        ("bars", "/frame?aspect=3:1&fit=pad&background=336699&format=png"),
        ("transparent bars", "/frame?aspect=1:2&fit=pad&background=transparent&format=png"),
        ("turned", "/frame?aspect=2:1&rotate=90&flip=horizontal&format=png"),
        ("upside down", "/frame?rotate=180&flip=vertical&format=png"),
        ("a key", "/frame?chromaKey=auto&format=png"),
        ("a key and a backdrop", "/frame?chromaKey=8fb8d8&tolerance=0.4&spill=0.5&backdrop=0044cc&format=png"),
        ("filters of colours", "/frame?filter=sepia,contrast:1.3,saturation:0.8,vignette&format=png"),
        ("filters with neighbours", "/frame?filter=blur:3,sharpen:2&format=png"),
        ("looks", "/frame?filter=noir&format=png"),
        ("looks in colour", "/frame?filter=chrome,fade,transfer&format=png"),
        ("blurred heads", "/frame?redact=blur&format=png"),
        ("oval heads", "/frame?redact=pixelate&redactShape=oval&format=png"),
        ("others and areas", "/frame?redact=fill&redactFaces=others&redactAreas=0.7,0.7,0.2,0.2&format=png"),
        ("a face", "/faces/1?format=png"), ("the smaller face", "/faces/2?aspect=3:4&padding=0.5&format=png"),
        ("faces drawn", "/faces?format=debug"), ("faces and crop drawn", "/frame?aspect=1:1&format=debug"),
        ("a plan", "/frame?aspect=1:1,16:9,3:1&format=json"),
        ("a plan of bars", "/frame?aspect=3:1&fit=pad&format=json"),
        ("a list", "/faces?format=json"), ("a focal point", "/frame?aspect=1:1&format=focus"),
    ]

    private let source: [UInt8]

    init() {
        let faces = [DrawnFace(x: 120, y: 110, side: 120), DrawnFace(x: 420, y: 130, side: 90)]
        let size = PixelSize(width: 640, height: 320)
        let bytes = DrawnFace.rgb(faces, size: size)
        // Pixels of every alpha, including transparent ones, inside a uniform border.
        let border = [40, 180, 60, 255]
        source = OddPNG(.rgba).encode(size) { x, y, channel in
            if x < 20 || x >= 620 || y < 20 || y >= 300 { return border[channel] }
            return channel == 3 ? (x < 580 ? 255 : y % 256) : Int(bytes[(y * size.width + x) * 3 + channel])
        }
    }

    /// Two faces at the same relative positions in inputs of any size, regardless of the detector's threshold.
    private let detector = ScriptedDetector { _, image in
        let (width, height) = (image.size.width, image.size.height)
        let boxes = [
            PixelRect(
                x: width * 120 / 640,
                y: height * 110 / 320,
                width: width * 120 / 640,
                height: height * 120 / 320
            ),
            PixelRect(x: width * 420 / 640, y: height * 130 / 320, width: width * 90 / 640, height: height * 90 / 320),
        ]
        return boxes.map { Detection(box: $0, confidence: 1) }
    }

    @Test func `responses change only if the version changes`() async throws {
        var found: [String: String] = [:]
        try await TestService.running(detector) { service in
            for (name, target) in Self.targets {
                let reply = try await service.request("POST", target, body: source)
                try #require(reply.status == 200, "\(target): \(reply.text)")
                found[name] = try digest(of: reply.body)
            }
        }
        #expect(ResponseKey.version == Self.version)
        #expect(found == Self.digests, "raise ResponseKey.version, and list in the changelog the caches to purge")
    }

    private func digest(of body: [UInt8]) throws -> String {
        if let document = try? JSONValue(json: body) {
            return String(Hexadecimal.text(SHA256.digest(of: Array(stable(document).utf8))).prefix(16))
        }
        let image = try ImageDecoder.decode(body, header: try ImageHeader.read(body))
        let samples = (image.planes + [image.alpha].compactMap(\.self)).flatMap { plane in
            plane.withUnsafeSamples { samples in
                (0..<plane.size.height).flatMap {
                    samples[$0 * plane.bytesPerRow..<$0 * plane.bytesPerRow + plane.size.width]
                }
            }
        }
        return "\(image.size.width)×\(image.size.height) \(Hexadecimal.text(SHA256.digest(of: samples)).prefix(16))"
    }

    /// A document as text, without times and without the list of detection passes.
    private func stable(_ value: JSONValue) -> String {
        switch value {
        case .object(let members):
            let kept = members.filter { !["milliseconds", "passes", "looks"].contains($0.key) }.sorted {
                $0.key < $1.key
            }
            return "{" + kept.map { "\($0.key):\(stable($0.value))" }.joined(separator: ",") + "}"
        case .array(let elements): return "[" + elements.map(stable).joined(separator: ",") + "]"
        case .number(let number): return "\((number * 1e6).rounded() / 1e6)"
        default: return "\(value)"
        }
    }
}
