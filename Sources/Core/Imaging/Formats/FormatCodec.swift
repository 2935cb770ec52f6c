package import Geometry

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

extension InputFormat {
    var codec: FormatCodec {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        case .gif: .gif
        #if AVIF
        case .avif: .avif
        #endif
        #if HEIC
        case .heic: .heic
        #endif
        #if JPEGXL
        case .jpegxl: .jpegxl
        #endif
        #if TIFF
        case .tiff: .tiff
        #endif
        case .bmp: .bmp
        case .ico: .ico
        }
    }

    /// The name of the format in messages.
    package var name: String { codec.name }

    /// File name extensions without the dot, the preferred one first.
    package var fileExtensions: [String] { codec.fileExtensions }

    /// A file of one or a few pixels, to check a decoder that has no encoder; nil for formats whose still images are
    /// written.
    package var sample: [UInt8]? { codec.sample }

    /// The format whose signature starts the bytes; nil if no signature matches.
    package static func sniff(_ bytes: [UInt8]) -> InputFormat? { allCases.first { $0.codec.matches(bytes) } }

    /// Whether a file may be animated, by its signature and a few bytes of its structure, without checking either.
    ///
    /// - Parameter bytes: The file.
    /// - Returns: False for stills of JPEG, PNG, WebP, AVIF and formats without animations; true for any GIF.
    package static func mayBeAnimated(_ bytes: ArraySlice<UInt8>) -> Bool {
        sniff(Array(bytes.prefix(signatureLength)))?.codec.animation?.mayBeAnimated(bytes) ?? false
    }
}

extension OutputFormat {
    var writing: FormatCodec.Writing {
        guard let writing = InputFormat(self).codec.writing else { preconditionFailure("\(name) files are written") }
        return writing
    }

    /// The capacity of a file; ``keepsAlpha``, ``keepsAnimation`` and ``ImageEncoder/encoderBytes(_:as:_:)`` are the other
    /// properties that decide whether an output fits.
    package var capacity: FormatCapacity { writing.capacity }

    /// Whether a file can contain an image of this size; animations are limited in the same way.
    package func holds(_ size: PixelSize) -> Bool { size.longSide <= capacity.maxSide }

    /// Whether the service may choose the format for an image of this size: files can contain it and browsers can show
    /// it.
    package func suits(_ size: PixelSize) -> Bool { size.longSide <= capacity.maxShownSide }

    /// Whether the format supports transparency.
    package var keepsAlpha: Bool { writing.keepsAlpha }

    /// Whether files can have a colour profile.
    package var keepsProfile: Bool { writing.keepsProfile }

    /// Whether files have a quality.
    package var isLossy: Bool { writing.isLossy }

    /// Whether encoding takes many times as long as in other formats.
    ///
    /// The size of such results is limited, and the format is chosen only where it saves enough bytes.
    package var isExpensive: Bool { writing.isExpensive }

    /// Whether the format is preferred to JPEG and PNG only if the client names it; programs that cannot show the
    /// format also send `*/*`.
    package var mustBeNamed: Bool { writing.mustBeNamed }

    /// Whether the format can hold an animation that this program writes.
    package var keepsAnimation: Bool { writing.animation != nil }

    /// Whether the format is chosen for an animation in a different format.
    ///
    /// PNG is not, because a lossless animation is many times as large.
    package var suitsEveryAnimation: Bool { writing.animation?.suitsEveryAnimation ?? false }

    /// Whether the number of times that an animation plays is written.
    package var keepsPlays: Bool { writing.animation?.keepsPlays ?? false }

    /// The format whose signature starts the bytes; nil if no signature matches.
    package static func sniff(_ bytes: [UInt8]) -> OutputFormat? {
        InputFormat.sniff(bytes).flatMap { OutputFormat(rawValue: $0.rawValue) }
    }
}
