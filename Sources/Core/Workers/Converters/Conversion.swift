package import Imaging
package import Pipeline

/// The conversion of a file into an image that the workers can read.
package struct Conversion: ConverterJob {
    package let converter: Converter
    /// The format of the file.
    package let format: ConvertibleFormat
    /// The part of the file.
    package let part: ConvertedPart
    /// The file.
    package let source: SourceBytes
    package let requiresConfinement: Bool

    package var use: ConverterUse { .input(format) }

    package var input: SourceBytes { source }

    package var bytesNeeded: Int { converter.bytesNeeded }

    package var request: [UInt8] { Array(key.utf8) }

    /// Creates the conversion of a file; nil if the set does not contain a converter for it.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - part: The requested part.
    ///   - converters: The converters of the service.
    package init?(_ source: SourceBytes, _ part: ConvertedPart, _ converters: ConverterSet) {
        guard let (format, converter) = converters.converter(of: source.slice) else { return nil }
        self.source = source
        self.part = part
        self.format = format
        self.converter = converter
        requiresConfinement = converters.requiresConfinement
    }

    /// All inputs that determine the output, except the file, on one line.
    package var key: String { "\(format.rawValue) \(part.page) \(part.milliseconds) \(converter.command)" }

    /// Returns the image that a converter wrote, in a format that the workers read, not checked further.
    package func checked(_ output: [UInt8], maxPixels: Int) throws(ConversionFailure) -> [UInt8] {
        if PortablePixmap.matches(output) {
            do throws(PortablePixmap.Failure) {
                return try PortablePixmap.bitmap(output, maxPixels: maxPixels)
            } catch {
                switch error {
                case .invalid: throw .invalidOutput
                case .tooLarge(let size, let limit): throw .tooManyPixels(size, limit: limit)
                }
            }
        }
        switch InputFormat.sniff(output) {
        case .png, .jpeg: return output
        default: throw .invalidOutput
        }
    }
}
