package import Geometry
import Glibc

/// The stickers that are part of the program, drawn in code.
package enum BuiltInSticker: String, Hashable, Codable, Sendable, CaseIterable {
    /// A ring of light that turns and glows, 41 frames.
    case halo
    /// Dark round glasses.
    case glasses
    /// A top hat.
    case hat
    /// A moustache.
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

    /// The number of frames.
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
            var frames: [PlanarImage] = []
            for index in 0..<sticker.count {
                frames.append(try sticker.frame(phase: Double(index) / Double(sticker.count)))
            }
            return frames
        }
    }

    private func frame(phase: Double) throws(CodecError) -> PlanarImage {
        let (width, height) = (Double(size.width), Double(size.height))
        var samples = [[UInt8]](repeating: [UInt8](repeating: 0, count: size.area), count: 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                // From −1 to 1 across, and in the same unit down from the middle.
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
