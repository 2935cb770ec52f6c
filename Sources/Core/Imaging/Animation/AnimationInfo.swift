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

    /// The longest time of a frame in milliseconds; WebP has 24 bits for it.
    private static let maxFrameDuration = 1 << 24 - 1

    /// The time for which browsers show a frame: up to 10 ms count as 100 ms.
    static func shown(_ milliseconds: Int) -> Int {
        milliseconds <= 10 ? 100 : min(milliseconds, maxFrameDuration)
    }
}
