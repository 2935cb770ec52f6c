import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// PQ and HLG, converted to SDR.
@Suite(.limitedConcurrency) struct HDRTests {
    private static let size = PixelSize(width: 256, height: 1)

    /// The greys 0 to 255 of a transfer function, converted to sRGB.
    private func greys(_ transfer: UInt16, model: ColorModel = .rgb) throws -> [Int] {
        let ramp = try Plane(Self.size) { x, _ in UInt8(x) }
        let description = ColorDescription(primaries: 9, transfer: transfer)
        let source = PlanarImage(
            size: Self.size,
            colorModel: model,
            planes: Array(repeating: ramp, count: model.planeCount),
            iccProfile: ICCProfile(description, for: model)
        )
        let whole = FractionalRect(PixelRect(Self.size))
        let result = try source.rendered(whole, to: Self.size, model: .rgb, profile: .srgb)
        #expect(zip(result.planes, result.planes.dropFirst()).allSatisfy { ImageDifference($0, $1).maximum <= 1 })
        return (0..<256).map { Int(result.planes[0][x: $0, y: 0]) }
    }

    /// The PQ sample for light in cd/m² (SMPTE ST 2084).
    private func pq(_ light: Double) -> Int {
        let root = (light / 10000).power(0.1593017578125)
        return Int((255 * ((0.8359375 + 18.8515625 * root) / (1 + 18.6875 * root)).power(78.84375)).rounded())
    }

    @Test(arguments: [UInt16(16), 18], [ColorModel.rgb, .gray])
    func `brighter light gives a brighter sample, from black to white`(transfer: UInt16, model: ColorModel) throws {
        let values = try greys(transfer, model: model)
        #expect(values[0] == 0 && values[255] == 255)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func `light below the knee keeps its ratio to the reference white`() throws {
        let values = try greys(16)
        for light in [1.0, 5, 20, 50, 80] {
            let expected = NaiveColor.encoded(light / 203)
            // One step of 8-bit PQ corresponds to up to four steps of sRGB.
            #expect(abs(Double(values[pq(light)]) - expected) <= 4, "\(light) cd/m²")
        }
    }

    @Test func `the reference white is nearly white, and light of 1000 nits is white`() throws {
        let values = try greys(16)
        #expect((224...234).contains(values[pq(203)]))
        #expect(values[pq(1000)] >= 253)
        // 75 % of HLG is the reference white (BT.2408, table 1).
        #expect(abs(try greys(18)[191] - values[pq(203)]) <= 4)
    }

    @Test func `saturated BT.2020 colours stay within sRGB and keep their hue`() throws {
        let size = PixelSize(width: 3, height: 1)
        let planes = try (0..<3).map { channel in try Plane(size) { x, _ in x == channel ? UInt8(pq(100)) : 0 } }
        let profile = try #require(ICCProfile(ColorDescription(primaries: 9, transfer: 16), for: .rgb))
        let source = PlanarImage(size: size, colorModel: .rgb, planes: planes, iccProfile: profile)
        let whole = FractionalRect(PixelRect(size))
        let result = try source.rendered(whole, to: size, model: .rgb, profile: .srgb)
        for x in 0..<3 {
            let color = result.planes.map { Int($0[x: x, y: 0]) }
            #expect(color[x] > 150 && color.enumerated().allSatisfy { $0.offset == x || $0.element < 60 }, "\(color)")
        }
    }
}
