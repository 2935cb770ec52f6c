import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Photos with gain maps.
@Suite(.limitedConcurrency) struct GainMapTests {
    private static let size = PixelSize(width: 120, height: 80)

    private func cropped(_ file: [UInt8], turn: Orientation = .up) throws -> (whole: [UInt8], map: [UInt8]) {
        let header = try ImageHeader.read(file)
        let map = try #require(GainMap(jpeg: file))
        let region = FractionalRect(x: 0.5, y: 0.25, width: 0.5, height: 0.5)
        let output = PixelSize(width: 60, height: 40)
        let part = try map.cropped(to: region, of: output, turn: turn, source: header, limits: DecodeLimits())
        let image = try ImageEncoder.encode(try TestImage.waves(output), as: .jpeg)
        return (map.joined(image, part, nil), part)
    }

    @Test(arguments: UltraHDRFile.Form.allCases)
    func `a crop contains its part of the gain map, with the same metadata`(form: UltraHDRFile.Form) throws {
        let file = try UltraHDRFile.sample(Self.size, form)
        let (whole, part) = try cropped(file)
        // The gain map has half the scale of the image.
        let map = try ImageDecoder.decode(part, header: try ImageHeader.read(part))
        #expect(map.size == PixelSize(width: 30, height: 20) && map.colorModel == .gray)
        #expect(abs(Int(map.planes[0][x: 15, y: 10]) - 175) <= 4)
        // The image list leads to the same gain map.
        let again = try #require(GainMap(jpeg: whole))
        #expect(again.hasSameMetadata(as: try #require(GainMap(jpeg: file))))
        #expect(try ImageHeader.read(whole).size == PixelSize(width: 60, height: 40))
        #expect(whole.suffix(part.count) == part[...])
    }

    /// Motion photos from several manufacturers lack an image list and have a video after the gain map.
    @Test(arguments: UltraHDRFile.Form.allCases, [false, true])
    func `without an image list, a gain map before a video is found by its markers`(
        form: UltraHDRFile.Form,
        hasDirectory: Bool
    ) throws {
        let file = try UltraHDRFile.sample(Self.size, form)
        let expected = try #require(GainMap(jpeg: file))
        let name = Array("\"GainMap\"".utf8)
        let directory = try #require(file.firstRange(of: name))
        var motion = file
        if !hasDirectory { motion.replaceSubrange(directory, with: Array("\"Another\"".utf8)) }
        let lure: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 9, 0xFF, 0xD9]
        let video = Array("\0\0\0\u{18}ftypmp42".utf8) + lure + Array(repeating: 0x5A as UInt8, count: 5000)
        for rest in [[], video] {
            let found = try #require(GainMap(jpeg: motion + rest))
            #expect(found.hasSameMetadata(as: expected))
            let (_, part) = try cropped(motion + rest)
            let map = try ImageDecoder.decode(part, header: try ImageHeader.read(part))
            #expect(map.size == PixelSize(width: 30, height: 20))
            #expect(abs(Int(map.planes[0][x: 15, y: 10]) - 175) <= 4)
        }
    }

    @Test func `images between the primary image and the gain map are skipped`() throws {
        let file = try UltraHDRFile.sample(Self.size, .xmp)
        let expected = try #require(GainMap(jpeg: file))
        let primary = try ImageEncoder.encode(try TestImage.waves(Self.size), as: .jpeg)
        var options = EncodingOptions(quality: 60)
        options.isProgressive = true
        let preview = try ImageEncoder.encode(try TestImage.waves(Self.size), as: .jpeg, options)
        let map = file[try #require(file.ranges(of: [0xFF, 0xD8, 0xFF]).last).lowerBound...]
        // Meaningless bytes follow the preview.
        let rest: [UInt8] = [0xFF, 0xD8, 0xFF, 0, 1, 2] + map
        let found = try #require(GainMap(jpeg: primary + preview + rest))
        #expect(found.hasSameMetadata(as: expected))
        #expect(GainMap(jpeg: primary + preview) == nil)
    }

    @Test func `a rotated output has a rotated gain map`() throws {
        let (_, part) = try cropped(try UltraHDRFile.sample(Self.size, .both), turn: .right)
        let map = try ImageDecoder.decode(part, header: try ImageHeader.read(part))
        #expect(map.size == PixelSize(width: 20, height: 30))
    }

    @Test func `a gain map larger than the image is rejected`() throws {
        let small = try ImageEncoder.encode(try TestImage.waves(PixelSize(width: 20, height: 20)), as: .jpeg)
        let large = try ImageEncoder.encode(try TestImage.waves(Self.size), as: .jpeg)
        #expect(throws: CodecError.self) { try cropped(UltraHDRFile.file(small, large, .both)) }
    }

    @Test func `no gain map is found if it is missing or has damaged metadata`() throws {
        let plain = try ImageEncoder.encode(try TestImage.waves(Self.size), as: .jpeg)
        #expect(GainMap(jpeg: plain) == nil)
        let file = try UltraHDRFile.sample(Self.size, .iso)
        for length in 0..<file.count where length % 7 == 0 { _ = GainMap(jpeg: Array(file.prefix(length))) }
        var wrong = file
        // The minimum version of the binary form.
        let place = try #require(wrong.firstRange(of: UltraHDRFile.iso)).lowerBound
        wrong[place + 1] = 9
        #expect(GainMap(jpeg: wrong) == nil)
    }

    /// A JPEG with an XMP packet in its first segment.
    private func file(_ image: [UInt8], xmp: String) -> [UInt8] {
        let content = Array("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8)
        let length = content.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content + image.dropFirst(2)
    }

    @Test(arguments: HostileText.allCases)
    func `XMP packets are searched in time proportional to their length`(kind: HostileText) throws {
        let plain = try ImageEncoder.encode(try TestImage.waves(PixelSize(width: 8, height: 8)), as: .jpeg)
        let isProportional = isLinear(upTo: 64_000) { count in
            let (whole, part) = (kind.text(count), kind.text(count / 3))
            let map = file(plain, xmp: "<x hdrgm:Version=\"\(part)\" <hdrgm:Gamma>\(part)</hdrgm:Gamma> \(part)")
            let packets = [
                whole, "<\(whole)", "<x a=\"GainMap\" \(whole)",
                "<x \(part) Item:Semantic=\"GainMap\" \(part) Item:Length=\"\(map.count)\" \(part)>",
            ]
            for packet in packets { #expect(GainMap(jpeg: file(plain, xmp: packet) + map) == nil) }
        }
        #expect(isProportional)
    }
}
