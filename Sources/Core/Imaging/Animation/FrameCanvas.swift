import CImageCodec
import Geometry

/// The canvas for the frames of an animation, which are drawn one after the other.
///
/// It starts transparent.
final class FrameCanvas {
    /// The change of a frame's rectangle after the frame's display time.
    enum Disposal {
        case keep
        case clear
        /// The rectangle is restored to its content before the frame.
        case restore
    }

    /// The way in which a frame's pixels are drawn on the canvas.
    enum Blending {
        /// The frame's pixels are blended over the canvas by their alpha.
        case over
        /// The frame's pixels replace the pixels of the canvas.
        case replace
    }

    let size: PixelSize
    /// Red, green, blue and straight alpha.
    private let planes: [Plane]
    private var last: (rect: PixelRect, disposal: Disposal, saved: [Plane])?

    /// The memory of a canvas, a copy of it and a saved rectangle, in bytes; sides are at most 2²⁴.
    static func bytes(_ size: PixelSize) -> Int { Plane.bytes(size, count: 12) }

    init(_ size: PixelSize) throws(CodecError) {
        self.size = size
        planes = try (0..<4).map { (_) throws(CodecError) in try Plane(size, filledWith: 0) }
    }

    /// Passes the planes to a decoder that draws on them itself; call ``begin(_:_:)`` first.
    func withTargets(_ draw: ([hr_target]) throws(CodecError) -> Void) throws(CodecError) {
        try planes.withTargets(draw)
    }

    /// Disposes of the last frame, and sets the rectangle of the next frame to `rect`, clipped.
    func begin(_ rect: PixelRect, _ disposal: Disposal) throws(CodecError) {
        disposeOfLast()
        let rect = rect.intersection(PixelRect(size))
        guard rect.area > 0 else {
            last = nil
            return
        }
        let saved = disposal == .restore ? planes : []
        last = (rect, disposal, try saved.map { (plane) throws(CodecError) in try plane.copied(rect) })
    }

    /// Draws four planes on the canvas, at the top left corner of the rectangle that was passed to ``begin(_:_:)``.
    func draw(_ frame: [Plane], _ blending: Blending) {
        guard let rect = last?.rect, frame.count == 4, frame[0].size == rect.size else { return }
        let parts = planes.map { $0.cropped(to: rect) }
        switch blending {
        case .over: frame.withViews(into: parts) { hr_compose_over($0, $1) }
        case .replace:
            for (plane, part) in zip(frame, parts) { plane.copy(into: part) }
        }
    }

    /// A copy of the canvas, without alpha if it is opaque.
    func snapshot(iccProfile: ICCProfile? = nil) throws(CodecError) -> PlanarImage {
        let isOpaque = planes[3].isFilled(with: 255)
        let shown = planes.prefix(isOpaque ? 3 : 4)
        let copies = try shown.map { (plane) throws(CodecError) in try plane.copied() }
        let (colors, alpha) = (Array(copies.prefix(3)), isOpaque ? nil : copies[3])
        return PlanarImage(size: size, colorModel: .rgb, planes: colors, alpha: alpha, iccProfile: iccProfile)
    }

    private func disposeOfLast() {
        guard let last else { return }
        for (index, plane) in planes.enumerated() {
            let part = plane.cropped(to: last.rect)
            switch last.disposal {
            case .keep: break
            case .clear: part.withTarget { hr_fill([$0], 0) }
            case .restore: last.saved[index].copy(into: part)
            }
        }
        self.last = nil
    }
}

/// A copy of a file at a fixed address, for libraries that read it piece by piece.
final class FileBytes {
    let buffer: UnsafeBufferPointer<UInt8>

    /// - Parameters:
    ///   - bytes: The file.
    ///   - replacements: Bytes to replace, with their offsets. Replacements outside the file are ignored.
    init(_ bytes: [UInt8], _ replacements: [(place: Int, bytes: [UInt8])] = []) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        for (place, replacement) in replacements {
            for (index, byte) in replacement.enumerated() where copy.indices.contains(place + index) {
                copy[place + index] = byte
            }
        }
        buffer = UnsafeBufferPointer(copy)
    }

    deinit { buffer.deallocate() }
}
