import Geometry

/// A format in the table of formats: its names, and the functions that read and write its files.
///
/// The rows are beside the decoders: ``jpeg`` is in `JPEGDecoder.swift`.
struct FormatCodec: Sendable {
    /// The name for sentences.
    let name: String
    /// File name extensions without the dot, the preferred one first.
    let fileExtensions: [String]
    /// Whether bytes begin with the signature; at most ``InputFormat/signatureLength`` of them count.
    let matches: @Sendable (_ bytes: [UInt8]) -> Bool
    let readHeader: @Sendable (_ bytes: [UInt8]) throws(CodecError) -> ImageHeader
    /// Decodes an upright image, within limits that have been checked; only JPEG has other scales than the full one.
    let decode: @Sendable (_ bytes: [UInt8], ImageHeader, DecodeScale, DecodeLimits) throws(CodecError) -> PlanarImage
    /// Reads animations; nil for a format that has none, or whose animations are not read.
    var animation: AnimationReading?
    /// Finds the metadata that may hold a notice of copyright; nil for a format of which they are not read.
    var findMetadata: (@Sendable (_ bytes: [UInt8]) -> MetadataBlocks)?
    /// Writes files; nil for a format that is only read.
    var writing: Writing?
    /// A file of one or a few pixels, to check a decoder whose files cannot be written; nil for other formats.
    var sample: [UInt8]?

    struct AnimationReading: Sendable {
        /// Whether a file may be animated, by its signature and a few bytes of its structure.
        let mayBeAnimated: @Sendable (_ bytes: ArraySlice<UInt8>) -> Bool
        /// The frames of a file whose header has an animation.
        let frames: @Sendable (_ bytes: [UInt8], ImageHeader, DecodeLimits) throws(CodecError) -> any FrameStream
    }

    /// How files are written; ``OutputFormat`` has properties of the same names.
    struct Writing: Sendable {
        var keepsAlpha = true
        var keepsProfile = true
        var isLossy = true
        var isExpensive = false
        var mustBeNamed = false
        /// The best colour model to encode an image from that is not grey.
        let model: @Sendable (ColorModel, EncodingOptions) -> ColorModel
        /// Encodes an image, whose colours are hidden where it is transparent.
        let encode: @Sendable (PlanarImage, EncodingOptions) throws(CodecError) -> [UInt8]
        /// The memory of the encoder in bytes, without the image and the file.
        var bytesNeeded: @Sendable (PixelSize, EncodingOptions) -> Int = { size, options in
            // A second file while the quality is searched.
            options.maxBytes == nil ? 0 : size.area * 2
        }
        /// How animations are written; nil for a format that has none.
        var animation: AnimationWriting?
    }

    /// How animations are written; ``OutputFormat`` has properties of the same names.
    struct AnimationWriting: Sendable {
        var suitsEveryAnimation = false
        var keepsPlays = true
        let begin: @Sendable (PixelSize, AnimationOptions) throws(CodecError) -> any AnimationWriter
        /// The memory of the encoder and the file in bytes, by the size of a frame and the pixels of all.
        var bytesNeeded: @Sendable (PixelSize, _ pixels: Int, _ hasAlpha: Bool) -> Int = usualBytesNeeded
        /// A finished file with a notice of copyright; nil if the encoder writes the notice.
        var addNotice: (@Sendable (CopyrightNotice, _ file: [UInt8], PixelSize) -> [UInt8])?

        /// libwebp keeps six images of four bytes a pixel, one is kept to compare, and a file is copied twice as it
        /// grows.
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

    /// The name for sentences.
    package var name: String { codec.name }

    /// File name extensions without the dot, the preferred one first.
    package var fileExtensions: [String] { codec.fileExtensions }

    /// A file of one or a few pixels, to check a decoder whose files cannot be written; nil for formats of which stills
    /// are written.
    package var sample: [UInt8]? { codec.sample }

    /// The format whose signature the bytes begin with; nil if there is none.
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

    /// Whether the format supports transparency.
    package var keepsAlpha: Bool { writing.keepsAlpha }

    /// Whether files can have a colour profile.
    package var keepsProfile: Bool { writing.keepsProfile }

    /// Whether files have a quality.
    package var isLossy: Bool { writing.isLossy }

    /// Whether encoding takes many times as long as in other formats, so that such results are limited in size, and
    /// chosen only where they pay.
    package var isExpensive: Bool { writing.isExpensive }

    /// Whether the format is preferred to JPEG and PNG only for clients that name it: programs that cannot show it may
    /// send `*/*` as well.
    package var mustBeNamed: Bool { writing.mustBeNamed }

    /// Whether the format can hold an animation that this program writes.
    package var keepsAnimation: Bool { writing.animation != nil }

    /// Whether the format is chosen for an animation of another format: without loss, PNG is many times as large.
    package var suitsEveryAnimation: Bool { writing.animation?.suitsEveryAnimation ?? false }

    /// Whether the number of times that an animation plays is written.
    package var keepsPlays: Bool { writing.animation?.keepsPlays ?? false }

    /// The format whose signature the bytes begin with; nil if there is none.
    package static func sniff(_ bytes: [UInt8]) -> OutputFormat? {
        InputFormat.sniff(bytes).flatMap { OutputFormat(rawValue: $0.rawValue) }
    }
}
