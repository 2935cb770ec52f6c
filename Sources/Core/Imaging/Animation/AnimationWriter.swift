/// Encodes the frames of an animation one after the other.
package protocol AnimationWriter: AnyObject {
    /// Adds a frame of the animation's size: red, green and blue, with or without alpha.
    ///
    /// - Throws: ``CodecError``.
    func add(_ image: PlanarImage, milliseconds: Int) throws(CodecError)

    /// Returns the file; must be called once, after the last frame.
    ///
    /// - Throws: ``CodecError``.
    func finish() throws(CodecError) -> [UInt8]
}
