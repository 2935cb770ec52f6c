import Caching
import Geometry
import HeadroomAPI
import Imaging
import Requests
import TestHTTP
import TestPacing
import TestImages
import Testing

/// Watermarks over HTTP: names, rejections, plans, presets and entity tags.
@Suite(.limitedConcurrency) struct MarkRouteTests {
    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    private static func logo(_ value: UInt8) throws -> [UInt8] {
        try ImageEncoder.encode(try TestImage.rgb(.init(width: 40, height: 20)) { _, _ in (0, value, 0) }, as: .png)
    }

    private func running(
        _ overlays: OverlaySet,
        _ body: (TestService, _ url: String) async throws -> Void
    ) async throws {
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.overlays = overlays
        options.presets = PresetSet([try Preset("shop", [("watermark", "logo"), ("format", "png")])])
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                try await body(service, "url=" + percentEncoded(address + "/a.jpg"))
            }
        }
    }

    @Test func `a watermark is drawn, the plan contains its position, and a preset can include it`() async throws {
        try await running(OverlaySet([], marks: ["logo": try Self.logo(255)])) { service, url in
            let plain = try await service.request("GET", "/frame?format=png&\(url)")
            let marked = try await service.request("GET", "/frame?format=png&watermark=logo&\(url)")
            #expect(marked.status == 200 && marked.body != plain.body)
            #expect(try await service.request("GET", "/preset/shop?\(url)").body == marked.body)
            let plan = try await service.document(
                "/frame?watermark=logo&watermarkPosition=top-left&watermarkMargin=8px&watermarkWidth=0.5&format=json",
                posting: image
            )
            // The scripted face fills the image.
            let mark = plan["crops"][0]["watermark"]
            #expect(mark["coversHead"].bool == true && mark["position"].string == "top-left")
            #expect(mark["rect"].rect.x == 8 && mark["rect"].rect.y == 8)
        }
    }

    static let refusals: [(query: String, text: String)] = [
        ("watermark=nobody", "one of glasses, halo, hat, logo, moustache"), ("watermark=No", "letters a to z"),
        ("watermarkPosition=top", "watermarkPosition requires watermark."),
        ("watermark=logo&watermarkPosition=corner", "one of top-left"),
        ("watermark=logo&watermarkWidth=0", "0.01 to 1"), ("watermark=logo&watermarkOpacity=2", "0 to 1"),
        ("watermark=logo&watermarkMargin=0.5", "0.45"),
        ("watermark=logo&losslessCrop=true", "watermark is not allowed with losslessCrop=true"),
        ("watermark=logo&profile=keep", "watermark is not allowed with profile=keep"),
    ]

    @Test(arguments: refusals)
    func `an invalid watermark is rejected`(query: String, text: String) async throws {
        try await running(OverlaySet([], marks: ["logo": try Self.logo(255)])) { service, url in
            let reply = try await service.request("GET", "/frame?\(query)&\(url)")
            #expect(reply.status == 400 && reply.text.contains(text), "\(reply.text)")
        }
    }

    @Test func `a different image with the same name changes the entity tag`() async throws {
        var tags: [String] = []
        for value in [UInt8(255), 255, 254] {
            try await running(OverlaySet([], marks: ["logo": try Self.logo(value)])) { service, url in
                let reply = try await service.request("GET", "/frame?watermark=logo&\(url)")
                tags.append(try #require(reply["ETag"]))
            }
        }
        #expect(tags[0] == tags[1] && tags[1] != tags[2])
    }
}
