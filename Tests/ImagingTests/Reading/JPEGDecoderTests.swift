import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct JPEGDecoderTests {
    private static let samplings: [(luma: (Int, Int), blue: (Int, Int), red: (Int, Int))] = [
        ((1, 1), (1, 1), (1, 1)),
        ((2, 1), (1, 1), (1, 1)),
        ((1, 2), (1, 1), (1, 1)),
        ((2, 2), (1, 1), (1, 1)),
        ((4, 1), (1, 1), (1, 1)),
        ((1, 4), (1, 1), (1, 1)),
        ((4, 2), (1, 1), (1, 1)),
        ((3, 1), (1, 1), (1, 1)),
        ((2, 2), (2, 1), (2, 1)),
        ((2, 2), (1, 2), (2, 1)),
        ((3, 2), (2, 1), (1, 2)),
        ((1, 1), (2, 2), (1, 1)),
    ]

    @Test(arguments: samplings, [false, true])
    func `every sampling keeps size and colours at every scale`(
        sampling: (luma: (Int, Int), blue: (Int, Int), red: (Int, Int)),
        isProgressive: Bool
    ) throws {
        let size = PixelSize(width: 83, height: 61)
        let kind = OddJPEG(
            .ycbcr,
            sampling: [sampling.luma, sampling.blue, sampling.red],
            isProgressive: isProgressive,
            quality: 100
        )
        let bytes = try kind.encode(size, value: Self.ramps)
        let header = try ImageHeader.read(bytes)
        #expect(header.size == size && header.isProgressive == isProgressive)
        for eighths in 1...8 {
            let scale = DecodeScale(eighths: eighths)
            let expected = PixelSize(width: (83 * eighths + 7) / 8, height: (61 * eighths + 7) / 8)
            let image = try ImageDecoder.decode(bytes, header: header, scale: scale)
            #expect(image.size == expected && header.size(atScale: scale) == expected)
            if eighths == 8 { #expect(image.colorModel == header.colorModel) }
            let whole = FractionalRect(PixelRect(expected))
            let full = try Resampler.resample(image, region: whole, to: expected, model: .ycbcr(.none))
            let pixels = 8 / Double(eighths)
            for component in 0..<3 {
                var furthest = 0.0
                // The last samples include padding, and interpolation spreads the padding over eight pixels.
                for y in 4..<max(4, expected.height - 8) {
                    for x in 4..<max(4, expected.width - 8) {
                        let ideal = Self.ramps(component, (Double(x) + 0.5) * pixels, (Double(y) + 0.5) * pixels)
                        furthest = max(furthest, abs(Double(full.planes[component][x: x, y: y]) - ideal))
                    }
                }
                #expect(furthest <= 3, "component \(component) at \(eighths)/8")
            }
            let luma = try ImageDecoder.decodeLuma(bytes, header: header, scale: scale)
            #expect(ImageDifference(luma, full.planes[0]).maximum == 0)
        }
    }

    /// A different slope for each component, steep enough to reveal a shift by one pixel.
    private static func ramps(_ component: Int, _ x: Double, _ y: Double) -> Double {
        switch component {
        case 0: 30 + 2 * x
        case 1: 220 - 2 * x
        default: 40 + 2.5 * y
        }
    }

    @Test func `the fast scale yields at least the requested size`() {
        for (factor, eighths) in [(0.0, 1), (0.125, 1), (0.13, 2), (0.3, 4), (0.5, 4), (0.51, 8), (1, 8), (3, 8)] {
            #expect(DecodeScale.fast(atLeast: factor) == DecodeScale(eighths: eighths))
        }
    }

    @Test func `chroma that is halved both ways has full resolution at half the size`() throws {
        let kind = OddJPEG(.ycbcr, sampling: [(2, 2), (1, 1), (1, 1)])
        let bytes = try kind.encode(PixelSize(width: 35, height: 21)) { _, _, _ in 99 }
        let header = try ImageHeader.read(bytes)
        #expect(header.colorModel == .ycbcr(.halved))
        let half = try ImageDecoder.decode(bytes, header: header, scale: DecodeScale(eighths: 4))
        #expect(half.colorModel == .ycbcr(.none))
    }

    @Test func `grey, RGB and arithmetic-coded files are decoded`() throws {
        let size = PixelSize(width: 40, height: 30)
        for kind in [OddJPEG(.gray, sampling: [(2, 2)]), OddJPEG(.rgb), OddJPEG(.ycbcr, isArithmetic: true)] {
            let bytes = try kind.encode(size) { component, _, _ in [200, 120, 40][component] }
            let image = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
            for (plane, value) in zip(image.planes, [200, 120, 40]) {
                let flat = try Plane(size) { _, _ in UInt8(value) }
                #expect(ImageDifference(plane, flat).maximum <= 2)
            }
        }
    }

    @Test func `the luma of an RGB file is computed from its colours`() throws {
        let bytes = try OddJPEG(.rgb, quality: 100).encode(PixelSize(width: 16, height: 16)) { component, _, _ in
            [255, 0, 0][component]
        }
        let luma = try ImageDecoder.decodeLuma(bytes, header: try ImageHeader.read(bytes))
        #expect(abs(Int(luma[x: 8, y: 8]) - 76) <= 2)
    }

    @Test func `CMYK with inverted inks becomes RGB, with or without an Adobe marker`() throws {
        // 30 % cyan, 60 % magenta, no yellow, 20 % black.
        let ink = [0.3, 0.6, 0, 0.2]
        let size = PixelSize(width: 24, height: 24)
        let adobe = try OddJPEG(.cmyk, quality: 100).encode(size) { component, _, _ in 255 * (1 - ink[component]) }
        // Tools that remove metadata also remove the marker.
        for bytes in [adobe, JPEGSegments.removing(0xEE, from: adobe)] {
            let header = try ImageHeader.read(bytes)
            #expect(header.colorModel == .rgb)
            let image = try ImageDecoder.decode(bytes, header: header)
            for (plane, amount) in zip(image.planes, ink) {
                let expected = Int((255 * (1 - amount) * 0.8).rounded())
                #expect(abs(Int(plane[x: 12, y: 12]) - expected) <= 2)
            }
        }
    }

    @Test func `YCCK contains the complement of inverted inks`() throws {
        let size = PixelSize(width: 24, height: 24)
        // The colour is 200, 100, 50 with full key (black). The file contains the luma and chroma of 55, 155, 205.
        let (y, blue, red) = (130.8, 169.9, 73.9)
        let bytes = try OddJPEG(.ycck, quality: 100).encode(size) { component, _, _ in [y, blue, red, 255][component] }
        let image = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
        for (plane, light) in zip(image.planes, [200, 100, 50]) {
            #expect(abs(Int(plane[x: 12, y: 12]) - light) <= 4)
        }
    }

    @Test func `12-bit samples are rejected as unsupported`() throws {
        var bytes = try OddJPEG(.gray).encode(PixelSize(width: 8, height: 8)) { _, _, _ in 0 }
        let frame = try #require(JPEGSegments.segments(bytes).first { bytes[$0.lowerBound + 1] == 0xC0 })
        bytes[frame.lowerBound + 4] = 12
        bytes[frame.lowerBound + 1] = 0xC1
        let error = #expect(throws: CodecError.self) { try ImageHeader.read(bytes) }
        guard case .unsupportedFeature(.jpeg, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `data that end in the lower half yield the image decoded so far`() throws {
        let size = PixelSize(width: 128, height: 128)
        let noise = try TestImage.noise(size, seed: 3)
        let bytes = try ImageEncoder.encode(noise, as: .jpeg)
        let header = try ImageHeader.read(bytes)
        let whole = try ImageDecoder.decode(bytes, header: header)
        let part = try ImageDecoder.decode(Array(bytes.prefix(bytes.count * 3 / 4)), header: header)
        let top = FractionalRect(x: 0, y: 0, width: 128, height: 80)
        let kept = PixelSize(width: 128, height: 80)
        let wholeTop = try Resampler.resample(whole, region: top, to: kept, model: .gray)
        let partTop = try Resampler.resample(part, region: top, to: kept, model: .gray)
        #expect(ImageDifference(wholeTop, partTop).maximum == 0)
        #expect(part.planes[0][x: 64, y: 127] == 128)
        for kept in [bytes.count / 3, bytes.count / 5] {
            #expect(throws: CodecError.truncated(.jpeg)) {
                try ImageDecoder.decode(Array(bytes.prefix(kept)), header: header)
            }
        }
    }

    @Test func `more scans than the maximum are rejected`() throws {
        let bytes = try OddJPEG(.ycbcr, isProgressive: true).encode(PixelSize(width: 64, height: 64)) { _, x, y in x * y
        }
        let header = try ImageHeader.read(bytes)
        #expect(throws: CodecError.tooLarge(header.storedSize, limit: .scans(2))) {
            try ImageDecoder.decode(bytes, header: header, limits: DecodeLimits(maxScans: 2))
        }
    }
}
