import CImageCodec
import Geometry

/// The canvas on which the frames of an animation are drawn one after the other; it begins transparent.
final class FrameCanvas {
    /// The content of a frame's rectangle after its time.
    enum Disposal {
        case keep
        case clear
        /// It becomes what it was before the frame.
        case restore
    }

    /// How a frame's pixels are drawn.
    enum Blending {
        /// Over those of the canvas, by their alpha.
        case over
        /// Instead of those of the canvas.
        case replace
    }

    let size: PixelSize
    /// Red, green, blue and straight alpha.
    private let planes: [Plane]
    private var last: (rect: PixelRect, disposal: Disposal, saved: [Plane])?

    /// The memory of a canvas with a copy of it and a saved rectangle, in bytes; sides are at most 2²⁴.
    static func bytes(_ size: PixelSize) -> Int { Plane.bytes(size, count: 12) }

    init(_ size: PixelSize) throws(CodecError) {
        self.size = size
        planes = try (0..<4).map { (_) throws(CodecError) in try Plane(size, filledWith: 0) }
    }

    /// The planes, for a decoder that draws by itself after ``begin(_:_:)``.
    var views: [hr_plane] { planes.map(\.view) }

    /// Disposes of the last frame; the next one will be drawn in `rect`, which is clipped.
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

    /// Draws four planes whose top left is that of the rectangle given to ``begin(_:_:)``, inside the canvas.
    func draw(_ frame: [Plane], _ blending: Blending) {
        guard let rect = last?.rect, frame.count == 4, frame[0].size == rect.size else { return }
        let to = planes.map { $0.view(of: rect) }
        switch blending {
        case .over: hr_compose_over(frame.map(\.view), to)
        case .replace:
            for (plane, target) in zip(frame, to) { hr_copy([plane.view], 0, 0, [target]) }
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
            let target = plane.view(of: last.rect)
            switch last.disposal {
            case .keep: break
            case .clear: hr_fill([target], 0)
            case .restore: hr_copy([last.saved[index].view], 0, 0, [target])
            }
        }
        self.last = nil
    }
}

/// A copy of a file at an address that does not change, for libraries that read it piece by piece.
final class FileBytes {
    let buffer: UnsafeBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        buffer = UnsafeBufferPointer(copy)
    }

    deinit { buffer.deallocate() }
}

extension PlanarImage {
    /// Four planes: red, green, blue and alpha, of an RGB picture; transparent pixels are white.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    func withAlphaPlane() throws(CodecError) -> [Plane] {
        if let alpha { return try hidingColors().planes + [alpha] }
        return planes + [try Plane(size, filledWith: 255)]
    }
}

extension [Plane] {
    /// The smallest rectangle that contains every pixel that differs from `others`, planes of the same number and size;
    /// nil if there is none.
    func change(from others: [Plane]) -> PixelRect? {
        var box = hr_box()
        hr_find_change(map(\.view), others.map(\.view), Int32(count), &box)
        guard box.width > 0 else { return nil }
        return PixelRect(x: Int(box.x), y: Int(box.y), width: Int(box.width), height: Int(box.height))
    }
}
