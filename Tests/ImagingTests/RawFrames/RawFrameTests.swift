import Geometry
import Imaging
import Testing

@Suite struct RawFrameTests {
    /// A frame with the samples `value(plane, x, y)`, where x and y are coordinates in the plane.
    private func frame(_ size: PixelSize, _ layout: SampleLayout, _ value: (Int, Int, Int) -> Int) throws -> RawFrame {
        var bytes: [UInt8] = []
        for (plane, samples) in layout.planeSizes(of: size).enumerated() {
            for y in 0..<samples.height {
                for x in 0..<samples.width {
                    let sample = value(plane, x, y)
                    bytes.append(UInt8(sample & 255))
                    if layout.sampleBytes == 2 { bytes.append(UInt8(sample >> 8)) }
                }
            }
        }
        return try RawFrame(size: size, layout: layout, bytes: bytes)
    }

    private func samples(_ frame: RawFrame) -> [Int] {
        var bytes: [UInt8] = []
        frame.append(to: &bytes)
        guard frame.layout.sampleBytes == 2 else { return bytes.map(Int.init) }
        return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }

    private static let layouts = [
        SampleLayout(subsampling: .halved), SampleLayout(subsampling: .halved, isLeft: true),
        SampleLayout(subsampling: .halvedAcross, isLeft: true), SampleLayout(subsampling: ChromaSubsampling.none),
        SampleLayout(subsampling: nil), SampleLayout(subsampling: .halved, depth: 10, isLeft: true),
        SampleLayout(subsampling: .halvedAcross, depth: 10, isLeft: true),
        SampleLayout(subsampling: ChromaSubsampling.none, depth: 16), SampleLayout(subsampling: nil, depth: 10),
    ]

    @Test(arguments: layouts) func `two frames are joined sample by sample, vertically or horizontally`(
        layout: SampleLayout
    ) throws {
        let size = PixelSize(width: 12, height: 8)
        let maximum = 1 << min(layout.depth, 12)
        let value = { (plane: Int, x: Int, y: Int) in (x * 13 + y * 29 + plane * 57) % maximum }
        let (one, other) = (try frame(size, layout, value), try frame(size, layout) { maximum - 1 - value($0, $1, $2) })
        for isWide in [false, true] {
            let joined = try RawFrame.joined(one, other, isWide: isWide)
            let whole = isWide ? PixelSize(width: 24, height: 8) : PixelSize(width: 12, height: 16)
            #expect(joined.size == whole)
            let expected = try frame(whole, layout) { plane, x, y in
                let half = layout.planeSizes(of: size)[plane]
                let isFirst = isWide ? x < half.width : y < half.height
                let (column, row) = isWide ? (isFirst ? x : x - half.width, y) : (x, isFirst ? y : y - half.height)
                return isFirst ? value(plane, column, row) : maximum - 1 - value(plane, column, row)
            }
            #expect(samples(joined) == samples(expected))
        }
    }

    @Test(arguments: layouts) func `a whole frame is centred on a background without detail`(
        layout: SampleLayout
    ) throws {
        let size = PixelSize(width: 64, height: 36)
        let maximum = 1 << min(layout.depth, 12)
        let striped = try frame(size, layout) { _, x, _ in x % 2 == 0 ? 0 : maximum - 1 }
        let shown = try striped.letterboxed(in: PixelSize(width: 64, height: 96))
        #expect(shown.size == PixelSize(width: 64, height: 96))
        let luma = samples(shown).prefix(64 * 96)
        let source = samples(striped).prefix(64 * 36)
        #expect(luma[30 * 64..<66 * 64].elementsEqual(source))
        // The mean of the stripes is half the range.
        let background = Array(luma[..<(28 * 64)]) + Array(luma[(68 * 64)...])
        #expect(background.allSatisfy { abs($0 - maximum / 2) < maximum / 3 })
        for row in stride(from: 0, to: background.count, by: 64).map({ background[$0..<$0 + 64] }) {
            #expect(zip(row, row.dropFirst()).allSatisfy { abs($0 - $1) < maximum / 6 })
        }
        let same = try striped.letterboxed(in: PixelSize(width: 64, height: 36))
        #expect(samples(same) == samples(striped))
    }

    @Test(arguments: layouts) func `a crop at even pixels copies every sample`(layout: SampleLayout) throws {
        let size = PixelSize(width: 71, height: 37)
        let maximum = 1 << min(layout.depth, 12)
        let value = { (plane: Int, x: Int, y: Int) in (x * 13 + y * 29 + plane * 57) % maximum }
        let crop = try frame(size, layout, value)
            .resampled(FractionalRect(x: 8, y: 6, width: 20, height: 12), to: PixelSize(width: 20, height: 12))
        let (across, down) = (layout.subsampling?.horizontal ?? 1, layout.subsampling?.vertical ?? 1)
        let expected = try frame(PixelSize(width: 20, height: 12), layout) { plane, x, y in
            plane == 0 ? value(plane, x + 8, y + 6) : value(plane, x + 8 / across, y + 6 / down)
        }
        #expect(samples(crop) == samples(expected))
    }

    private static let sited =
        layouts + [
            SampleLayout(subsampling: .halved, isLeft: true, isTop: true),
            SampleLayout(subsampling: .halved, depth: 10, isLeft: true, isTop: true),
        ]

    /// A ramp has the same value at the same position in luma and chroma, if chroma stays aligned.
    @Test(arguments: sited, [(2, 1), (1, 2)])
    func `a crop that is moved and scaled shows the source at its position in every plane`(
        layout: SampleLayout,
        slopes: (Int, Int)
    ) throws {
        let unit = 1 << (layout.depth - 8)
        let (right, down) = (slopes.0 * unit, slopes.1 * unit)
        let steps = (layout.subsampling?.horizontal ?? 1, layout.subsampling?.vertical ?? 1)
        // The number of pixels that share a sample of a plane, and the position of the first sample in pixels.
        func grid(_ plane: Int) -> (across: Int, down: Int, left: Double, top: Double) {
            if plane == 0 { return (1, 1, 0.5, 0.5) }
            let left = layout.isLeft ? 0.5 : Double(steps.0) / 2
            return (steps.0, steps.1, left, layout.isTop ? 0.5 : Double(steps.1) / 2)
        }
        // The value is 0 at the first sample of each plane, so that all samples are integers.
        let ramp = try frame(PixelSize(width: 90, height: 60), layout) { plane, x, y in
            right * x * grid(plane).across + down * y * grid(plane).down
        }
        let region = FractionalRect(x: 16.3, y: 14.7, width: 24, height: 16)
        for size in [
            PixelSize(width: 24, height: 16), PixelSize(width: 12, height: 8), PixelSize(width: 36, height: 24),
        ] {
            let scale = region.width / Double(size.width)
            let found = samples(try ramp.resampled(region, to: size))
            var index = 0
            var furthest = 0.0
            for (plane, count) in layout.planeSizes(of: size).enumerated() {
                let grid = grid(plane)
                for y in 0..<count.height {
                    for x in 0..<count.width {
                        let px = region.x + (Double(x * grid.across) + grid.left) * scale - grid.left
                        let py = region.y + (Double(y * grid.down) + grid.top) * scale - grid.top
                        let expected = px * Double(right) + py * Double(down)
                        furthest = max(furthest, abs(Double(found[index]) - expected))
                        index += 1
                    }
                }
            }
            // Allows 0.5 for rounding, and the ripple of the filter.
            #expect(furthest <= 0.6 + 0.03 * Double(right + down), "\(size)")
        }
    }

    @Test func `luma with more bits is reduced to eight bits`() throws {
        let layout = SampleLayout(subsampling: nil, depth: 10)
        let luma = try frame(PixelSize(width: 4, height: 1), layout) { _, x, _ in [0, 4, 513, 1023][x] }.luma()
        #expect((0..<4).map { luma[x: $0, y: 0] } == [0, 1, 128, 255])
    }

    @Test func `the grid contains the means of its cells`() throws {
        let layout = SampleLayout(subsampling: .halved)
        let frame = try frame(PixelSize(width: 64, height: 36), layout) { plane, x, y in
            plane == 0 ? (x < 32 ? 40 : 200) : 100 + plane
        }
        #expect(frame.grid(columns: 2, rows: 1) == [40, 200, 101, 101, 102, 102])
        let gray = try RawFrame(
            size: PixelSize(width: 1, height: 1),
            layout: SampleLayout(subsampling: nil),
            bytes: [9]
        )
        #expect(gray.grid(columns: 2, rows: 2) == [9, 9, 9, 9] + [UInt8](repeating: 128, count: 8))
    }
}
