import CImageCodec
import Geometry

enum PNGEncoder {
    static func encode(_ image: PlanarImage, _ wanted: EncodingOptions) throws(CodecError) -> [UInt8] {
        let image = try image.converted(to: ImageEncoder.model(for: image.colorModel, as: .png))
        var options = hr_png_options()
        options.color_planes = Int32(image.planes.count)
        options.has_alpha = image.alpha != nil
        let profile = image.iccProfile?.bytes ?? []
        let file = try profile.withUnsafeBufferPointer { (icc) throws(CodecError) in
            options.icc = icc.baseAddress
            options.icc_count = icc.count
            return try image.allPlanes.withViews { (views) throws(CodecError) in
                try ImageEncoder.collect(.png, image.size) { hr_png_encode(views, &options, $0, $1) }
            }
        }
        return wanted.copyright?.added(toPNG: file) ?? file
    }
}

/// Encodes lossless animated PNG files; each frame contains only its changed rectangle (PNG, third edition, 11.3.6).
///
/// libpng 1.6 writes only still images. Each rectangle is written as a still image, and its compressed data are moved
/// to the animation.
final class APNGEncoder: AnimationWriter {
    /// A frame that is not written yet, because equal frames extend its display time.
    private struct Pending {
        let rect: PixelRect
        let data: [[UInt8]]
        var milliseconds: Int
    }

    private let size: PixelSize
    private let plays: Int
    private var last: [Plane]?
    private var pending: Pending?
    /// The signature and the header.
    private var start: [UInt8] = []
    private var chunks: [UInt8] = []
    private var frames = 0
    private var sequence: UInt32 = 0

    init(_ size: PixelSize, _ options: AnimationOptions) throws(CodecError) {
        guard size.longSide <= Int(Int32.max) else { throw .tooLarge(size, limit: .format(.png)) }
        self.size = size
        plays = options.plays
    }

    func add(_ image: PlanarImage, milliseconds: Int) throws(CodecError) {
        guard image.size == size, image.colorModel == .rgb else { throw .failed("a frame of another kind") }
        let planes = try image.withAlphaPlane()
        var rect = PixelRect(size)
        if let last, pending != nil {
            guard let change = planes.change(from: last) else {
                pending?.milliseconds += milliseconds
                return
            }
            rect = change
        }
        flush()
        try begin(rect, of: planes, milliseconds: milliseconds)
        last = planes
    }

    /// Splits the last frame, so that a repetition shows its end.
    ///
    /// Without effect if the last frame is not longer than the repetition.
    ///
    /// - Parameter milliseconds: The duration of the repetition, which the last frame loses.
    /// - Throws: ``CodecError``.
    func repeatLastFrame(milliseconds: Int) throws(CodecError) {
        guard let last, let frame = pending, frame.milliseconds > milliseconds else { return }
        pending?.milliseconds -= milliseconds
        flush()
        // Every frame has pixels; one of them is written again.
        try begin(PixelRect(x: 0, y: 0, width: 1, height: 1), of: last, milliseconds: milliseconds)
    }

    /// Encodes a rectangle of a frame, which waits for the end of its display time.
    private func begin(_ rect: PixelRect, of planes: [Plane], milliseconds: Int) throws(CodecError) {
        let file = try Self.encode(planes.map { $0.cropped(to: rect) }, rect.size)
        if start.isEmpty { start = Array(file.prefix(33)) }
        let data = PNGChunks(file[...]).filter { $0.kind == .idat }.map { Array(file[$0.data]) }
        pending = Pending(rect: rect, data: data, milliseconds: milliseconds)
    }

    func finish() throws(CodecError) -> [UInt8] {
        flush()
        guard frames > 0 else { throw .failed("an animation without frames") }
        let control = PNGChunks.number(UInt32(frames)) + PNGChunks.number(UInt32(clamping: plays))
        // One frame is a still image; browsers ignore its animation chunks.
        return start + PNGChunks.chunk("acTL", control) + chunks + PNGChunks.chunk("IEND", [])
    }

    private func flush() {
        guard let frame = pending else { return }
        pending = nil
        chunks += PNGChunks.chunk("fcTL", next() + Self.control(frame.rect, frame.milliseconds))
        for data in frame.data {
            chunks += frames == 0 ? PNGChunks.chunk("IDAT", data) : PNGChunks.chunk("fdAT", next() + data)
        }
        frames += 1
    }

    private func next() -> [UInt8] {
        defer { sequence += 1 }
        return PNGChunks.number(sequence)
    }

    /// The control chunk of a frame: its position and time.
    ///
    /// The frame replaces the previous pixels and stays until a later frame replaces it.
    private static func control(_ rect: PixelRect, _ milliseconds: Int) -> [UInt8] {
        // A fraction of a second with two 16-bit numbers.
        var (numerator, denominator) = (max(0, milliseconds), 1000)
        while numerator > 65_535, denominator > 1 {
            numerator /= 10
            denominator /= 10
        }
        let delay = [min(numerator, 65_535), denominator].flatMap { [UInt8](bigEndian: $0, count: 2) }
        return [rect.width, rect.height, rect.x, rect.y].flatMap { PNGChunks.number(UInt32(clamping: $0)) } + delay
            + [0, 0]
    }

    private static func encode(_ planes: [Plane], _ size: PixelSize) throws(CodecError) -> [UInt8] {
        var options = hr_png_options()
        options.color_planes = 3
        options.has_alpha = true
        options.is_plain = true
        return try planes.withViews { (views) throws(CodecError) in
            try ImageEncoder.collect(.png, size) { hr_png_encode(views, &options, $0, $1) }
        }
    }
}
