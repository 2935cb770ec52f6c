import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct CopyrightNoticeTests {
    private static let size = PixelSize(width: 24, height: 16)
    private static let full = CopyrightNotice(
        artist: "Ana Ruiz",
        copyright: "© 2024 Ana Ruiz & Söhne <all>",
        credit: "Foto \"A\""
    )

    private static func jpeg() throws -> [UInt8] { try ImageEncoder.encode(try TestImage.gradient(size), as: .jpeg) }

    private static func exif(_ artist: String?, _ copyright: String?) throws -> [UInt8] {
        let tiff = CameraMetadata.tiff(artist: artist, copyright: copyright)
        return JPEGSegments.inserting(0xE1, Array("Exif\0\0".utf8) + tiff, into: try jpeg())
    }

    private static func xmp(_ packet: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
        JPEGSegments.inserting(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet, into: jpeg)
    }

    @Test(arguments: OutputFormat.allCases, [false, true])
    func `a notice is written to every format and can be read again`(format: OutputFormat, hasAlpha: Bool) throws {
        let colors = try TestImage.gradient(Self.size)
        let alpha = try hasAlpha ? Plane(Self.size) { x, y in UInt8(x + y) } : nil
        let image = PlanarImage(size: Self.size, colorModel: .rgb, planes: colors.planes, alpha: alpha)
        let notices = [
            Self.full, CopyrightNotice(artist: "A"), CopyrightNotice(copyright: "Nobody"),
            CopyrightNotice(credit: "Agency"),
        ]
        for notice in notices {
            var options = EncodingOptions()
            let plain = try ImageEncoder.encode(image, as: format, options)
            options.copyright = notice
            let bytes = try ImageEncoder.encode(image, as: format, options)
            let header = try ImageHeader.read(bytes)
            #expect(header.size == Self.size && header.orientation == .up)
            let (one, other) = (
                try ImageDecoder.decode(bytes, header: header),
                try ImageDecoder.decode(plain, header: try ImageHeader.read(plain))
            )
            #expect(ImageDifference(one, other).maximum == 0)
            // Notices are not read from AVIF files, so the test searches for the texts.
            if [.jpeg, .png, .webp, .gif].contains(format) {
                #expect(CopyrightNotice(of: bytes, format: InputFormat(format)) == notice)
                #expect(CopyrightNotice(of: plain, format: InputFormat(format)) == nil)
            } else {
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(text.contains("xpacket") && text.contains(notice.artist ?? ""))
            }
        }
    }

    @Test func `artist and copyright are read from EXIF`() throws {
        let bytes = try Self.exif("Ana", "Ben\0editor")
        #expect(CopyrightNotice(of: bytes, format: .jpeg) == CopyrightNotice(artist: "Ana", copyright: "Ben"))
        #expect(try CopyrightNotice(of: Self.exif(" x ", "  "), format: .jpeg) == CopyrightNotice(artist: "x"))
        #expect(try CopyrightNotice(of: Self.exif(nil, nil), format: .jpeg) == nil)
    }

    @Test func `texts are read from IPTC`() throws {
        let records: [(UInt8, String)] = [(5, "Title"), (80, "Ana"), (110, "Agency"), (116, "© Ana"), (80, "Second")]
        let resources = CameraMetadata.photoshop(records: records.map { (number: $0.0, text: $0.1) })
        let bytes = JPEGSegments.inserting(0xED, Array("Photoshop 3.0\0".utf8) + resources, into: try Self.jpeg())
        let expected = CopyrightNotice(artist: "Ana", copyright: "© Ana", credit: "Agency")
        #expect(CopyrightNotice(of: bytes, format: .jpeg) == expected)
    }

    @Test func `XMP has priority over EXIF, and several creators become one text`() throws {
        let packet = CameraMetadata.xmp(
            creators: ["Ana &amp; Co", "B&#233;n&#xE9;"],
            rights: nil,
            credit: "A &lt;B&gt;"
        )
        let bytes = Self.xmp(packet, into: try Self.exif("Other", "© Exif"))
        let expected = CopyrightNotice(artist: "Ana & Co; Béné", copyright: "© Exif", credit: "A <B>")
        #expect(CopyrightNotice(of: bytes, format: .jpeg) == expected)
    }

    @Test func `texts are read from PNG and WebP`() throws {
        let xmp = CameraMetadata.xmp(creators: ["Ana"], rights: "© Ana", credit: nil)
        let tiff = CameraMetadata.tiff(artist: "Exif", copyright: nil)
        let expected = CopyrightNotice(artist: "Ana", copyright: "© Ana")
        let png = OddPNG(
            .rgb,
            chunks: [("iTXt", Array("XML:com.adobe.xmp\0\0\0en\0\0".utf8) + xmp), ("eXIf", tiff)]
        ).encode(Self.size) { x, _, _ in x }
        #expect(CopyrightNotice(of: png, format: .png) == expected)
        let texts = OddPNG(
            .rgb,
            chunks: [("tEXt", Array("Author\0Ana".utf8)), ("tEXt", Array("Copyright\0".utf8) + [0xA9, 0x20, 0x41])]
        ).encode(Self.size) { x, _, _ in x }
        #expect(CopyrightNotice(of: texts, format: .png) == CopyrightNotice(artist: "Ana", copyright: "© A"))
        let still = WebPFile.image(of: try ImageEncoder.encode(try TestImage.gradient(Self.size), as: .webp))
        let webp = WebPFile.extended(
            Self.size,
            .exif,
            still + WebPFile.chunk("EXIF", tiff) + WebPFile.chunk("XMP ", xmp)
        )
        #expect(CopyrightNotice(of: webp, format: .webp) == expected)
    }

    @Test(arguments: [OutputFormat.webp, .gif, .png])
    func `a notice is added to animations`(format: OutputFormat) throws {
        let frames = [try TestImage.gradient(Self.size), try TestImage.waves(Self.size)].map {
            PlanarImage(size: Self.size, colorModel: .rgb, planes: [$0.planes[0], $0.planes[0], $0.planes[0]])
        }
        let writer = try AnimationEncoder.begin(format, size: Self.size, plays: 3)
        for frame in frames { try writer.add(frame, milliseconds: 70) }
        let plain = try writer.finish()
        let file = Self.full.added(toAnimation: plain, as: format, Self.size)
        #expect(CopyrightNotice(of: file, format: InputFormat(format)) == Self.full)
        let (header, before) = (try ImageHeader.read(file), try ImageHeader.read(plain))
        #expect(header.animation?.frames == 2 && header.animation?.plays == 3)
        #expect(header.animation?.duration == before.animation?.duration && header.hasAlpha == before.hasAlpha)
        let shown = try Animations.frames(file)
        for (one, other) in zip(shown, try Animations.frames(plain)) {
            #expect(ImageDifference(one.image, other.image).maximum == 0)
        }
        #expect(shown.count == 2)
    }

    #if AVIF
    @Test func `an AVIF sequence has a notice`() throws {
        for notice in [nil, Self.full] {
            let writer = try AnimationEncoder.begin(.avif, size: Self.size, plays: 0, copyright: notice)
            for seed in 1...2 {
                let plane = try TestImage.noise(Self.size, seed: UInt64(seed)).planes[0]
                let frame = PlanarImage(size: Self.size, colorModel: .rgb, planes: [plane, plane, plane])
                try writer.add(frame, milliseconds: 70)
            }
            let file = try writer.finish()
            #expect(try Animations.frames(file).count == 2)
            #expect(String(decoding: file, as: UTF8.self).contains("Ana Ruiz") == (notice != nil))
        }
    }
    #endif

    @Test func `a truncated or unusual GIF yields no notice and no error`() throws {
        let plain = try ImageEncoder.encode(try TestImage.gradient(Self.size), as: .gif)
        let file = Self.full.added(toAnimation: plain, as: .gif, Self.size)
        for count in 0..<file.count {
            let notice = CopyrightNotice(of: Array(file[..<count]), format: .gif)
            #expect(notice == nil || notice == Self.full)
        }
    }

    @Test func `long texts are truncated, and control characters become spaces`() throws {
        let long = try #require(
            CopyrightNotice(of: try Self.exif(String(repeating: "é", count: 3000), "a\nb\u{7F}c"), format: .jpeg)
        )
        #expect(long.artist?.utf8.count == 1024 && long.copyright == "a b c")
    }

    @Test func `invalid metadata yield no notice and no error`() throws {
        let good = [
            Self.xmp(CameraMetadata.xmp(creators: ["Ana"], rights: "R", credit: "C"), into: try Self.exif("A", "B")),
            JPEGSegments.inserting(
                0xED,
                Array("Photoshop 3.0\0".utf8) + CameraMetadata.photoshop(records: [(80, "Ana"), (116, "B")]),
                into: try Self.jpeg()
            ),
        ]
        var generator = SeededGenerator(seed: 4)
        for bytes in good {
            for _ in 0..<500 {
                var damaged = bytes
                for _ in 0..<4 {
                    damaged[Int.random(in: 2..<1200, using: &generator) % damaged.count] = UInt8.random(
                        in: .min ... .max,
                        using: &generator
                    )
                }
                let cut = Array(damaged.prefix(Int.random(in: 0...damaged.count, using: &generator)))
                for format in [InputFormat.jpeg, .png, .webp, .gif] {
                    let notice = CopyrightNotice(of: cut, format: format)
                    #expect(notice.map { !$0.isEmpty } ?? true)
                }
            }
        }
    }
}
