import Geometry

/// Adds up the frames of a file.
struct FrameTally {
    private var frames = 0
    private var duration = 0
    private var pixels = 0

    /// Counts a frame of `area` pixels on a canvas; sums stay below 2⁶².
    mutating func add(milliseconds: Int, area: Int, canvas: Int) {
        frames += 1
        duration = min(duration + AnimationInfo.shown(milliseconds), 1 << 53)
        pixels = min(pixels + min(max(area, canvas), 1 << 61), 1 << 61)
    }

    /// The animation; nil if there are fewer than two frames.
    func info(plays: Int, bytes: Int) -> AnimationInfo? {
        guard frames > 1 else { return nil }
        return AnimationInfo(frames: frames, duration: duration, plays: plays, pixels: pixels, bytes: bytes)
    }
}

/// A frame as a file stores it: a rectangle that is drawn over earlier frames.
struct StoredFrame {
    var rect: PixelRect
    /// The time as the file states it.
    var milliseconds: Int
    var disposal: FrameCanvas.Disposal
    var blending: FrameCanvas.Blending
    /// The ranges of the frame's compressed data, in file order.
    var data: [Range<Int>] = []
    /// The start offset of the search for the next frame.
    var next = 0
}

/// An animation whose frames are found one after the other in the bytes of a file.
protocol StoredAnimation {
    var canvas: PixelSize { get }
    /// The number of times that it plays; 0 plays it forever.
    var plays: Int { get }
    /// The start offset of the search for the first frame.
    var start: Int { get }

    /// The first complete frame at or after an offset; nil after the last one, or if it is invalid.
    func frame(from offset: Int) -> StoredFrame?

    /// Red, green, blue and alpha of a frame.
    func planes(of frame: StoredFrame) throws(CodecError) -> [Plane]
}

extension StoredAnimation {
    /// The properties of the animation, from all its frames; nil if there are fewer than two frames.
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

/// Decodes the frames of a stored animation on a transparent canvas; a background colour is ignored, as in browsers.
final class StoredFrames: FrameStream {
    private let animation: any StoredAnimation
    private let canvas: FrameCanvas
    private let orientation: Orientation
    private let profile: ICCProfile?
    private var offset: Int?
    private var isFirst = true

    init(_ animation: any StoredAnimation, _ orientation: Orientation, _ profile: ICCProfile?) throws(CodecError) {
        self.animation = animation
        self.orientation = orientation
        self.profile = profile
        canvas = try FrameCanvas(animation.canvas)
        offset = animation.start
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard let start = offset else { return nil }
        offset = nil
        guard let frame = animation.frame(from: start) else { return nil }
        do {
            let planes = try animation.planes(of: frame)
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
}
