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
