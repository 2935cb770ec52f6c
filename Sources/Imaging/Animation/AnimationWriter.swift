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
