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

    init(_ bytes: [UInt8], _ header: ImageHeader, _ limits: DecodeLimits) throws(CodecError) {
        guard let animation = WebPAnimation(bytes) else { throw .corrupt(.webp, "it has no animation") }
        self.bytes = bytes
        self.animation = animation
        orientation = header.orientation
        canvas = try FrameCanvas(animation.canvas)
        offset = animation.start
        profile = try WebPChunks(bytes).profile.flatMap { ICCProfile(bytes[$0]) }
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
        let planes = try [Plane](unset: frame.rect.size, count: 4)
        let views = planes.map(\.view)
        do {
            try bytes[frame.picture].withUnsafeBufferPointer { (buffer) throws(CFailure) in
                guard let start = buffer.baseAddress else { return }
                var info = hr_webp_info()
                try attempt { hr_webp_read(start, buffer.count, &info, $0) }
                try attempt { hr_webp_decode(start, buffer.count, HR_WEBP_RGB, info.has_alpha, views, $0) }
                if !info.has_alpha { hr_fill([views[3]], 255) }
            }
        } catch {
            throw error.status == HR_NO_MEMORY ? .outOfMemory : .corrupt(.webp, error.message)
        }
        return planes
    }
}

/// The frames of an animated WebP, found one after the other in linear time and constant memory (RFC 9649, 2.7.1).
struct WebPAnimation {
    /// A frame as it is stored.
    struct Frame {
        let rect: PixelRect
        let milliseconds: Int
        /// Whether its pixels replace those of the canvas instead of being blended over them.
        let replaces: Bool
        /// Whether its rectangle becomes transparent after its time.
        let isCleared: Bool
        /// An optional ALPH chunk, and the VP8 or VP8L chunk.
        let picture: Range<Int>
        /// The start of the next chunk.
        let next: Int
    }

    let canvas: PixelSize
    /// The number of times that the animation plays; 0 is for ever.
    let plays: Int
    /// Where ``frame(from:)`` begins.
    let start: Int
    private let riff: RIFFChunks

    /// Nil if the file has no animation.
    init?(_ bytes: [UInt8]) {
        let riff = RIFFChunks(bytes)
        guard let header = riff.chunk(at: 12, before: riff.end), header.type == "VP8X", header.data.count >= 10,
            bytes[header.data.lowerBound] & 0x02 != 0
        else { return nil }
        var (plays, next) = (0, header.next)
        while let chunk = riff.chunk(at: next, before: riff.end), chunk.type != "ANMF" {
            if chunk.type == "ANIM", chunk.data.count >= 6 {
                plays = riff.number(at: chunk.data.lowerBound + 4, bytes: 2)
            }
            next = chunk.next
        }
        self.riff = riff
        self.plays = plays
        start = next
        canvas = PixelSize(
            width: riff.number(at: header.data.lowerBound + 4, bytes: 3) + 1,
            height: riff.number(at: header.data.lowerBound + 7, bytes: 3) + 1
        )
    }

    /// The first complete frame from an offset on; nil after the last one, or if a frame is invalid.
    func frame(from offset: Int) -> Frame? {
        var next = offset
        while let chunk = riff.chunk(at: next, before: riff.end) {
            next = chunk.next
            guard chunk.type == "ANMF" else { continue }
            guard chunk.data.count >= RIFFChunks.frameHeader, let rect = try? riff.frame(chunk),
                PixelRect(canvas).contains(rect),
                let picture = riff.picture(
                    from: chunk.data.lowerBound + RIFFChunks.frameHeader,
                    before: chunk.end
                ), picture.isComplete
            else { return nil }
            let flags = riff.bytes[chunk.data.lowerBound + 15]
            return Frame(
                rect: rect,
                milliseconds: riff.number(at: chunk.data.lowerBound + 12, bytes: 3),
                replaces: flags & 0x02 != 0,
                isCleared: flags & 0x01 != 0,
                picture: picture.bytes,
                next: chunk.next
            )
        }
        return nil
    }

    /// The animation; nil if there are fewer than two frames.
    func info(bytes: Int) -> AnimationInfo? {
        var tally = FrameTally()
        var offset = start
        while let frame = frame(from: offset) {
            tally.add(milliseconds: frame.milliseconds, area: frame.rect.area, canvas: canvas.area)
            offset = frame.next
        }
        return tally.info(plays: plays, bytes: bytes)
    }
}
