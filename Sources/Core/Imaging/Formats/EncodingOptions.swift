/// The chroma subsampling of a lossy file; the names are common in video.
package enum ChromaFormat: String, Codable, Sendable, CaseIterable {
    /// Full chroma at a high quality, otherwise halved.
    case auto
    case halved = "420"
    case full = "444"
}

/// The encoding options of an image, apart from its format.
package struct EncodingOptions: Sendable {
    /// 1 to 100, visually equal in every lossy format.
    ///
    /// If it is nil, the quality of ``quantization`` is used, or ``ImageEncoder/defaultQuality`` without quantisation.
    package var quality: Int?
    /// The quantisation of a JPEG source, which the result matches if no quality is given.
    ///
    /// A JPEG with the same components gets the same tables; any other file gets an equivalent quality.
    package var quantization: JPEGQuantization?
    /// The chroma of a JPEG or an AVIF.
    ///
    /// By default, it is full at ``ImageEncoder/fullChromaQuality`` and above, otherwise halved.
    package var chroma = ChromaFormat.auto
    /// Whether a JPEG is progressive, with optimised Huffman tables: smaller, but slower to write.
    package var isProgressive = false
    /// The maximum size of the file in bytes.
    ///
    /// The quality is lowered until the file fits.
    package var maxBytes: Int?
    /// The copyright notice to write; nil for none.
    package var copyright: CopyrightNotice?
    /// Whether a WebP is lossless; other formats are always lossless or always lossy.
    package var isLossless = false
    /// The effort of a WebP, 0 to 6, or the speed of an AVIF, 0 to 10; nil for the default of the format.
    package var effort: Int?

    /// The options of a file without limits and notices.
    ///
    /// - Parameters:
    ///   - quality: 1 to 100. If it is nil, the quality of `quantization` is used, or ``ImageEncoder/defaultQuality``
    ///     without quantisation.
    ///   - quantization: The quantisation of a JPEG source, which the result matches if there is no quality; nil for
    ///     none.
    package init(quality: Int? = nil, quantization: JPEGQuantization? = nil) {
        self.quality = quality
        self.quantization = quantization
    }

    /// Returns the options for the rotated image, with the source's quantisation tables rotated too.
    package func turned(_ turn: Orientation) -> EncodingOptions {
        guard turn.swapsSides else { return self }
        var options = self
        options.quantization = quantization?.transposed
        return options
    }

    /// The quality, unless tables of a source are used.
    var knownQuality: Int {
        min(max(quality ?? quantization?.estimatedQuality ?? ImageEncoder.defaultQuality, 1), 100)
    }

    var subsampling: ChromaSubsampling {
        switch chroma {
        case .halved: return .halved
        case .full: return .none
        // In most cases, a search for the quality ends below the minimum quality for full chroma.
        case .auto: return maxBytes != nil || knownQuality < ImageEncoder.fullChromaQuality ? .halved : .none
        }
    }
}
