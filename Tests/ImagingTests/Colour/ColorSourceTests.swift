import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// The priority of the colour descriptions in a file.
@Suite(.limitedConcurrency) struct ColorSourceTests {
    private static let size = PixelSize(width: 24, height: 16)
    private static let color = [200.0, 90, 60]

    enum Meaning: Sendable { case srgb, displayP3, adobe, linear, gamma18 }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let chunks: [(type: String, data: [UInt8])]
        let meaning: Meaning
    }

    private static let cicpP3: (String, [UInt8]) = ("cICP", [12, 13, 0, 1])
    private static let cicpSRGB: (String, [UInt8]) = ("cICP", [1, 13, 0, 1])
    private static let iccpAdobe = (
        "iCCP", OddPNG.profileChunk(ColorProfile(ColorProfile.adobeColorants, .gamma(2.2)).bytes)
    )
    private static let srgb: (String, [UInt8]) = ("sRGB", [1])
    private static let linear: (String, [UInt8]) = ("gAMA", OddPNG.numbers([100_000]))
    private static let usual: (String, [UInt8]) = ("gAMA", OddPNG.numbers([45_455]))
    private static let mac: (String, [UInt8]) = ("gAMA", OddPNG.numbers([55_556]))
    private static let chromaP3: (String, [UInt8]) = (
        "cHRM", OddPNG.numbers([31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000])
    )

    static let cases = [
        Case(testDescription: "nothing", chunks: [], meaning: .srgb),
        Case(testDescription: "cICP", chunks: [cicpP3], meaning: .displayP3),
        Case(testDescription: "cICP before iCCP", chunks: [cicpP3, iccpAdobe], meaning: .displayP3),
        Case(testDescription: "cICP after iCCP", chunks: [iccpAdobe, cicpP3], meaning: .displayP3),
        Case(testDescription: "cICP of sRGB over iCCP", chunks: [cicpSRGB, iccpAdobe], meaning: .srgb),
        Case(testDescription: "cICP over sRGB and gAMA", chunks: [cicpP3, srgb, linear], meaning: .displayP3),
        Case(testDescription: "cICP with a matrix is not defined", chunks: [("cICP", [12, 13, 1, 1])], meaning: .srgb),
        Case(testDescription: "iCCP", chunks: [iccpAdobe], meaning: .adobe),
        Case(testDescription: "iCCP over gAMA", chunks: [linear, iccpAdobe], meaning: .adobe),
        Case(testDescription: "sRGB over gAMA and cHRM", chunks: [srgb, mac, chromaP3], meaning: .srgb),
        Case(testDescription: "gAMA of 1", chunks: [linear], meaning: .linear),
        Case(testDescription: "gAMA of 1/1.8", chunks: [mac], meaning: .gamma18),
        Case(testDescription: "gAMA of 1/2.2 is sRGB", chunks: [usual], meaning: .srgb),
        Case(testDescription: "gAMA of 1/2.2 and cHRM", chunks: [usual, chromaP3], meaning: .displayP3),
        Case(testDescription: "cHRM alone", chunks: [chromaP3], meaning: .srgb),
        Case(testDescription: "gAMA of 0", chunks: [("gAMA", [0, 0, 0, 0])], meaning: .srgb),
    ]

    private func expected(_ meaning: Meaning) -> [Double] {
        switch meaning {
        case .srgb: Self.color
        case .displayP3: NaiveColor.srgb(Self.color, ColorProfile.displayP3Colorants, .srgb)
        case .adobe: NaiveColor.srgb(Self.color, ColorProfile.adobeColorants, .gamma(2.2))
        case .linear: NaiveColor.srgb(Self.color, ColorProfile.srgbColorants, .gamma(1))
        case .gamma18: NaiveColor.srgb(Self.color, ColorProfile.srgbColorants, .gamma(1.8))
        }
    }

    private func rendered(_ file: [UInt8], _ use: ProfileUse = .srgb) throws -> PlanarImage {
        let image = try ImageDecoder.decode(file, header: try ImageHeader.read(file))
        let whole = FractionalRect(PixelRect(image.size))
        return try image.rendered(whole, to: image.size, model: .rgb, profile: use)
    }

    @Test(arguments: cases) func `the PNG chunk with the highest precedence applies`(each: Case) throws {
        for depth in [8, 16] {
            let png = OddPNG(.rgb, depth: depth, chunks: each.chunks)
            let file = png.encode(Self.size) { _, _, channel in Int(Self.color[channel]) * (depth == 16 ? 257 : 1) }
            let result = try rendered(file)
            for (plane, value) in zip(result.planes, expected(each.meaning)) {
                #expect(abs(Double(plane[x: 5, y: 5]) - value) <= 2, "\(depth) bits")
            }
        }
    }

    @Test(arguments: [OddPNG.ColorType.gray, .grayAlpha, .rgb, .rgba], [false, true])
    func `16-bit linear light keeps its dark shades`(type: OddPNG.ColorType, isInterlaced: Bool) throws {
        let size = PixelSize(width: 512, height: 9)
        let png = OddPNG(type, depth: 16, isInterlaced: isInterlaced, chunks: [Self.linear])
        // The darkest hundredth of the range has only three shades in 8-bit linear light.
        let file = png.encode(size) { x, y, channel in
            let isAlpha = channel == type.channels - 1 && (type == .grayAlpha || type == .rgba)
            return isAlpha ? 0x8080 + y : x + 100
        }
        let header = try ImageHeader.read(file)
        let result = try rendered(file)
        #expect(result.size == header.size && (result.alpha != nil) == header.hasAlpha)
        for x in 0..<size.width {
            let expected = NaiveColor.encoded(Double(x + 100) / 65535)
            for plane in result.planes { #expect(abs(Double(plane[x: x, y: 4]) - expected) <= 1, "\(x)") }
        }
        if let alpha = result.alpha { #expect((127...129).contains(alpha[x: 7, y: 7])) }
        // The profile that describes the curve belongs to the samples.
        #expect(try ImageDecoder.decode(file, header: header).iccProfile != nil)
        #expect(ImageDifference(try rendered(file, .keep), result).maximum <= 1)
    }

    @Test func `16-bit samples with other curves are rounded without conversion`() throws {
        let png = OddPNG(.rgb, depth: 16, chunks: [Self.mac])
        let file = png.encode(Self.size) { x, y, channel in (x * 2000 + y * 500 + channel * 77) % 65536 }
        let plain = OddPNG(.rgb, depth: 16).encode(Self.size) { x, y, channel in
            (x * 2000 + y * 500 + channel * 77) % 65536
        }
        let images = try [file, plain].map { try ImageDecoder.decode($0, header: try ImageHeader.read($0)) }
        #expect(ImageDifference(images[0], images[1]).maximum == 0)
        #expect(images[0].iccProfile != nil && images[1].iccProfile == nil)
    }

    @Test func `a profile that decompresses to more than the limit is ignored`() throws {
        let bytes = ColorProfile(ColorProfile.adobeColorants, .gamma(2.2)).adding(
            "xxxx",
            [UInt8](repeating: 0, count: 5 << 20)
        ).bytes
        let png = OddPNG(.rgb, chunks: [("iCCP", OddPNG.profileChunk(bytes))])
        let file = png.encode(Self.size) { _, _, channel in Int(Self.color[channel]) }
        let result = try rendered(file)
        for (plane, value) in zip(result.planes, Self.color) { #expect(Double(plane[x: 5, y: 5]) == value) }
    }

    #if AVIF
    @Test func `the code points of an AVIF apply`() throws {
        let plain = try #require(CodedFile.avif.first { $0.name == "avif-444-10" })
        // ColourPrimaries and TransferCharacteristics follow the type of the box.
        func stating(_ primaries: UInt8, _ transfer: UInt8) throws -> [UInt8] {
            var file = plain.bytes
            let letters = Array("nclx".utf8)
            let start = try #require(file.indices.dropLast(8).first { file[$0..<$0 + 4].elementsEqual(letters) })
            file[start + 5] = primaries
            file[start + 7] = transfer
            return file
        }
        let source = try rendered(plain.bytes)
        let color = source.planes.map { Double($0[x: 5, y: 5]) }
        let tests: [(UInt8, UInt8, [Double])] = [
            (12, 13, NaiveColor.srgb(color, ColorProfile.displayP3Colorants, .srgb)),
            (1, 8, NaiveColor.srgb(color, ColorProfile.srgbColorants, .gamma(1))),
            (1, 4, NaiveColor.srgb(color, ColorProfile.srgbColorants, .gamma(2.2))),
            (1, 1, color), (2, 2, color), (1, 6, color), (1, 14, color), (99, 13, color), (1, 99, color),
        ]
        for (primaries, transfer, expected) in tests {
            let result = try rendered(try stating(primaries, transfer))
            for (plane, value) in zip(result.planes, expected) {
                #expect(abs(Double(plane[x: 5, y: 5]) - value) <= 2, "\(primaries), \(transfer)")
            }
        }
        let kept = try rendered(try stating(12, 13), .keep)
        #expect(kept.iccProfile == ICCProfile(ColorDescription(primaries: 12, transfer: 13), for: .rgb))
    }
    #endif

    @Test(arguments: [true, false]) func `the inks of a JPEG are converted with its profile`(hasMarker: Bool) throws {
        // Cyan and black on white paper.
        let table = ColorProfile(table: "CMYK") { [$0[3] == 1 ? 0 : $0[0] == 1 ? 60 : 100, $0[0] == 1 ? -30 : 0, 0] }
        var file = try OddJPEG(.cmyk).encode(Self.size) { component, x, _ in
            // Cyan ink on the right half; 0 is full ink, with or without the marker.
            let ink = component == 0 && x > 12
            return ink ? 0 : 255
        }
        if !hasMarker { file = JPEGSegments.removing(0xEE, from: file) }
        let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + table.bytes
        let result = try rendered(JPEGSegments.inserting(0xE2, profile, into: file))
        #expect(result.iccProfile == nil && result.colorModel == .rgb)
        let cyan = NaiveColor.srgb(lab: [60, -30, 0])
        for (plane, value) in zip(result.planes, cyan) {
            #expect(abs(Double(plane[x: 2, y: 8]) - 255) <= 3)
            #expect(abs(Double(plane[x: 20, y: 8]) - value) <= 4)
        }
        // Detectors and attention use the inks without a profile, regardless of the output.
        let tagged = JPEGSegments.inserting(0xE2, profile, into: file)
        let lumas = try [tagged, file].map { file in
            try ImageDecoder.decodeLuma(file, header: try ImageHeader.read(file))
        }
        #expect(ImageDifference(lumas[0], lumas[1]).maximum == 0)
    }

    #if TIFF
    @Test(arguments: [true, false]) func `the inks of a TIFF are converted with its profile`(isPlanar: Bool) throws {
        let table = ColorProfile(table: "CMYK") { [$0[3] == 1 ? 0 : $0[0] == 1 ? 60 : 100, $0[0] == 1 ? -30 : 0, 0] }
        var file = TIFFFile()
        (file.photometric, file.samples, file.isPlanar, file.profile) = (5, 4, isPlanar, table.bytes)
        // Cyan on the right half; TIFF stores 255 for full ink.
        let result = try rendered(file.encode(Self.size) { x, _, channel in channel == 0 && x > 12 ? 255 : 0 })
        #expect(result.iccProfile == nil && result.colorModel == .rgb)
        for (plane, value) in zip(result.planes, NaiveColor.srgb(lab: [60, -30, 0])) {
            #expect(abs(Double(plane[x: 2, y: 8]) - 255) <= 3)
            #expect(abs(Double(plane[x: 20, y: 8]) - value) <= 4)
        }
    }
    #endif
}
