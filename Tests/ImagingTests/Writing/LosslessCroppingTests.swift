import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct LosslessCroppingTests {
    private static let samplings: [[(horizontal: Int, vertical: Int)]] = [
        [(1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)],
        [(4, 1), (1, 1), (1, 1)], [(2, 2), (1, 2), (1, 2)],
    ]
    private static let size = PixelSize(width: 149, height: 117)

    private static func texture(_ component: Int, _ x: Double, _ y: Double) -> Double {
        let cell = (Int(x) * 7 + Int(y) * 13 + component * 50) % 97
        return 40 + Double(cell) + (component == 0 ? x / 2 : y / 3)
    }

    private func image(
        _ color: OddJPEG.Color = .ycbcr,
        sampling: [(horizontal: Int, vertical: Int)] = samplings[3],
        isProgressive: Bool = false,
        size: PixelSize = size
    ) throws -> [UInt8] {
        try OddJPEG(color, sampling: sampling, isProgressive: isProgressive, quality: 80)
            .encode(size, value: Self.texture)
    }

    private func decoded(_ bytes: [UInt8]) throws -> PlanarImage {
        try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    private func grid(_ bytes: [UInt8]) throws -> BlockGrid {
        try #require(try ImageHeader.read(bytes).losslessCropping).grid
    }

    @Test(arguments: samplings, [false, true])
    func `every sample of the output equals the source's sample`(
        sampling: [(horizontal: Int, vertical: Int)],
        isProgressive: Bool
    ) throws {
        let bytes = try image(sampling: sampling, isProgressive: isProgressive)
        let source = try decoded(bytes)
        for wanted in [
            PixelRect(x: 37, y: 21, width: 70, height: 55), PixelRect(x: 90, y: 60, width: 59, height: 57),
            PixelRect(Self.size), PixelRect(x: 0, y: 117 - 9, width: 3, height: 9),
        ] {
            let rect = try #require(try grid(bytes).aligned(wanted))
            let file = try LosslessCropping.crop(bytes, to: rect)
            let header = try ImageHeader.read(file)
            #expect(header.isProgressive == isProgressive && header.colorModel == source.colorModel)
            let result = try decoded(file)
            #expect(result.size == rect.size)
            for (plane, original) in zip(result.planes, source.planes) {
                let across = (Self.size.width + original.size.width - 1) / original.size.width
                let down = (Self.size.height + original.size.height - 1) / original.size.height
                let expected = try Plane(plane.size) { original[x: rect.x / across + $0, y: rect.y / down + $1] }
                #expect(ImageDifference(plane, expected).maximum == 0)
            }
        }
    }

    @Test(arguments: Orientation.allCases, [false, true])
    func `a rotated source yields an upright output`(orientation: Orientation, isProgressive: Bool) throws {
        let stored = try image(isProgressive: isProgressive)
        let bytes = JPEGSegments.tagged(orientation.rawValue, stored)
        let source = try decoded(bytes)
        let wanted = PixelRect(x: 40, y: 30, width: 57, height: 60)
        let rect = try #require(try grid(bytes).aligned(wanted))
        let file = try LosslessCropping.crop(bytes, to: rect)
        #expect(try ImageHeader.read(file).orientation == .up)
        let result = try decoded(file)
        let luma = source.planes[0]
        let expected = try Plane(rect.size) { luma[x: rect.x + $0, y: rect.y + $1] }
        // The decoder rounds between columns and rows, so transposed coefficients may lead to rounding differences.
        let tolerance = orientation.swapsSides ? 2 : 0
        #expect(ImageDifference(result.planes[0], expected).maximum <= tolerance)
    }

    @Test(arguments: Orientation.allCases)
    func `two opposite rotations preserve every coefficient`(orientation: Orientation) throws {
        // Whole MCUs of 16 pixels, so that both rotations preserve all of them.
        let size = PixelSize(width: 96, height: 64)
        let stored = try image(size: size)
        let upright = orientation.upright(size)
        let there = try LosslessCropping.crop(
            JPEGSegments.tagged(orientation.rawValue, stored),
            to: PixelRect(upright)
        )
        // Rotations by 90° in opposite directions reverse each other; every other orientation reverses itself.
        let opposite = orientation == .right ? Orientation.left : orientation == .left ? .right : orientation
        let back = try LosslessCropping.crop(JPEGSegments.tagged(opposite.rawValue, there), to: PixelRect(size))
        #expect(ImageDifference(try decoded(back), try decoded(stored)).maximum == 0)
        #expect(back == (try LosslessCropping.crop(stored, to: PixelRect(size))))
        #expect(try ImageHeader.read(back).quantization == ImageHeader.read(stored).quantization)
    }

    @Test(arguments: OddJPEG.Color.allCases, [false, true])
    func `the colour model of the components is kept`(color: OddJPEG.Color, isProgressive: Bool) throws {
        let bytes = try image(color, sampling: Array(repeating: (1, 1), count: 4), isProgressive: isProgressive)
        let rect = PixelRect(x: 16, y: 8, width: 101, height: 99)
        let result = try decoded(try LosslessCropping.crop(bytes, to: rect))
        let source = try decoded(bytes)
        #expect(result.colorModel == source.colorModel)
        for (plane, original) in zip(result.planes, source.planes) {
            let expected = try Plane(rect.size) { original[x: rect.x + $0, y: rect.y + $1] }
            #expect(ImageDifference(plane, expected).maximum == 0)
        }
    }

    @Test func `a single component has blocks of eight pixels for all sampling factors`() throws {
        let bytes = try image(.gray, sampling: [(2, 2)])
        let rect = PixelRect(x: 24, y: 8, width: 50, height: 33)
        let result = try decoded(try LosslessCropping.crop(bytes, to: rect))
        let source = try decoded(bytes).planes[0]
        let expected = try Plane(rect.size) { source[x: rect.x + $0, y: rect.y + $1] }
        #expect(ImageDifference(result.planes[0], expected).maximum == 0)
    }

    @Test func `the profile is kept, and other metadata are dropped`() throws {
        var profile = [UInt8](repeating: 0, count: 200)
        profile.replaceSubrange(16..<20, with: "RGB ".utf8)
        profile.replaceSubrange(36..<40, with: "acsp".utf8)
        var bytes = JPEGSegments.tagged(1, try image())
        bytes = JPEGSegments.inserting(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile, into: bytes)
        bytes = JPEGSegments.inserting(0xFE, Array("where I live".utf8), into: bytes)
        let file = try LosslessCropping.crop(bytes, to: PixelRect(x: 16, y: 16, width: 40, height: 40))
        #expect(try decoded(file).iccProfile?.bytes == profile)
        let markers = JPEGSegments.segments(file).map { file[$0.lowerBound + 1] }
        #expect(!markers.contains(0xE1) && !markers.contains(0xFE))
    }

    @Test(arguments: [
        PixelRect(x: 8, y: 0, width: 20, height: 20), PixelRect(x: 0, y: 1, width: 20, height: 20),
        PixelRect(x: 0, y: 0, width: 150, height: 20), PixelRect(x: -16, y: 0, width: 32, height: 20),
        PixelRect(x: 16, y: 112, width: 20, height: 6), PixelRect(x: 16, y: 0, width: 0, height: 6),
    ])
    func `a rectangle that cannot be cropped losslessly is rejected`(rect: PixelRect) throws {
        let bytes = try image()
        #expect(throws: CodecError.self) { try LosslessCropping.crop(bytes, to: rect) }
    }

    @Test(arguments: [false, true])
    func `a damaged file is cropped or rejected, and never crashes the process`(isProgressive: Bool) throws {
        let bytes = try image(isProgressive: isProgressive)
        var generator = SeededGenerator(seed: 7)
        for turn in 0..<400 {
            var damaged = bytes
            if turn % 4 == 0 { damaged.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
            for _ in 0..<turn % 4 {
                damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
                    in: 0...255,
                    using: &generator
                )
            }
            guard let header = try? ImageHeader.read(damaged), let cropping = header.losslessCropping,
                header.size.area < 1_000_000, let rect = cropping.grid.aligned(PixelRect(header.size))
            else { continue }
            guard let file = try? LosslessCropping.crop(damaged, to: rect) else { continue }
            #expect(try ImageHeader.read(file).size == rect.size)
        }
    }

    @Test func `the limits on memory and scans apply`() throws {
        let bytes = try image(isProgressive: true)
        let rect = PixelRect(x: 16, y: 16, width: 32, height: 32)
        #expect(throws: CodecError.self) {
            try LosslessCropping.crop(bytes, to: rect, limits: DecodeLimits(maxBytes: 10_000))
        }
        #expect(throws: CodecError.self) {
            try LosslessCropping.crop(bytes, to: rect, limits: DecodeLimits(maxScans: 3))
        }
    }
}
