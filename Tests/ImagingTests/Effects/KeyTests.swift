import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Green screens in drawn scenes with known alpha.
@Suite(.limitedConcurrency) struct KeyTests {
    private static let size = PixelSize(width: 160, height: 120)
    private static let keys = [
        KeyColor(red: 0, green: 255, blue: 0), KeyColor(red: 0, green: 177, blue: 64),
        KeyColor(red: 0, green: 71, blue: 187),
    ]
    /// The colours of skin, hair, white, black and grey cloth, and red and yellow.
    private static let subjects: [TestImage.RGB] = [
        (224, 172, 140), (60, 40, 30), (250, 250, 250), (5, 5, 5), (128, 128, 128), (200, 30, 40), (230, 200, 40),
    ]

    /// A disc in the centre with a soft edge, which is `softness` pixels wide.
    private func alpha(_ x: Int, _ y: Int, softness: Double) -> Double {
        let (across, down) = (Double(x) - 79.5, Double(y) - 59.5)
        let distance = (across * across + down * down).squareRoot()
        return min(max((40 - distance) / softness + 0.5, 0), 1)
    }

    private func scene(
        _ subject: TestImage.RGB,
        before key: KeyColor,
        softness: Double,
        light: @escaping (_ x: Int, _ y: Int) -> Double = { _, _ in 1 }
    ) throws -> PlanarImage {
        try TestImage.rgb(Self.size) { x, y in
            let share = alpha(x, y, softness: softness)
            func mixed(_ front: UInt8, _ back: UInt8) -> UInt8 {
                UInt8(min(max(share * Double(front) + (1 - share) * Double(back) * light(x, y), 0), 255).rounded())
            }
            return (mixed(subject.red, key.red), mixed(subject.green, key.green), mixed(subject.blue, key.blue))
        }
    }

    private func meanError(_ image: PlanarImage, softness: Double) throws -> Double {
        let plane = try #require(image.alpha)
        var sum = 0.0
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                sum += abs(Double(plane[x: x, y: y]) / 255 - alpha(x, y, softness: softness))
            }
        }
        return sum / Double(Self.size.area)
    }

    @Test(arguments: keys, [1.0, 3, 5])
    func `alpha equals the alpha of the scene`(key: KeyColor, softness: Double) throws {
        for subject in Self.subjects {
            let result = try scene(subject, before: key, softness: softness).without(key, ChromaKey(color: key))
            let error = try meanError(result, softness: softness)
            #expect(error < 0.02, "\(subject): \(error)")
            let opacity = try #require(result.alpha)
            #expect(opacity[x: 80, y: 60] == 255 && opacity[x: 2, y: 2] == 0)
        }
    }

    @Test func `a screen with uneven light becomes transparent`() throws {
        let key = Self.keys[1]
        let image = try scene((224, 172, 140), before: key, softness: 2) { x, _ in 1.1 - 0.25 * Double(x) / 160 }
        let result = try image.without(key, ChromaKey(color: key))
        #expect(try meanError(result, softness: 2) < 0.02)
        let opacity = try #require(result.alpha)
        for x in 0..<Self.size.width { #expect(opacity[x: x, y: 3] == 0) }
    }

    @Test func `spill is removed from visible pixels`() throws {
        let key = Self.keys[0]
        // A grey surface that reflects an eighth of the key colour.
        let image = try TestImage.rgb(Self.size) { _, _ in (105, 137, 105) }
        let result = try image.without(key, ChromaKey(color: key))
        let samples = result.planes.map { Int($0[x: 9, y: 9]) }
        #expect(samples.allSatisfy { abs($0 - 120) <= 2 }, "\(samples)")
        var gentle = ChromaKey(color: key)
        gentle.spill = 0
        let same = try image.without(key, gentle)
        #expect(same.planes.map { Int($0[x: 9, y: 9]) } == [105, 137, 105])
    }

    @Test func `tolerance moves the edge`() throws {
        let key = Self.keys[0]
        let image = try scene((250, 250, 250), before: key, softness: 20)
        func visible(_ tolerance: Double) throws -> Int {
            var key = ChromaKey(color: key)
            key.tolerance = tolerance
            let opacity = try #require(try image.without(Self.keys[0], key).alpha)
            return (0..<Self.size.width).reduce(0) { $0 + Int(opacity[x: $1, y: 60]) }
        }
        let sums = try [0.1, 0.3, 0.5, 0.7].map(visible)
        #expect(sums == sums.sorted(by: >) && Set(sums).count == sums.count)
    }

    @Test func `chromaKey=auto selects the most frequent colour of the borders`() throws {
        for key in Self.keys {
            let image = try scene((200, 60, 60), before: key, softness: 2)
            let found = try #require(image.borderColor())
            #expect(found == key)
        }
        // A subject that extends beyond the lower edge.
        let half = try TestImage.rgb(Self.size) { x, y in
            y > 60 && (30..<130).contains(x) ? (220, 40, 60) : (10, UInt8(170 + y / 8), 60)
        }
        let found = try #require(half.borderColor())
        #expect(found.red == 10 && (170...185).contains(found.green) && found.blue == 60)
        #expect(try TestImage.rgb(Self.size) { _, _ in (120, 125, 118) }.borderColor() == nil)
        #expect(try TestImage.colorNoise(Self.size, seed: 4).borderColor() == nil)
    }

    @Test func `existing transparency is kept, and the image is drawn over the backdrop`() throws {
        let key = Self.keys[0]
        let scene = try scene((250, 250, 250), before: key, softness: 1)
        let own = try Plane(Self.size) { x, _ in x < 80 ? 0 : 255 }
        let image = PlanarImage(size: Self.size, colorModel: .rgb, planes: scene.planes, alpha: own)
        let result = try image.without(key, ChromaKey(color: key))
        #expect(result.alpha?[x: 70, y: 60] == 0 && result.alpha?[x: 90, y: 60] == 255)
        let background = try TestImage.rgb(Self.size) { _, _ in (1, 2, 3) }
        let laid = try result.laid(over: background)
        #expect(laid.alpha == nil)
        #expect(laid.planes.map { $0[x: 70, y: 60] } == [1, 2, 3])
        #expect(laid.planes.map { $0[x: 90, y: 60] } == [250, 250, 250])
    }
}
