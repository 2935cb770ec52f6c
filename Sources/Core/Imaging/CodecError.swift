package import Geometry

/// The reasons why an image cannot be read or written.
package enum CodecError: Error, Hashable, Codable, Sendable {
    /// The bytes have no signature of a supported format; `named` is the name of a known unsupported format.
    case unsupportedFormat(named: String?)
    /// A valid file that uses an unsupported feature of its format.
    case unsupportedFeature(InputFormat, String)
    /// The bytes violate their format, or too much of the image is missing.
    case corrupt(InputFormat, String)
    /// The data end before the image is complete.
    case truncated(InputFormat)
    /// The image exceeds a limit of pixels or memory.
    case tooLarge(PixelSize, limit: Limit)
    /// The file exceeds the byte limit even at the lowest quality.
    case tooManyBytes(Int, limit: Int)
    case outOfMemory
    case failed(String)

    /// The limit that an image exceeds, with its maximum value.
    package enum Limit: Hashable, Codable, Sendable {
        case pixels(Int)
        case side(Int)
        case bytes(Int)
        /// The number of scans of one image.
        case scans(Int)
        /// The number of separately coded parts of one image.
        case tiles(Int)
        /// The capacity of the format itself.
        case format(InputFormat)
        /// The capacities of all formats that the client accepts.
        case formats([OutputFormat])
    }
}

extension CodecError: CustomStringConvertible {
    /// One English sentence for the client.
    package var description: String {
        switch self {
        case .unsupportedFormat(let name?):
            "\(name) images are not supported; send \(InputFormat.choices)."
        case .unsupportedFormat(nil):
            "The image format is not supported; send \(InputFormat.choices)."
        case .unsupportedFeature(let format, let feature):
            "The \(format.name) image uses a feature that is not supported: \(feature)."
        case .corrupt(let format, let message):
            "The \(format.name) image is corrupt: \(message)."
        case .truncated(let format):
            "The \(format.name) image is incomplete: the data end too early."
        case .tooLarge(let size, .format(let format)) where format.cannotContain(size):
            "\(limits(of: [OutputFormat(rawValue: format.rawValue)].compactMap(\.self))), and the output has \(size.width) × \(size.height). "
                + "Request a smaller size, or another format."
        case .tooLarge(let size, .formats(let formats)):
            "No accepted format can contain the output of \(size.width) × \(size.height) pixels: "
                + "\(limits(of: formats)). Request a smaller size, or set format to another format."
        case .tooLarge(let size, let limit):
            "The image of \(size.width) × \(size.height) pixels is too large: \(limit)."
        case .tooManyBytes(let count, let limit):
            "The output of \(count) bytes exceeds the limit of \(limit) bytes at the lowest quality. Request a smaller width."
        case .outOfMemory:
            "There is not enough memory for the image."
        case .failed(let message):
            "The image could not be processed: \(message)."
        }
    }
}

extension CodecError {
    /// Returns the capacities of formats as an unfinished sentence.
    private func limits(of formats: [OutputFormat]) -> String {
        formats.map { "\($0.name) files have at most \($0.capacity.maxSide) pixels per side" }.joined(separator: ", ")
    }
}

extension InputFormat {
    /// Whether the format is an output format that cannot contain an image of a size.
    fileprivate func cannotContain(_ size: PixelSize) -> Bool {
        OutputFormat(rawValue: rawValue).map { !$0.holds(size) } ?? false
    }
}

extension CodecError.Limit: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pixels(let count): "at most \(count) pixels are allowed"
        case .side(let length): "at most \(length) pixels per side are allowed"
        case .bytes(let count): "decoding it takes more than \(count) bytes, so send a smaller image"
        case .scans(let count): "at most \(count) scans are allowed"
        case .tiles(let count): "at most \(count) tiles are allowed"
        case .format(let format): "it exceeds the limits of \(format.name)"
        case .formats(let formats): "it exceeds the limits of \(formats.map(\.name).joined(separator: ", "))"
        }
    }
}
