package import Imaging
package import Pipeline

/// The encoding of the frames of an animation as a video.
package struct VideoEncoding: ConverterJob {
    /// The format of the video.
    package let format: VideoFormat
    package let converter: Converter
    package let source: SourceBytes
    package let request: [UInt8]
    package let requiresConfinement: Bool
    /// The frames as an animated PNG; empty until they are rendered.
    package var frames = SourceBytes([])

    /// Creates the encoding of the frames of a job; nil if the set lacks a converter for the format.
    ///
    /// - Parameters:
    ///   - format: The format of the video.
    ///   - job: Renders the frames.
    ///   - converters: The converters of the service.
    package init?(_ format: VideoFormat, of job: FrameJob, _ converters: ConverterSet) {
        guard let converter = converters.byVideoFormat[format] else { return nil }
        self.format = format
        self.converter = converter
        source = job.source
        request = Array("\(format.rawValue) \(converter.command)\n".utf8) + job.requestBytes
        requiresConfinement = converters.requiresConfinement
    }

    package var use: ConverterUse { .output(format) }

    package var input: SourceBytes { frames }

    /// Videos have no parts: arguments of their converters have no placeholders.
    package var part: ConvertedPart { ConvertedPart() }

    /// The program reads a copy of the frames, in a memory file.
    package var bytesNeeded: Int { converter.bytesNeeded + frames.count }

    /// Returns the video, if it starts with the signature of its format.
    package func checked(_ output: [UInt8], maxPixels: Int) throws(ConversionFailure) -> [UInt8] {
        guard VideoFormat.sniff(output) == format else { throw .invalidOutput }
        return output
    }
}
