/// The reason why a compressed stream was not decoded to its end.
package enum DecodingError: Error, Hashable, Sendable {
    /// The stream is damaged or incomplete, or its window is larger than its format's content coding allows.
    case damaged
    /// The output did not accept the bytes.
    case stopped
    /// The stream has more bytes than ``DecodingLimits/maxBytes``.
    case tooManyBytes(limit: Int)
    /// The stream has more members or frames than ``DecodingLimits/maxFrames``.
    case tooManyFrames
    /// No memory was left for the decoder.
    case noMemory
}
