/// The properties of an animation that its structure states; no pixel is decoded for them.
package struct AnimationInfo: Hashable, Codable, Sendable {
    /// The number of complete frames, at least 2.
    package var frames: Int
    /// The total display time of all frames in browsers, in milliseconds.
    package var duration: Int
    /// The number of times that the animation plays; 0 plays it forever.
    package var plays: Int
    /// The number of pixels to decode: for each frame, its own pixels or the pixels of the canvas, whichever are more.
    package var pixels: Int
    /// The memory for decoding one frame after the other, in bytes.
    package var bytes: Int

    /// The maximum time of a frame in milliseconds; WebP has 24 bits for it.
    private static let maxFrameDuration = 1 << 24 - 1

    /// The display time of a frame in browsers: up to 10 ms count as 100 ms.
    static func shown(_ milliseconds: Int) -> Int {
        milliseconds <= 10 ? 100 : min(milliseconds, maxFrameDuration)
    }
}
