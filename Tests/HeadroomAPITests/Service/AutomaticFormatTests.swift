import Geometry
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// The format that `format=auto` selects: the accepted format with the smallest file, which depends on the output's
/// pixels.
@Suite(.limitedConcurrency) struct AutomaticFormatTests {
    /// The content of an image.
    enum Kind: String, CaseIterable {
        case photograph, drawing, cutout, logo

        var hasAlpha: Bool { self == .cutout || self == .logo }
    }

    private static let size = PixelSize(width: 320, height: 240)
    private let service: TestService

    init() throws { service = try TestService.dlib.get() }

    /// Soft gradients with sensor noise.
    private static func photograph() throws -> PlanarImage {
        let waves = try TestImage.waves(size).planes[0]
        let noise = try TestImage.colorNoise(size, seed: 7)
        let planes = try noise.planes.enumerated().map { index, plane in
            try Plane(size) { x, y in
                let light = Int(waves[x: x, y: y]) * (4 + index) / 6
                return UInt8(min(255, light + Int(plane[x: x, y: y]) / 64))
            }
        }
        return PlanarImage(size: size, colorModel: .rgb, planes: planes)
    }

    /// Uniform areas of five colours with sharp edges.
    private static func drawing() throws -> PlanarImage {
        try TestImage.rgb(size) { x, y in
            if (x / 7 + y / 11) % 5 == 0 { return (20, 20, 30) }
            return (x - 160) * (x - 160) + (y - 120) * (y - 120) < 6400
                ? (230, 60, 40) : x > y ? (250, 250, 250) : (60, 120, 200)
        }
    }

    private static func image(_ kind: Kind) throws -> PlanarImage {
        let image = kind == .photograph || kind == .cutout ? try photograph() : try drawing()
        guard kind.hasAlpha else { return image }
        let alpha = try Plane(size) { x, y in
            (x - 160) * (x - 160) + (y - 120) * (y - 120) < 10_000 ? 255 : 0
        }
        return PlanarImage(size: size, colorModel: .rgb, planes: image.planes, alpha: alpha)
    }

    private func reply(
        _ image: PlanarImage,
        as source: OutputFormat,
        accept: String?,
        _ query: String = ""
    ) async throws -> TestClient.Reply {
        let file = try ImageEncoder.encode(image, as: source, quality: 90)
        let headers = accept.map { [("Accept", $0)] } ?? []
        let target = "/frame?gravity=center\(query)"
        let reply = try await service.request("POST", target, headers: headers, body: file)
        #expect(reply.status == 200 && reply["Vary"] == "Accept")
        #expect(OutputFormat.sniff(reply.body)?.mediaType == reply["Content-Type"])
        return reply
    }

    private static let chromium = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
    private static let safari = "image/webp,image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5"
    private static let plain = "image/png,image/jpeg"

    /// The Accept field, the format and content of the source, and the format of the response.
    private static let table: [(accept: String?, source: OutputFormat, kind: Kind, sent: [OutputFormat])] = [
        (nil, .jpeg, .photograph, [.jpeg]), ("*/*", .jpeg, .photograph, [.jpeg]), (plain, .jpeg, .photograph, [.jpeg]),
        (safari, .jpeg, .photograph, [.webp]), ("image/webp,image/png", .jpeg, .photograph, [.webp]),
        ("image/png", .jpeg, .photograph, [.png]),
        (nil, .png, .photograph, [.jpeg]), (plain, .png, .photograph, [.jpeg]), (safari, .png, .photograph, [.webp]),
        (nil, .png, .drawing, [.png]), (plain, .png, .drawing, [.png]), (safari, .png, .drawing, [.webp]),
        (chromium, .png, .drawing, [.webp]), ("image/jpeg", .png, .drawing, [.jpeg]),
        (nil, .png, .cutout, [.png]), (plain, .png, .cutout, [.png]), (safari, .png, .cutout, [.webp]),
        (nil, .png, .logo, [.png]), (safari, .png, .logo, [.webp]), (chromium, .png, .logo, [.webp]),
        ("image/jpeg", .png, .logo, [.jpeg]),
        (nil, .webp, .photograph, [.webp, .jpeg]), (plain, .webp, .photograph, [.jpeg]),
        (safari, .webp, .photograph, [.webp]), (nil, .webp, .cutout, [.webp]), (plain, .webp, .cutout, [.png]),
        ("image/jpeg,image/webp;q=0.5", .jpeg, .photograph, [.jpeg]),
        ("image/jpeg,image/webp;q=0.5", .png, .logo, [.webp]),
    ]

    @Test func `Accept and the image's content select the format, and the source's format does not`() async throws {
        for row in Self.table {
            let reply = try await reply(try Self.image(row.kind), as: row.source, accept: row.accept)
            let sent = OutputFormat.sniff(reply.body)
            #expect(sent.map(row.sent.contains) == true, "\(row): \(reply["Content-Type"] ?? "")")
            if row.kind.hasAlpha, sent?.keepsAlpha == true { #expect(try ImageHeader.read(reply.body).hasAlpha) }
        }
    }

    #if AVIF
    @Test(arguments: [Kind.photograph, .drawing]) func `AVIF is sent to clients that accept it by name`(
        kind: Kind
    ) async throws {
        // Scaled lines are no longer uniform, so their lossless file is not small.
        let reply = try await reply(try Self.image(kind), as: .png, accept: Self.chromium, "&width=300")
        #expect(OutputFormat.sniff(reply.body) == .avif)
    }
    #endif

    @Test(arguments: Kind.allCases, [OutputFormat.jpeg, .png, .webp])
    func `no file is more than a tenth larger than in the source's format`(
        kind: Kind,
        source: OutputFormat
    ) async throws {
        let image = try Self.image(kind)
        for accept in [Self.chromium, Self.safari, Self.plain, "*/*"] {
            let chosen = try await reply(image, as: source, accept: accept, "&width=200")
            let file = try ImageEncoder.encode(image, as: source, quality: 90)
            let target = "/frame?gravity=center&width=200&format=\(source.rawValue)"
            let own = try await service.request("POST", target, body: file)
            guard accept.contains(source.mediaType) || accept.contains("*/*"), source.keepsAlpha || !kind.hasAlpha
            else {
                continue
            }
            let maximum = Double(own.body.count) * 1.1
            #expect(
                Double(chosen.body.count) <= maximum,
                "\(accept), \(kind): \(chosen.body.count) of \(own.body.count)"
            )
        }
    }

    @Test func `a drawing is encoded losslessly, and an opaque image without alpha`() async throws {
        let drawing = try Self.drawing()
        let opaque = PlanarImage(
            size: Self.size,
            colorModel: .rgb,
            planes: drawing.planes,
            alpha: try Plane(Self.size) { _, _ in 255 }
        )
        for accept in [Self.safari, Self.plain] {
            let reply = try await reply(opaque, as: .png, accept: accept)
            let header = try ImageHeader.read(reply.body)
            #expect(header.isLossless && !header.hasAlpha)
            let decoded = try ImageDecoder.decode(reply.body, header: header)
            #expect(ImageDifference(decoded, drawing).mean == 0)
        }
    }

    @Test func `equal requests get equal bytes, even if Accept is written differently`() async throws {
        let image = try Self.photograph()
        let bodies = [Self.safari, Self.safari, "image/webp, */*", "*/*;q=0.1,image/webp"]
        var replies: [[UInt8]] = []
        for accept in bodies { replies.append(try await reply(image, as: .jpeg, accept: accept).body) }
        #expect(Set(replies).count == 1)
    }

    @Test func `maxBytes and full chroma select a format that supports them`() async throws {
        let image = try Self.photograph()
        let small = try await reply(image, as: .png, accept: Self.safari, "&maxBytes=9000")
        #expect(OutputFormat.sniff(small.body) == .webp && small.body.count <= 9000)
        let full = try await reply(image, as: .jpeg, accept: Self.safari, "&chroma=444")
        #expect(OutputFormat.sniff(full.body) == .jpeg)
        let drawn = try await reply(try Self.drawing(), as: .png, accept: Self.plain, "&maxBytes=9000")
        #expect(OutputFormat.sniff(drawn.body) == .png && drawn.body.count <= 9000)
    }
}

/// Whether an image is a drawing.
@Suite(.limitedConcurrency) struct DrawnPixelsTests {
    private static let size = PixelSize(width: 200, height: 150)

    @Test func `uniform areas and gradients are drawings, but noise is not`() throws {
        #expect(try TestImage.quadrants(Self.size).isDrawn)
        #expect(try TestImage.gradient(Self.size).isDrawn)
        #expect(try TestImage.rgb(Self.size) { x, y in (UInt8(x / 50 * 40), UInt8(y / 30 * 40), 9) }.isDrawn)
        #expect(try !TestImage.colorNoise(Self.size, seed: 1).isDrawn)
        #expect(try !TestImage.noise(Self.size, seed: 1).isDrawn)
    }

    @Test(arguments: [ColorModel.ycbcr(.halved), .ycbcr(.halvedAcross), .ycbcr(.none), .gray])
    func `chroma planes may be smaller than the luma plane`(model: ColorModel) throws {
        #expect(try TestImage.quadrants(Self.size).converted(to: model).isDrawn)
        #expect(try !TestImage.colorNoise(Self.size, seed: 2).converted(to: model).isDrawn)
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2), (3, 5)])
    func `the smallest images are classified`(width: Int, height: Int) throws {
        let even = try TestImage.rgb(PixelSize(width: width, height: height)) { _, _ in (90, 9, 200) }
        #expect(even.isDrawn == (width > 1 && height > 1))
    }

    @Test func `alpha is dropped only if every pixel is opaque`() throws {
        let image = try TestImage.quadrants(Self.size)
        func with(_ sample: UInt8) throws -> PlanarImage {
            let alpha = try Plane(Self.size) { x, y in x == 5 && y == 7 ? sample : 255 }
            return PlanarImage(size: Self.size, colorModel: .rgb, planes: image.planes, alpha: alpha)
        }
        #expect(try with(255).withoutOpaqueAlpha.alpha == nil)
        #expect(try with(254).withoutOpaqueAlpha.alpha != nil)
    }
}
