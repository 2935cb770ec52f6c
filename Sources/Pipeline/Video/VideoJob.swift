package import Geometry
package import Imaging

/// A job with one frame of an MJPEG stream.
///
/// A frame is analysed and rendered by two jobs: the crop depends on other frames, which only the stream's owner knows.
package struct VideoJob: Codable, Sendable {
    /// The frame: a JPEG.
    package var source: SourceBytes
    /// What to do with it.
    package let task: Task

    /// A job with a frame.
    package init(_ source: [UInt8], _ task: Task) {
        self.source = SourceBytes(source)
        self.task = task
    }

    /// What a job does.
    package enum Task: Codable, Hashable, Sendable {
        /// Decodes the planes.
        case decode
        /// Reduces the frame to a grid of this size, and searches it for faces; if it `redacts`, all of it for heads; with
        /// the `mouths` of faces, if it is wanted.
        case analyse(grid: PixelSize, Search, redacts: Bool = false, mouths: Bool = false)
        /// Scales a part of the frame to a size and encodes it as a JPEG of this quality, 1 to 100; without what a cover
        /// hides. A frame that `isWhole` lies on a blurred enlargement of itself.
        case render(FractionalRect, to: PixelSize, quality: Int, cover: FrameCover? = nil, isWhole: Bool = false)
    }

    /// Which part of a frame is searched for faces.
    package enum Search: Codable, Hashable, Sendable {
        /// Nothing.
        case none
        /// All of it, for faces of at least this share of its short side; nil for that of the detector.
        case whole(smallestFace: Double?)
        /// The surroundings of faces that were there a moment ago.
        case near([PixelRect])
    }

    /// The most faces of ``Search/near(_:)``.
    package static let mostNear = 16
}

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

    /// The chroma that keeps most of a picture's.
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
