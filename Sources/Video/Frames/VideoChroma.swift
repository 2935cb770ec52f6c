package import Imaging

/// The chroma of a decoded frame.
package enum VideoChroma: String, Codable, Sendable {
    case gray, halved, halvedAcross, full

    /// The planes of a frame with this chroma.
    package var layout: SampleLayout {
        switch self {
        case .gray: SampleLayout(subsampling: nil)
        case .halved: SampleLayout(subsampling: .halved)
        case .halvedAcross: SampleLayout(subsampling: .halvedAcross)
        case .full: SampleLayout(subsampling: ChromaSubsampling.none)
        }
    }

    /// The supported chroma layout that preserves most of an image's chroma.
    init(_ model: ColorModel) {
        self =
            switch model {
            case .gray: .gray
            case .ycbcr(.halved): .halved
            case .ycbcr(.halvedAcross): .halvedAcross
            case .ycbcr(.none), .ycbcr, .rgb, .cmyk: .full
            }
    }

    /// The colour model of a frame.
    var model: ColorModel { layout.subsampling.map { .ycbcr($0) } ?? .gray }
}
