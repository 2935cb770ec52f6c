/// The reason why a compressed stream was not decoded completely.
package enum DecodingError: Error, Hashable, Sendable {
    /// The stream is damaged or incomplete, or its window exceeds the limit of its content coding.
    case damaged
    /// The output did not accept the bytes.
    case stopped
    /// The decoded bytes exceed ``DecodingLimits/maxBytes``.
    case tooManyBytes(limit: Int)
    /// The number of members or frames exceeds ``DecodingLimits/maxFrames``.
    case tooManyFrames
    /// There was not enough memory left for the decoder.
    case noMemory
}
