/// The chroma of a lossy file, by its name in video.
package enum ChromaFormat: String, Codable, Sendable, CaseIterable {
    /// Full chroma at a high quality, else halved.
    case auto
    case halved = "420"
    case full = "444"
}

/// How an image is encoded, apart from its format.
package struct EncodingOptions: Sendable {
    /// 1 to 100, the same to the eye in every lossy format; nil for that of ``quantization``, else
    /// ``ImageEncoder/defaultQuality``.
    package var quality: Int?
    /// The quantisation of a JPEG source, which the result matches if no quality is given.
    ///
    /// A JPEG of the same components gets the same tables, and any other file an equivalent quality.
    package var quantization: JPEGQuantization?
    /// The chroma of a JPEG or an AVIF; by default full from ``ImageEncoder/fullChromaQuality`` on, else halved.
    package var chroma = ChromaFormat.auto
    /// Whether a JPEG is progressive, with Huffman tables of its own: smaller, but slower to write.
    package var isProgressive = false
    /// The most bytes of the file, for which the quality is lowered as far as necessary.
    package var maxBytes: Int?
    /// The notice of copyright to write; nil for none.
    package var copyright: CopyrightNotice?
    /// Whether a WebP is lossless; other formats are always or never.
    package var isLossless = false
    /// The effort of a WebP, 0 to 6, or the speed of an AVIF, 0 to 10; nil for the default of the format.
    package var effort: Int?

    /// The options of a file without limits and notices.
    ///
    /// - Parameters:
    ///   - quality: 1 to 100; nil for that of `quantization`, else ``ImageEncoder/defaultQuality``.
    ///   - quantization: That of a JPEG source, which the result matches if there is no quality; nil for none.
    package init(quality: Int? = nil, quantization: JPEGQuantization? = nil) {
        self.quality = quality
        self.quantization = quantization
    }

    /// The options for the image after a turn, which also turns the tables of a source's quantisation.
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
        // A search for the quality ends below that of full chroma in most cases.
        case .auto: return maxBytes != nil || knownQuality < ImageEncoder.fullChromaQuality ? .halved : .none
        }
    }
}
