package import Framing

/// Why a picture could not be read or written.
package enum CodecError: Error, Hashable, Codable, Sendable {
    /// The bytes begin like no supported format; the name is that of a format we know of but do not read.
    case unsupportedFormat(named: String?)
    /// A sound file that uses a part of its format which is not supported.
    case unsupportedFeature(ImageFormat, String)
    /// The bytes break the rules of their format, or too much of the picture is lost.
    case corrupt(ImageFormat, String)
    /// The bytes end before the picture does.
    case truncated(ImageFormat)
    /// More pixels or memory than the limits allow.
    case tooLarge(PixelSize, limit: Limit)
    /// The machine had no memory left for the picture.
    case outOfMemory
    /// A library refused what it was asked to do.
    case failed(String)

    /// The limit that was exceeded.
    package enum Limit: Hashable, Codable, Sendable {
        /// Pixels in all.
        case pixels(Int)
        /// Pixels along one side.
        case side(Int)
        /// Bytes held while decoding.
        case bytes(Int)
        /// Passes over one picture.
        case scans(Int)
        /// What the format itself can hold.
        case format(ImageFormat)
    }
}

extension CodecError: CustomStringConvertible {
    /// One sentence, in English, fit to be shown to whoever sent the picture.
    package var description: String {
        switch self {
        case .unsupportedFormat(let name?):
            "\(name) images are not supported; send JPEG, PNG or WebP."
        case .unsupportedFormat(nil):
            "The data are not an image of a supported format; send JPEG, PNG or WebP."
        case .unsupportedFeature(let format, let feature):
            "The \(format.name) image uses a feature that is not supported: \(feature)."
        case .corrupt(let format, let message):
            "The \(format.name) image is corrupt: \(message)."
        case .truncated(let format):
            "The \(format.name) image is incomplete: its data end too early."
        case .tooLarge(let size, let limit):
            "The image of \(size.width) × \(size.height) pixels is too large: \(limit)."
        case .outOfMemory:
            "There is not enough memory for the image."
        case .failed(let message):
            "The image could not be processed: \(message)."
        }
    }
}

extension CodecError.Limit: CustomStringConvertible {
    /// The limit in words.
    package var description: String {
        switch self {
        case .pixels(let count): "at most \(count) pixels are allowed"
        case .side(let length): "at most \(length) pixels are allowed on a side"
        case .bytes(let count): "it takes more than \(count) bytes to decode"
        case .scans(let count): "at most \(count) scans are allowed"
        case .format(let format): "\(format.name) cannot hold it"
        }
    }
}
