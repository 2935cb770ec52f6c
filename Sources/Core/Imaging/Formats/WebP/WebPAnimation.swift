import CImageCodec
import Geometry

/// The frames of an animated WebP, found one after the other in linear time and constant memory (RFC 9649, 2.7.1).
struct WebPAnimation: StoredAnimation {
    let canvas: PixelSize
    let plays: Int
    let start: Int
    private let riff: RIFFChunks

    /// Nil if the file is not animated.
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
        canvas = riff.size(at: header.data.lowerBound + 4)
    }

    func frame(from offset: Int) -> StoredFrame? {
        var next = offset
        while let chunk = riff.chunk(at: next, before: riff.end) {
            next = chunk.next
            guard chunk.type == "ANMF" else { continue }
            guard chunk.data.count >= RIFFChunks.frameHeader, let rect = try? riff.frame(chunk),
                PixelRect(canvas).contains(rect),
                let image = riff.image(from: chunk.data.lowerBound + RIFFChunks.frameHeader, before: chunk.end),
                image.isComplete
            else { return nil }
            let flags = riff.bytes[chunk.data.lowerBound + 15]
            return StoredFrame(
                rect: rect,
                milliseconds: riff.number(at: chunk.data.lowerBound + 12, bytes: 3),
                disposal: flags & 0x01 != 0 ? .clear : .keep,
                blending: flags & 0x02 != 0 ? .replace : .over,
                // An optional ALPH chunk, and the VP8 or VP8L chunk.
                data: [image.bytes],
                next: chunk.next
            )
        }
        return nil
    }

    func planes(of frame: StoredFrame) throws(CodecError) -> [Plane] {
        let planes = try [Plane](unset: frame.rect.size, count: 4)
        do {
            try riff.bytes[frame.data[0]].withUnsafeBufferPointer { (buffer) throws(CFailure) in
                guard let start = buffer.baseAddress else { return }
                var info = hr_webp_info()
                try attempt { hr_webp_read(start, buffer.count, &info, $0) }
                try planes.withTargets { (planes) throws(CFailure) in
                    try attempt { hr_webp_decode(start, buffer.count, HR_WEBP_RGB, info.has_alpha, planes, $0) }
                    if !info.has_alpha { hr_fill([planes[3]], 255) }
                }
            }
        } catch {
            throw error.status == HR_NO_MEMORY ? .outOfMemory : .corrupt(.webp, error.message)
        }
        return planes
    }

    static func frames(
        _ bytes: [UInt8],
        _ header: ImageHeader,
        _: DecodeLimits
    ) throws(CodecError) -> any FrameStream {
        guard let animation = WebPAnimation(bytes) else { throw .corrupt(.webp, "it has no animation") }
        let profile = try WebPChunks(bytes).profile.flatMap { ICCProfile(bytes[$0]) }
        return try StoredFrames(animation, header.orientation, profile)
    }
}
