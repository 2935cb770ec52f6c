package import Geometry

/// Crops and orients a JPEG without decoding it: every pixel is preserved exactly.
package struct LosslessCropping: Hashable, Sendable {
    /// The possible left and top edges of crops, in pixels of the upright image.
    package let grid: BlockGrid
    /// The peak memory in bytes, without the file itself.
    package let bytesNeeded: Int

    /// Crops a file to a rectangle inside the upright image, whose left and top edge are on the grid.
    ///
    /// The colour profile is the only metadata that is kept. The result is progressive if the source is.
    ///
    /// - Throws: ``CodecError``.
    package static func crop(
        _ bytes: [UInt8],
        to rect: PixelRect,
        limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> [UInt8] {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            let handle = try JPEGHandle(buffer, limits: limits)
            return try handle.crop(to: rect)
        }
    }
}
