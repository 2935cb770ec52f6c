/// One frame of an animation as a player shows it.
package struct AnimatedFrame: Sendable {
    /// The upright canvas with this frame drawn over the remaining content of earlier frames.
    package let image: PlanarImage
    /// Display time in browsers, in milliseconds.
    package let milliseconds: Int

    init(_ image: PlanarImage, milliseconds: Int) {
        self.image = image
        self.milliseconds = AnimationInfo.shown(milliseconds)
    }
}
