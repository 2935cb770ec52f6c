/// Receives the bytes of a compressed stream while they are decoded.
package protocol DecodedOutput: AnyObject {
    /// Removes all bytes received so far.
    ///
    /// Needed because raw deflate data may start like the zlib format.
    func removeAll()

    /// Reserves memory for the decoder, replacing its previous reservation.
    ///
    /// Returns whether the memory is available.
    func reserve(decoderBytes: Int) -> Bool

    /// Appends at most ``CompressedFormat/pieceBytes`` bytes.
    ///
    /// Returns whether decoding should continue.
    func append(_ piece: UnsafeRawBufferPointer) -> Bool
}

/// The output of one stream, with its limits.
struct LimitedOutput {
    /// The memory of a decoder in addition to its window, in bytes.
    private static let decoderBytes = 256 << 10

    private let limits: DecodingLimits
    private let output: any DecodedOutput
    private var bytes = 0
    private var frames = 0
    private var reservedBytes = 0

    init(_ limits: DecodingLimits, _ output: any DecodedOutput) {
        self.limits = limits
        self.output = output
    }

    /// Counts a member or frame, and reserves memory for its window.
    mutating func beginFrame(windowBytes: Int) throws(DecodingError) {
        frames += 1
        guard frames <= DecodingLimits.maxFrames else { throw .tooManyFrames }
        // Only the filled part of a window uses memory pages.
        let needed = min(windowBytes, limits.maxBytes) + Self.decoderBytes
        guard needed > reservedBytes else { return }
        guard output.reserve(decoderBytes: needed) else { throw .noMemory }
        reservedBytes = needed
    }

    mutating func append(_ piece: UnsafeRawBufferPointer) throws(DecodingError) {
        guard piece.count <= limits.maxBytes - bytes else { throw .tooManyBytes(limit: limits.maxBytes) }
        bytes += piece.count
        guard output.append(piece) else { throw .stopped }
    }
}
