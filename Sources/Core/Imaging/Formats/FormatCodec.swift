import Geometry

/// A format in the table of formats: its names, and the functions that read and write its files.
///
/// The rows are in the files of the decoders: ``jpeg`` is in `JPEGDecoder.swift`.
struct FormatCodec: Sendable {
    /// The name of the format in messages.
    let name: String
    /// File name extensions without the dot, the preferred one first.
    let fileExtensions: [String]
    /// Whether bytes start with the signature; at most ``InputFormat/signatureLength`` bytes are examined.
    let matches: @Sendable (_ bytes: [UInt8]) -> Bool
    let readHeader: @Sendable (_ bytes: [UInt8]) throws(CodecError) -> ImageHeader
    /// Decodes an upright image, within limits that have been checked; only JPEG supports scales other than full.
    let decode: @Sendable (_ bytes: [UInt8], ImageHeader, DecodeScale, DecodeLimits) throws(CodecError) -> PlanarImage
    /// Reads animations; nil if the format has none, or if they are not supported.
    var animation: AnimationReading?
    /// Finds the metadata that may contain a copyright notice; nil if the service reads no metadata in this format.
    var findMetadata: (@Sendable (_ bytes: [UInt8]) -> MetadataBlocks)?
    /// Writes files; nil for an input-only format.
    var writing: Writing?
    /// A file of one or a few pixels, to check a decoder that has no encoder; nil for other formats.
    var sample: [UInt8]?

    struct AnimationReading: Sendable {
        /// Whether a file may be animated, by its signature and a few bytes of its structure.
        let mayBeAnimated: @Sendable (_ bytes: ArraySlice<UInt8>) -> Bool
        /// The frames of a file with an animation in its header.
        let frames: @Sendable (_ bytes: [UInt8], ImageHeader, DecodeLimits) throws(CodecError) -> any FrameStream
    }

    /// Writes files of a format.
    ///
    /// ``OutputFormat`` has properties of the same names.
    struct Writing: Sendable {
        var keepsAlpha = true
        var keepsProfile = true
        var isLossy = true
        var isExpensive = false
        var mustBeNamed = false
        /// The capacity of a file.
        let capacity: FormatCapacity
        /// The best colour model for encoding an image that is not grey.
        let model: @Sendable (ColorModel, EncodingOptions) -> ColorModel
        /// Encodes an image.
        ///
        /// The colours of transparent pixels have already been removed from the image.
        let encode: @Sendable (PlanarImage, EncodingOptions) throws(CodecError) -> [UInt8]
        /// The memory of the encoder in bytes, without the image and the file.
        var bytesNeeded: @Sendable (PixelSize, EncodingOptions) -> Int = { size, options in
            // A second file during the search for the quality.
            options.maxBytes == nil ? 0 : size.area * 2
        }
        /// Writes animations; nil for a format without animations.
        var animation: AnimationWriting?
    }

    /// Writes animations of a format.
    ///
    /// ``OutputFormat`` has properties of the same names.
    struct AnimationWriting: Sendable {
        var suitsEveryAnimation = false
        var keepsPlays = true
        let begin: @Sendable (PixelSize, AnimationOptions) throws(CodecError) -> any AnimationWriter
        /// The memory of the encoder and the file in bytes.
        ///
        /// The arguments are the size of a frame and the number of pixels in all frames.
        var bytesNeeded: @Sendable (PixelSize, _ pixels: Int, _ hasAlpha: Bool) -> Int = usualBytesNeeded
        /// Adds a copyright notice to a finished file; nil if the encoder writes the notice.
        var addNotice: (@Sendable (CopyrightNotice, _ file: [UInt8], PixelSize) -> [UInt8])?

        /// The usual memory: six images of four bytes per pixel in libwebp, another image for comparisons, and two
        /// copies of the growing file.
        static let usualBytesNeeded: @Sendable (PixelSize, Int, Bool) -> Int = { size, pixels, _ in
            size.area * 36 + pixels * 2
        }
    }
}
