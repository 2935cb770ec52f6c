/// The largest image that a file of a format can contain.
///
/// The rows are in the table of formats, ``FormatCodec/Writing``. Encoders, the choice of a format and messages use
/// them. The number of pixels of an image is limited by settings only, and no format limits the number of frames.
package struct FormatCapacity: Hashable, Sendable {
    /// The maximum length of a side in pixels; it is a limit of the format or its encoder.
    package let maxSide: Int
    /// The maximum length of a side in pixels that browsers show; at most ``maxSide``.
    package let maxShownSide: Int

    /// Creates a capacity; browsers show every file unless they have a lower limit.
    init(maxSide: Int, shown: Int? = nil) {
        self.maxSide = maxSide
        maxShownSide = shown ?? maxSide
    }
}
