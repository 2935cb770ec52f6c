import Geometry
import Imaging
import Testing

@Suite struct RawFrameTests {
    /// A frame whose samples are `value(plane, x, y)`, where x and y are those of the plane.
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

    @Test(arguments: layouts) func `a crop at even pixels copies every sample`(layout: SampleLayout) throws {
        let size = PixelSize(width: 71, height: 37)
        let most = 1 << min(layout.depth, 12)
        let value = { (plane: Int, x: Int, y: Int) in (x * 13 + y * 29 + plane * 57) % most }
        let crop = try frame(size, layout, value)
            .resampled(ResampleRegion(x: 8, y: 6, width: 20, height: 12), to: PixelSize(width: 20, height: 12))
        let (across, down) = (layout.subsampling?.horizontal ?? 1, layout.subsampling?.vertical ?? 1)
        let expected = try frame(PixelSize(width: 20, height: 12), layout) { plane, x, y in
            plane == 0 ? value(plane, x + 8, y + 6) : value(plane, x + 8 / across, y + 6 / down)
        }
        #expect(samples(crop) == samples(expected))
    }

    @Test(arguments: layouts) func `a ramp stays where it is in every plane when a crop is moved and scaled`(
        layout: SampleLayout
    ) throws {
        let size = PixelSize(width: 160, height: 90)
        let unit = 1 << (layout.depth - 8)
        let (across, down) = (layout.subsampling?.horizontal ?? 1, layout.subsampling?.vertical ?? 1)
        // Each sample is the position of its middle, in pixels across and down.
        func position(_ plane: Int, _ x: Int, _ y: Int) -> Double {
            if plane == 0 { return Double(x) + 0.5 + Double(y) * 0.5 + 0.25 }
            let left = layout.isLeft ? 0.5 : Double(across) / 2
            let top = layout.isTop ? 0.5 : Double(down) / 2
            return Double(x * across) + left + (Double(y * down) + top) * 0.5
        }
        let ramp = try frame(size, layout) { Int((position($0, $1, $2) * Double(unit)).rounded()) }
        let region = ResampleRegion(x: 31.3, y: 20.7, width: 60, height: 40)
        for result in [
            PixelSize(width: 60, height: 40), PixelSize(width: 30, height: 20), PixelSize(width: 90, height: 60),
        ] {
            let scale = 60 / Double(result.width)
            let moved = try ramp.resampled(region, to: result)
            var index = 0
            let values = samples(moved)
            for (plane, samples) in layout.planeSizes(of: result).enumerated() {
                var error = 0.0
                for y in 0..<samples.height {
                    for x in 0..<samples.width {
                        let left = layout.isLeft ? 0.5 : Double(across) / 2
                        let top = layout.isTop ? 0.5 : Double(down) / 2
                        let (px, py) =
                            plane == 0
                            ? (Double(x) + 0.5, Double(y) + 0.5)
                            : (Double(x * across) + left, Double(y * down) + top)
                        let expected = (region.x + px * scale + (region.y + py * scale) * 0.5) * Double(unit)
                        let value = Double(values[index])
                        index += 1
                        #expect(abs(value - expected) <= 1.2 * Double(unit), "\(plane) \(x) \(y)")
                        error += value - expected
                    }
                }
                #expect(abs(error) < 0.1 * Double(unit * samples.area), "plane \(plane) at \(result)")
            }
        }
    }

    @Test func `luma of more bits becomes eight`() throws {
        let layout = SampleLayout(subsampling: nil, depth: 10)
        let luma = try frame(PixelSize(width: 4, height: 1), layout) { _, x, _ in [0, 4, 513, 1023][x] }.luma()
        #expect((0..<4).map { luma[x: $0, y: 0] } == [0, 1, 128, 255])
    }

    @Test func `the grid has the means of its cells`() throws {
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
