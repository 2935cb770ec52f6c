import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Redaction of noise, which must disappear completely.
@Suite(.limitedConcurrency) struct RedactionTests {
    private static let size = PixelSize(width: 200, height: 160)

    private static func mask(
        x: Double = 100,
        y: Double = 80,
        halfWidth: Double = 40,
        halfHeight: Double = 50,
        roll: Double = 0
    ) -> RedactionMask {
        RedactionMask([
            .init(centre: PixelPoint(x: x, y: y), halfWidth: halfWidth, halfHeight: halfHeight, roll: roll)
        ])
    }

    /// Whether a pixel's centre is inside a rotated rectangle that is enlarged by a factor.
    private static func isInside(_ x: Int, _ y: Int, _ mask: RedactionMask, factor: Double = 1) -> Bool {
        mask.parts.contains { part in
            let (dx, dy) = (Double(x) + 0.5 - part.centre.x, Double(y) + 0.5 - part.centre.y)
            // For masks that are upright or rotated by 90°; ``tilted`` has a separate check.
            let (u, v) = part.roll == 90 ? (dy, -dx) : (dx, dy)
            return abs(u) <= factor * part.halfWidth && abs(v) <= factor * part.halfHeight
        }
    }

    @Test(arguments: [0.0, 90])
    func `a fill covers the rectangle and little outside it`(roll: Double) throws {
        let mask = Self.mask(halfWidth: 30, halfHeight: 50, roll: roll)
        let noise = try TestImage.colorNoise(Self.size, seed: 4)
        let result = try noise.redacted([mask], as: .fill)
        for (before, after) in zip(noise.planes, result.planes) {
            for y in 0..<Self.size.height {
                for x in 0..<Self.size.width {
                    if Self.isInside(x, y, mask) {
                        #expect(after[x: x, y: y] == 128)
                    } else if !Self.isInside(x, y, mask, factor: 1.2) {
                        #expect(after[x: x, y: y] == before[x: x, y: y])
                    }
                }
            }
        }
    }

    @Test(arguments: [0.0, 25, 90])
    func `an oval is an ellipse that covers at least the area of a rounded rectangle`(roll: Double) throws {
        let rounded = Self.mask(halfWidth: 30, halfHeight: 40, roll: roll)
        let oval = RedactionMask(rounded.parts, shape: .oval)
        let noise = try TestImage.colorNoise(Self.size, seed: 6)
        let (one, other) = (try noise.redacted([rounded], as: .fill), try noise.redacted([oval], as: .fill))
        let isCovered = { (image: PlanarImage, x: Int, y: Int) in image.planes.allSatisfy { $0[x: x, y: y] == 128 } }
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                if isCovered(one, x, y) { #expect(isCovered(other, x, y), "\(x), \(y)") }
            }
        }
        let middle = roll == 90 ? (x: 100 + 54, y: 80) : (x: 100, y: 80 + 54)
        if roll != 25 { #expect(isCovered(other, middle.x, middle.y) && !isCovered(one, middle.x, middle.y)) }
    }

    @Test(arguments: [
        SampleLayout(subsampling: .halved), SampleLayout(subsampling: .halvedAcross), SampleLayout(subsampling: nil),
        SampleLayout(subsampling: ChromaSubsampling.none, depth: 10), SampleLayout(subsampling: .halved, depth: 16),
        SampleLayout(subsampling: nil, depth: 12),
    ])
    func `video frames of any depth are redacted, and the area outside the mask is unchanged`(
        layout: SampleLayout
    ) throws {
        var bytes = (0..<layout.bytes(of: Self.size)).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 251) }
        if layout.sampleBytes == 2 {
            let highest = UInt8((1 << (layout.depth - 8)) - 1)
            for index in stride(from: 1, to: bytes.count, by: 2) { bytes[index] &= highest }
        }
        let frame = try RawFrame(size: Self.size, layout: layout, bytes: bytes)
        var shown: [UInt8] = []
        try frame.redacted([Self.mask(halfWidth: 20, halfHeight: 20)], as: .fill).append(to: &shown)
        #expect(shown.count == bytes.count)
        var start = 0
        for plane in layout.planeSizes(of: Self.size) {
            let (across, down) = (Self.size.width / plane.width, Self.size.height / plane.height)
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    let place = start + (y * plane.width + x) * layout.sampleBytes
                    let (dx, dy) = (abs((x * across) - 100), abs((y * down) - 80))
                    let value = shown[place..<place + layout.sampleBytes]
                    if dx < 18, dy < 18 {
                        let grey = 128 << (layout.depth - 8)
                        let sample = [UInt8(grey & 255), UInt8(grey >> 8)]
                        #expect(value.elementsEqual(sample.prefix(layout.sampleBytes)))
                    } else if dx > 28 || dy > 28 {
                        #expect(value.elementsEqual(bytes[place..<place + layout.sampleBytes]))
                    }
                }
            }
            start += plane.area * layout.sampleBytes
        }
    }

    @Test func `the corners of a tilted head are covered`() throws {
        let mask = Self.mask(halfWidth: 30, halfHeight: 45, roll: 30)
        let result = try TestImage.colorNoise(Self.size, seed: 5).redacted([mask], as: .fill)
        // With y downwards, 30 degrees clockwise moves the upper right corner down and the upper left corner up.
        let (cosine, sine) = (0.866, 0.5)
        for (u, v) in [(-29.0, -44.0), (29, -44), (-29, 44), (29, 44), (0, 0)] {
            let (x, y) = (Int(100 + u * cosine - v * sine), Int(80 + u * sine + v * cosine))
            #expect(result.planes.allSatisfy { $0[x: x, y: y] == 128 }, "\(u), \(v)")
        }
        #expect(result.planes[0][x: 60, y: 150] != 128 || result.planes[1][x: 60, y: 150] != 128)
    }

    @Test func `at most 12 different samples remain in each plane`() throws {
        let mask = Self.mask()
        let image = try TestImage.colorNoise(Self.size, seed: 6)
        let result = try image.redacted([mask], as: .pixelate)
        for plane in result.planes {
            var values: Set<UInt8> = []
            for y in 30..<130 { for x in 60..<140 { values.insert(plane[x: x, y: y]) } }
            #expect(values.count <= 12)
            // Means of noise are close to the mean of all samples.
            #expect(values.allSatisfy { (100...156).contains($0) })
        }
    }

    @Test(arguments: [RedactionStyle.pixelate, .fill])
    func `a cell is at least a quarter of a head's height, and half of a small head's height`(
        style: RedactionStyle
    ) throws {
        let noise = try TestImage.colorNoise(Self.size, seed: 13)
        for (halfHeight, maximum) in [(50.0, 12), (20, 12), (13, 4), (8, 4), (5, 4), (3, 4)] {
            let mask = Self.mask(halfWidth: 0.75 * halfHeight, halfHeight: halfHeight)
            let (across, down) = (Int(0.75 * halfHeight), Int(halfHeight))
            for plane in try noise.redacted([mask], as: style).planes {
                let rows = (80 - down)..<(80 + down)
                let columns = (100 - across)..<(100 + across)
                let values = Set(rows.flatMap { y in columns.map { plane[x: $0, y: y] } })
                #expect(values.count <= (style == .fill ? 1 : maximum), "\(halfHeight)")
                // Within a column, the sample changes only at the start of a cell.
                let changes = zip(rows, rows.dropFirst()).count { plane[x: 100, y: $0] != plane[x: 100, y: $1] }
                #expect(changes < (style == .fill ? 1 : maximum == 12 ? 4 : 2), "\(halfHeight)")
            }
        }
    }

    @Test func `a blur keeps half the contrast`() throws {
        let halves = try TestImage.gray(PixelSize(width: 200, height: 200)) { x, _ in x < 100 ? 0 : 255 }
        let plane = try halves.redacted([Self.mask(x: 100, y: 100)], as: .blur).planes[0]
        let values = (75..<125).map { Int(plane[x: $0, y: 100]) }
        #expect(values == values.sorted() && values.allSatisfy { (60...195).contains($0) })
    }

    @Test func `a mask that is mostly inside another mask adds no edges`() throws {
        let (outer, inner) = (Self.mask(), Self.mask(x: 110, y: 90, halfWidth: 25, halfHeight: 30))
        let stripes = try TestImage.gray(Self.size) { x, y in x < 100 ? 20 : y < 80 ? 120 : 230 }
        func rows(_ masks: [RedactionMask]) throws -> [[UInt8]] {
            let plane = try stripes.redacted(masks, as: .blur).planes[0]
            return (0..<Self.size.height).map { y in (0..<Self.size.width).map { plane[x: $0, y: y] } }
        }
        #expect(try rows([outer, inner]) == rows([outer]))
        #expect(try rows([inner, outer]) == rows([outer]))
        // Two adjacent heads are redacted separately.
        let (left, right) = (Self.mask(x: 50, halfWidth: 30), Self.mask(x: 110, halfWidth: 30))
        let both = try stripes.redacted([left, right], as: .pixelate).planes[0]
        #expect(both[x: 50, y: 80] == 20 && both[x: 120, y: 100] > 150)
    }

    @Test func `a blur depends only on the means of the cells`() throws {
        let mask = Self.mask()
        let result = try TestImage.colorNoise(Self.size, seed: 7).redacted([mask], as: .blur)
        for plane in result.planes {
            var largestStep = 0
            for y in 31..<130 {
                for x in 61..<140 {
                    largestStep = max(largestStep, abs(Int(plane[x: x, y: y]) - Int(plane[x: x - 1, y: y])))
                    largestStep = max(largestStep, abs(Int(plane[x: x, y: y]) - Int(plane[x: x, y: y - 1])))
                }
            }
            #expect(largestStep <= 2)
        }
        // Detail that does not change the means has no effect.
        func striped(_ offset: Int) throws -> PlanarImage {
            try TestImage.gray(PixelSize(width: 200, height: 200)) { x, _ in (x + offset) % 2 == 0 ? 60 : 180 }
        }
        let even = Self.mask(x: 100, y: 100, halfWidth: 40 / 1.189_207_115, halfHeight: 40 / 1.189_207_115)
        for style in [RedactionStyle.blur, .pixelate] {
            let results = try [0, 1].map { try striped($0).redacted([even], as: style).planes[0] }
            for y in 75..<125 {
                for x in 75..<125 { #expect(abs(Int(results[0][x: x, y: y]) - Int(results[1][x: x, y: y])) <= 6) }
            }
        }
    }

    @Test(arguments: RedactionStyle.allCases)
    func `all colour models and alpha are redacted`(style: RedactionStyle) throws {
        let mask = Self.mask()
        let rgb = try TestImage.colorNoise(Self.size, seed: 8)
        let noise = try TestImage.noise(Self.size, seed: 9).planes[0]
        func chroma(_ size: PixelSize, _ seed: UInt64) throws -> Plane {
            try TestImage.noise(size, seed: seed).planes[0]
        }
        let small = PixelSize(width: 100, height: 80)
        let images = [
            rgb, PlanarImage(size: Self.size, colorModel: .gray, planes: [noise]),
            PlanarImage(size: Self.size, colorModel: .rgb, planes: rgb.planes, alpha: noise),
            PlanarImage(
                size: Self.size,
                colorModel: .ycbcr(.halved),
                planes: [noise, try chroma(small, 1), try chroma(small, 2)]
            ),
            PlanarImage(size: Self.size, colorModel: .cmyk, planes: rgb.planes + [noise]),
        ]
        for image in images {
            let result = try image.redacted([mask], as: style)
            for (index, pair) in zip(
                image.planes + [image.alpha].compactMap(\.self),
                result.planes + [result.alpha].compactMap(\.self)
            ).enumerated() {
                let scale = pair.0.size.width == 100 ? 2 : 1
                var values: Set<UInt8> = []
                for y in 60 / scale..<100 / scale {
                    for x in 70 / scale..<130 / scale { values.insert(pair.1[x: x, y: y]) }
                }
                // Noise has nearly all values.
                #expect(values.count < 100, "plane \(index)")
            }
        }
    }

    @Test func `parts of masks outside the image are clipped`() throws {
        let noise = try TestImage.colorNoise(Self.size, seed: 10)
        for (x, y) in [(-1000.0, 80.0), (1e12, 80), (100, -1e12), (.nan, 0)] {
            let result = try noise.redacted([Self.mask(x: x, y: y)], as: .blur)
            #expect(ImageDifference(result, noise).mean == 0)
        }
        let corner = try noise.redacted([Self.mask(x: 0, y: 0)], as: .fill)
        #expect(corner.planes[0][x: 0, y: 0] == 128 && corner.planes[0][x: 39, y: 49] == 128)
        let all = try noise.redacted([Self.mask(halfWidth: 1e9, halfHeight: 1e9)], as: .fill)
        #expect(all.planes[0][x: 0, y: 0] == 128 && all.planes[0][x: 199, y: 159] == 128)
    }

    @Test func `overlapping masks do not reveal each other's pixels`() throws {
        let noise = try TestImage.colorNoise(Self.size, seed: 11)
        let (one, other) = (Self.mask(x: 80), Self.mask(x: 120))
        let result = try noise.redacted([one, other], as: .pixelate)
        for y in 40..<120 {
            for x in 50..<150 { #expect((90...166).contains(result.planes[0][x: x, y: y])) }
        }
    }

    @Test func `masks in source coordinates apply to a part at another scale`() throws {
        let half = try TestImage.colorNoise(Self.size, seed: 12)
        let source = PixelSize(width: 400, height: 320)
        let whole = try PartialImage(whole: half).redacted([Self.mask(x: 300, y: 100)], of: source, as: .fill).image
        #expect(whole.planes[0][x: 150, y: 50] == 128 && whole.planes[0][x: 131, y: 26] == 128)
        #expect(whole.planes[0][x: 100, y: 50] == half.planes[0][x: 100, y: 50])
    }
}
