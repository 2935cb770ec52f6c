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
