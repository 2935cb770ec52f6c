/// Decodes the frames of an animation one after the other; only the current one is in memory.
package protocol FrameStream: AnyObject {
    /// The next frame; nil after the last one.
    ///
    /// A damaged frame ends the animation, unless it is the first frame.
    ///
    /// - Throws: ``CodecError`` if the first frame cannot be decoded, or there is no memory.
    func next() throws(CodecError) -> AnimatedFrame?
}
