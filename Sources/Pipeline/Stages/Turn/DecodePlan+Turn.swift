import Framing
import Geometry

extension DecodePlan {
    /// Memory for each pixel of a turned result: the visible part before the turn, which may have more than twice the
    /// pixels, the result, how much of it the picture covers, the background, and the encoded file.
    static let bytesPerTurnedPixel = 36

    /// The largest area of the picture of a turned face, in pixels.
    var mostTurnedPixels: Int { max(mostPortraitPixels, askedTurned(renderedAspect)?.area ?? 0) }

    /// The size of the largest picture of a turned face.
    func largestTurned(_ aspect: AspectRatio?) -> PixelSize {
        if let asked = askedTurned(aspect) { return asked }
        let side = Int(Double(mostPortraitPixels).squareRoot().rounded(.up))
        return PixelSize(width: side, height: side)
    }

    private var renderedAspect: AspectRatio? { options.aspects[0] }

    /// The requested size, if it does not depend on the face.
    private func askedTurned(_ aspect: AspectRatio?) -> PixelSize? {
        let wanted = options.resultSize
        let isSquare: Bool = if case .eyes? = job.options.faceTurn { true } else { false }
        let isFixed = wanted.width != nil && wanted.height != nil || aspect != nil || isSquare
        guard isFixed, wanted.width != nil || wanted.height != nil else { return nil }
        return wanted.asked(for: PixelSize(width: 1, height: 1), aspect: aspect)
    }
}
