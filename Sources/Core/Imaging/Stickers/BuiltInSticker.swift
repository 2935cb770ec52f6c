package import Geometry
import Glibc

/// The stickers that are part of the program, drawn in code.
package enum BuiltInSticker: String, Hashable, Codable, Sendable, CaseIterable {
    /// A ring of light that rotates and glows, 41 frames.
    case halo
    case glasses
    case hat
    case moustache

    /// The size of every frame, in pixels.
    package var size: PixelSize {
        switch self {
        case .halo: PixelSize(width: 351, height: 159)
        case .glasses: PixelSize(width: 360, height: 130)
        case .hat: PixelSize(width: 360, height: 260)
        case .moustache: PixelSize(width: 320, height: 110)
        }
    }

    package var count: Int { self == .halo ? 41 : 1 }

    /// The frames, which are drawn at their first use in the process.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    package func frames() throws(CodecError) -> [PlanarImage] {
        switch self {
        case .halo: try Self.haloFrames.get()
        case .glasses: try Self.glassesFrames.get()
        case .hat: try Self.hatFrames.get()
        case .moustache: try Self.moustacheFrames.get()
        }
    }

    private static let haloFrames = drawn(.halo)
    private static let glassesFrames = drawn(.glasses)
    private static let hatFrames = drawn(.hat)
    private static let moustacheFrames = drawn(.moustache)

    private static func drawn(_ sticker: BuiltInSticker) -> Result<[PlanarImage], CodecError> {
        Result { () throws(CodecError) in
            try (0..<sticker.count).map { (index) throws(CodecError) in
                try sticker.frame(phase: Double(index) / Double(sticker.count))
            }
        }
    }

    private func frame(phase: Double) throws(CodecError) -> PlanarImage {
        let (width, height) = (Double(size.width), Double(size.height))
        var samples = [[UInt8]](repeating: [UInt8](repeating: 0, count: size.area), count: 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                // The coordinates are from −1 to 1 across, and in the same unit down from the centre.
                let u = (Double(x) + 0.5 - width / 2) / (width / 2)
                let v = (Double(y) + 0.5 - height / 2) / (width / 2)
                let ink = ink(u, v, phase: phase)
                let index = y * size.width + x
                samples[0][index] = Self.sample(ink.red)
                samples[1][index] = Self.sample(ink.green)
                samples[2][index] = Self.sample(ink.blue)
                samples[3][index] = Self.sample(ink.alpha * 255)
            }
        }
        let columns = size.width
        let planes = try samples.map { (channel) throws(CodecError) in
            try Plane(size) { x, y in channel[y * columns + x] }
        }
        return PlanarImage(size: size, colorModel: .rgb, planes: Array(planes.prefix(3)), alpha: planes[3])
    }

    private static func sample(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }

    private func ink(_ u: Double, _ v: Double, phase: Double) -> StickerInk {
        switch self {
        case .halo: .halo(u, v, phase: phase)
        case .glasses: .glasses(u, v)
        case .hat: .hat(u, v)
        case .moustache: .moustache(u, v)
        }
    }
}

/// The colour of one point of a drawn sticker: 0 to 255, and alpha from 0 to 1.
///
/// Points are from −1 to 1 across, and in the same unit down from the centre.
private struct StickerInk {
    var red, green, blue, alpha: Double

    /// The fraction of a pixel that a shape covers, by the signed distance from its edge, which is 0.012 wide.
    private static func cover(_ inside: Double) -> Double { min(max(inside / 0.012 + 0.5, 0), 1) }

    /// Returns the approximate distance to the edge of an ellipse; positive inside.
    private static func ellipse(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Double {
        (1 - ((x / width) * (x / width) + (y / height) * (y / height)).squareRoot()) * min(width, height)
    }

    /// The distance to the edge of a rectangle; positive inside.
    private static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Double {
        min(width - abs(x), height - abs(y))
    }

    /// A golden ring seen from a little above, with a glow around it and a light that travels around once.
    static func halo(_ u: Double, _ v: Double, phase: Double) -> StickerInk {
        let radius = ((u / 0.80) * (u / 0.80) + (v / 0.27) * (v / 0.27)).squareRoot()
        let angle = atan2(v / 0.27, u / 0.80)
        let distance = abs(radius - 1) * 0.27
        let travel = (1 + cos(angle - phase * 2 * .pi)) / 2
        let light = travel * travel * travel * travel
        let ring = cover(0.045 - distance)
        let glow = exp(-distance * distance / 0.0065) * (0.45 + 0.35 * light)
        // The glow fades before the sticker's edge.
        let rim = min(1, max(0, (1 - abs(u)) / 0.12)) * min(1, max(0, (0.45 - abs(v)) / 0.1))
        return StickerInk(
            red: 255,
            green: 205 + 45 * light,
            blue: 70 + 170 * light,
            alpha: min(1, ring * 0.95 + (1 - ring * 0.95) * glow * rim)
        )
    }

    /// Two dark lenses in a black frame, with a bridge and the start of the temples.
    static func glasses(_ u: Double, _ v: Double) -> StickerInk {
        let side = abs(u)
        let outer = ellipse(side - 0.5, v, 0.40, 0.33)
        let lens = cover(ellipse(side - 0.5, v, 0.345, 0.275))
        let bridge = cover(0.03 - abs(v + 0.10 + 0.25 * u * u)) * (side < 0.16 ? 1 : 0)
        let temple = cover(box(side - 0.94, v + 0.1, 0.045, 0.04))
        let frame = max(cover(outer), bridge, temple)
        // A reflection in the upper left of each lens.
        let local = u < 0 ? u + 0.5 : u - 0.5
        let shine = lens * cover(ellipse(local + 0.12, v + 0.1, 0.12, 0.07)) * 0.25
        let shade = 20 + 225 * shine
        return StickerInk(
            red: shade,
            green: shade,
            blue: shade + 10 * lens,
            alpha: lens > 0 ? frame * (1 - 0.18 * lens) : frame
        )
    }

    /// A black top hat with a red band.
    static func hat(_ u: Double, _ v: Double) -> StickerInk {
        let brim = cover(ellipse(u, v - 0.55, 0.93, 0.14))
        let crown = max(
            cover(box(u, v - 0.02, 0.60 - 0.05 * v, 0.56)),
            cover(ellipse(u, v + 0.54, 0.625, 0.10)),
            cover(ellipse(u, v - 0.56, 0.57, 0.10))
        )
        let isBand = (0.25...0.44).contains(v - 0.10 * (1 - u * u)) && crown > 0 && abs(u) < 0.62
        let top = cover(ellipse(u, v + 0.55, 0.57, 0.075)) * 18
        // Light from the left.
        let light = max(0, 1 - abs(u + 0.35) / 0.25) * 26
        if isBand { return StickerInk(red: 176 + light, green: 28 + light, blue: 36 + light, alpha: max(brim, crown)) }
        return StickerInk(
            red: 26 + light + top,
            green: 26 + light + top,
            blue: 30 + light + top,
            alpha: max(brim, crown)
        )
    }

    /// A brown moustache whose ends turn up.
    static func moustache(_ u: Double, _ v: Double) -> StickerInk {
        let side = abs(u)
        // The middle line falls from the nose and rises to the end.
        let line = -0.05 + 0.42 * side - 0.62 * side * side
        let half = 0.20 * max(0, 1 - side * side).squareRoot() * (0.45 + 0.55 * (1 - side)) * min(1, 0.55 + side * 3)
        let alpha = cover(half - abs(v - (0.05 + line * 0.8))) * (side < 0.97 ? 1 : 0)
        let strand = 12 * sin((v * 3 + side * 9) * 9)
        return StickerInk(red: 74 + strand, green: 46 + strand * 0.7, blue: 30 + strand * 0.5, alpha: alpha)
    }
}
