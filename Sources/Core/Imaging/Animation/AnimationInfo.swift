/// The properties of an animation, read from the structure of its file without decoding pixels.
package struct AnimationInfo: Hashable, Codable, Sendable {
    /// The number of complete frames, at least 2.
    package var frames: Int
    /// The total display time of all frames in browsers, in milliseconds.
    package var duration: Int
    /// The number of times that the animation plays; 0 plays it forever.
    package var plays: Int
    /// The number of pixels to decode: the sum over all frames of the frame's area or the canvas's area, whichever is
    /// larger.
    package var pixels: Int
    /// The memory for decoding one frame after the other, in bytes.
    package var bytes: Int

    /// The maximum display time of a frame in milliseconds; WebP stores it in 24 bits.
    private static let maxFrameDuration = 1 << 24 - 1

    /// The display time of a frame in browsers: up to 10 ms count as 100 ms.
    static func shown(_ milliseconds: Int) -> Int {
        milliseconds <= 10 ? 100 : min(milliseconds, maxFrameDuration)
    }
}
