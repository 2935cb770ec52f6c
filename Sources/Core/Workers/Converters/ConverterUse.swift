package import Imaging

/// A use of a converter.
package enum ConverterUse: Hashable, Sendable {
    /// The converter reads files of a format.
    case input(ConvertibleFormat)
    /// The converter writes videos of a format.
    case output(VideoFormat)

    /// The word of the use in metrics.
    package var word: String {
        switch self {
        case .input: "input"
        case .output: "output"
        }
    }

    /// The name of the format in the settings.
    package var format: String {
        switch self {
        case .input(let format): format.rawValue
        case .output(let format): format.rawValue
        }
    }
}
