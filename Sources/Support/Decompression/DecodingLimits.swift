/// Limits of decoding one compressed stream, so that few bytes cannot cost much time or memory.
package struct DecodingLimits: Sendable {
    /// Maximum number of decoded bytes per encoded byte of a body, above ``freeBytes``.
    ///
    /// Files in image formats without compression, such as BMP and TIFF, reach a ratio of 20 to 50.
    package static let maxRatio = 64
    /// Number of decoded bytes that every body may have, regardless of its ratio.
    package static let freeBytes = 1 << 20
    /// Maximum number of decoded bytes per encoded byte if the decoded bytes have another coding: a second compression
    /// does not make compressed bytes much smaller.
    package static let maxInnerRatio = 2
    /// Number of decoded bytes with another coding that every body may have, regardless of its ratio.
    package static let freeInnerBytes = 4 << 10
    /// Maximum number of members of a gzip stream, or of frames of a Zstandard stream: each may have its own window.
    package static let maxFrames = 16

    /// Maximum number of decoded bytes.
    package let maxBytes: Int

    /// Creates the limits of one coding of a body.
    ///
    /// - Parameters:
    ///   - receivedBytes: The length of the body with all of its codings.
    ///   - isInner: Whether the decoded bytes have another coding.
    package init(receivedBytes: Int, isInner: Bool = false) {
        let (ratio, free) = isInner ? (Self.maxInnerRatio, Self.freeInnerBytes) : (Self.maxRatio, Self.freeBytes)
        let (product, isTooLarge) = receivedBytes.multipliedReportingOverflow(by: ratio)
        maxBytes = max(free, isTooLarge ? .max : product)
    }
}
