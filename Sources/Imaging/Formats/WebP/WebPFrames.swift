import CImageCodec
import Geometry

/// Decodes the frames of an animated WebP on a transparent canvas; the background colour is ignored, as in browsers.
final class WebPFrames: FrameStream {
    private let bytes: [UInt8]
    private let animation: WebPAnimation
    private let canvas: FrameCanvas
    private let orientation: Orientation
    private let profile: ICCProfile?
    private var offset: Int?
    private var isFirst = true

    init(_ bytes: [UInt8], orientation: Orientation) throws(CodecError) {
        guard let animation = WebPAnimation(bytes) else { throw .corrupt(.webp, "it has no animation") }
        self.bytes = bytes
        self.animation = animation
        self.orientation = orientation
        canvas = try FrameCanvas(animation.canvas)
        offset = animation.start
        let range = try WebPChunks(bytes).profile
        profile = range.flatMap { $0.count <= ICCProfile.maxBytes ? ICCProfile(Array(bytes[$0])) : nil }
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard let start = offset else { return nil }
        offset = nil
        guard let frame = animation.frame(from: start) else { return nil }
        do {
            let planes = try decode(frame)
            try canvas.begin(frame.rect, frame.isCleared ? .clear : .keep)
            canvas.draw(planes, frame.replaces ? .replace : .over)
        } catch {
            guard !isFirst, error != .outOfMemory else { throw error }
            return nil
        }
        isFirst = false
        offset = frame.next
        let image = try canvas.snapshot(iccProfile: profile).oriented(orientation)
        return AnimatedFrame(image, milliseconds: frame.milliseconds)
    }

    /// Red, green, blue and alpha of a frame.
    private func decode(_ frame: WebPAnimation.Frame) throws(CodecError) -> [Plane] {
        let planes = try (0..<4).map { (_) throws(CodecError) in try Plane(unset: frame.rect.size) }
        let views = planes.map(\.view)
        do {
            try bytes[frame.picture].withUnsafeBufferPointer { (buffer) throws(CFailure) in
                guard let start = buffer.baseAddress else { return }
                var info = hr_webp_info()
                try check { hr_webp_read(start, buffer.count, &info, $0) }
                try check { hr_webp_decode(start, buffer.count, HR_WEBP_RGB, info.has_alpha, views, $0) }
                if !info.has_alpha { hr_fill([views[3]], 255) }
            }
        } catch {
            throw error.status == HR_NO_MEMORY ? .outOfMemory : .corrupt(.webp, error.message)
        }
        return planes
    }
}
