/// Limits for decoding one compressed stream, so that a few bytes cannot use much time or memory.
package struct DecodingLimits: Sendable {
    /// Maximum number of decoded bytes per encoded byte of a body, which applies above ``freeBytes``.
    ///
    /// Files in image formats without compression, such as BMP and TIFF, reach a ratio of 20 to 50.
    package static let maxRatio = 64
    /// The number of decoded bytes that every body may have, regardless of its ratio.
    package static let freeBytes = 1 << 20
    /// Maximum number of decoded bytes per encoded byte if the decoded bytes are themselves encoded, because
    /// compressing compressed bytes again does not make them much smaller.
    package static let maxInnerRatio = 2
    /// The number of decoded bytes that every body may have, regardless of its ratio, if the decoded bytes are
    /// themselves encoded.
    package static let freeInnerBytes = 4 << 10
    /// Maximum number of members in a gzip stream or frames in a Zstandard stream.
    ///
    /// Each of them may have its own window.
    package static let maxFrames = 16

    /// Maximum number of decoded bytes.
    package let maxBytes: Int

    /// Creates the limits for one coding of a body.
    ///
    /// - Parameters:
    ///   - receivedBytes: The length of the body before any decoding.
    ///   - isInner: Whether the decoded bytes are themselves encoded.
    package init(receivedBytes: Int, isInner: Bool = false) {
        let (ratio, free) = isInner ? (Self.maxInnerRatio, Self.freeInnerBytes) : (Self.maxRatio, Self.freeBytes)
        let (product, isTooLarge) = receivedBytes.multipliedReportingOverflow(by: ratio)
        maxBytes = max(free, isTooLarge ? .max : product)
    }
}
