import Geometry

/// Decodes the frames of an animated PNG, each as a file of its own.
final class APNGFrames: FrameStream {
    private let chunks: APNGChunks
    private let canvas: FrameCanvas
    private let orientation: Orientation
    private let profile: ICCProfile?
    private let limits: DecodeLimits
    private var offset: Int?
    private var isFirst = true

    init(_ bytes: [UInt8], orientation: Orientation, limits: DecodeLimits) throws(CodecError) {
        guard let chunks = APNGChunks(bytes) else { throw .corrupt(.png, "it has no animation") }
        self.chunks = chunks
        self.orientation = orientation
        self.limits = limits
        canvas = try FrameCanvas(chunks.canvas)
        offset = chunks.start
        profile = try PNGDecoder.iccProfile(bytes)
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard let start = offset else { return nil }
        offset = nil
        guard let frame = chunks.frame(from: start) else { return nil }
        do {
            let planes = try decode(frame)
            try canvas.begin(frame.rect, frame.disposal)
            canvas.draw(planes, frame.blending)
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
    private func decode(_ frame: APNGChunks.Frame) throws(CodecError) -> [Plane] {
        let image = try PNGDecoder.decodeFrame(chunks.file(of: frame), limits: limits)
        guard image.size == frame.rect.size else { throw .corrupt(.png, "a frame of another size") }
        let colors = image.colorModel == .gray ? Array(repeating: image.planes[0], count: 3) : image.planes
        if let alpha = image.alpha { return colors + [alpha] }
        return colors + [try Plane(image.size, filledWith: 255)]
    }
}
