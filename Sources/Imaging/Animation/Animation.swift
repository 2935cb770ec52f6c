/// The properties of an animation that its structure states; no pixel is decoded for them.
package struct AnimationInfo: Hashable, Codable, Sendable {
    /// The number of complete frames, at least 2.
    package var frames: Int
    /// The time of all frames together in milliseconds, as browsers show them.
    package var duration: Int
    /// The number of times that the animation plays; 0 is for ever.
    package var plays: Int
    /// The pixels to decode: of each frame its own or those of the canvas, whichever are more.
    package var pixels: Int
    /// The memory for decoding one frame after the other, in bytes.
    package var bytes: Int

    /// An animation of `frames` frames.
    package init(frames: Int, duration: Int, plays: Int, pixels: Int, bytes: Int) {
        self.frames = frames
        self.duration = duration
        self.plays = plays
        self.pixels = pixels
        self.bytes = bytes
    }

    /// The longest time of a frame in milliseconds; WebP has 24 bits for it.
    private static let longestFrame = 1 << 24 - 1

    /// The time for which browsers show a frame: up to 10 ms count as 100 ms.
    fileprivate static func shown(_ milliseconds: Int) -> Int {
        milliseconds <= 10 ? 100 : min(milliseconds, longestFrame)
    }
}

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

/// One frame of an animation as a player shows it.
package struct AnimatedFrame: Sendable {
    /// The upright canvas with this frame and what is left of those before.
    package let image: PlanarImage
    /// The time for which browsers show it, in milliseconds.
    package let milliseconds: Int

    init(_ image: PlanarImage, milliseconds: Int) {
        self.image = image
        self.milliseconds = AnimationInfo.shown(milliseconds)
    }
}

/// Decodes the frames of an animation one after the other; only the current one is in memory.
package protocol FrameStream: AnyObject {
    /// The next frame; nil after the last one.
    ///
    /// A frame that is damaged ends the animation, unless it is the first.
    ///
    /// - Throws: ``CodecError`` if the first frame cannot be decoded, or there is no memory.
    func next() throws(CodecError) -> AnimatedFrame?
}

/// Encodes the frames of an animation one after the other.
package protocol AnimationWriter: AnyObject {
    /// Adds a frame.
    ///
    /// - Parameters:
    ///   - image: Red, green and blue, with or without alpha, of the animation's size.
    ///   - milliseconds: The time for which it is shown.
    /// - Throws: ``CodecError``.
    func add(_ image: PlanarImage, milliseconds: Int) throws(CodecError)

    /// The file; to be called once, after the last frame.
    ///
    /// - Throws: ``CodecError``.
    func finish() throws(CodecError) -> [UInt8]
}
