import CImageCodec
import Geometry

/// Encodes animated WebP files with libwebp's animation encoder: lossy, and of each frame only what changes.
final class WebPAnimationEncoder: AnimationWriter {
    /// libwebp's effort: docs/formats.md has the measurements.
    private static let method: Int32 = 4

    private let animator: OpaquePointer
    private let size: PixelSize

    /// Begins a file that plays `plays` times, 0 for ever.
    init(_ size: PixelSize, plays: Int, quality: Int) throws(CodecError) {
        var opened: OpaquePointer?
        var animation = hr_webp_animation()
        animation.plays = Int32(min(max(plays, 0), 65_535))
        animation.quality = WebPEncoder.level(of: quality)
        animation.method = Self.method
        let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
        do {
            try check { hr_webp_animator_open(width, height, &animation, &opened, $0) }
        } catch {
            hr_webp_animator_close(opened)
            throw error.codecError(.webp, size: size)
        }
        guard let opened else { throw .outOfMemory }
        animator = opened
        self.size = size
    }

    deinit { hr_webp_animator_close(animator) }

    func add(_ image: PlanarImage, milliseconds: Int) throws(CodecError) {
        guard image.size == size, image.colorModel == .rgb else { throw .failed("a frame of another kind") }
        let image = try image.hidingColors()
        let views = (image.planes + (image.alpha.map { [$0] } ?? [])).map(\.view)
        do {
            try check {
                hr_webp_animator_add(animator, views, image.alpha != nil, Int32(clamping: milliseconds), $0)
            }
        } catch {
            throw error.codecError(.webp, size: size)
        }
    }

    func finish() throws(CodecError) -> [UInt8] {
        try ImageEncoder.collect(.webp, size) { hr_webp_animator_finish(animator, $0, $1) }
    }
}
