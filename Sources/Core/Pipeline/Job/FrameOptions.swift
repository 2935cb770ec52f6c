package import Framing
package import Geometry
package import Imaging

/// The caller's options: the shapes, framing and size of crops.
package struct FrameOptions: Codable, Sendable {
    /// The shapes, in the requested order, never empty; nil is the image's own.
    ///
    /// A single image has the first shape.
    package var aspects: [AspectRatio?] = [nil]
    /// Gravity, fallback, fit, zoom, padding and place.
    package var framing = FramingRequest()
    /// The size of the result.
    package var resultSize = ResultSize()
    /// Whether an image is shown whole inside the requested size if the orientation of the two differs.
    package var keepsOtherOrientation = false
    /// The part of the image that is framed as if it were the whole; nil is the whole image.
    package var region: Region?
    /// The largest difference from the corner's colour in a plain border that is cut off before framing, 0…255; nil
    /// keeps borders.
    package var trim: Int?
    /// The turn and mirroring of the finished images; shapes, sizes and placements are those before it.
    package var turn = Orientation.up
    /// The background beside a crop that does not fill the result.
    package var background = Background.white
    /// Whether the background also replaces the transparency of an image that fills the result.
    package var flattensAlpha = false
    /// The use of the source's colour profile; crops without loss keep it in any case.
    package var profile = ProfileUse.srgb
    /// The use of the source's gain map.
    package var hdr = HDRChoice.sdr
    /// The colour that becomes transparent, such as that of a green screen; nil for none.
    package var key: ChromaKey?
    /// The replacement of the key; nil for transparency.
    package var backdrop: Backdrop?
    /// The filters of the crop, in their order.
    package var filters: [ImageFilter] = []
    /// The effort of detection.
    package var accuracy = Accuracy.high
    /// The smallest face that counts, as a share of the image's short side; nil is the default of the accuracy.
    package var smallestFace: Double?
    /// Whether crops are cut out of a JPEG without loss: they move to block boundaries and are not scaled.
    package var isLossless = false
    /// Whether an animated image gives an animated result.
    package var animation = AnimationChoice.auto
    /// Whether the crop of an animation moves from frame to frame.
    package var motion = MotionChoice.still
    /// How images of single faces are turned; nil if they are not.
    package var faceTurn: FaceTurn?
    /// The stickers on every face, at most ``Sticker/mostStickers``.
    package var stickers: [Sticker] = []
    /// The image that is drawn on results; nil for none.
    package var mark: Watermark?
    /// The outline of results; nil for the whole rectangle.
    package var mask: ResultMask?
    /// The kind of placeholder that the plan has for each crop; nil for none.
    package var placeholder: PlaceholderKind?
    /// Which heads are made unrecognisable; nil for none.
    package var redaction: Redaction?

    /// The service's defaults.
    package init() {}

    /// Whether results have the pixels of the source as they are, so that its gain map fits them.
    var keepsPixels: Bool {
        key == nil && filters.isEmpty && stickers.isEmpty && mark == nil && mask == nil && redaction == nil
            && !isLossless
            && faceTurn == nil
    }

    /// The options for a framed part of the upright image of known size: shapes and sizes no longer depend on it.
    package func settled(in area: PixelSize) -> FrameOptions {
        let limits = framing.fit == .limit || framing.fit == .crop
        guard limits || resultSize.dependsOnImage || keepsOtherOrientation else { return self }
        var options = self
        if keepsOtherOrientation, let width = resultSize.width, let height = resultSize.height,
            (width >= height) != (area.width >= area.height)
        {
            options.framing.fit = .inside
            options.framing.offset = nil
            options.aspects = [nil]
            return options
        }
        options.resultSize = resultSize.settled(in: area, limits: limits)
        if !framing.fit.keepsShape, let width = options.resultSize.width, let height = options.resultSize.height,
            let shape = AspectRatio(ofResult: PixelSize(width: width, height: height))
        {
            options.aspects = [shape]
        }
        if framing.fit == .crop {
            let size = PixelSize(
                width: options.resultSize.width ?? area.width,
                height: options.resultSize.height ?? area.height
            )
            (options.resultSize.width, options.resultSize.height) = (size.width, size.height)
            options.framing.cropSize = size
            if let shape = AspectRatio(ofResult: size) { options.aspects = [shape] }
        }
        return options
    }
}

/// How images of single faces are turned.
package enum FaceTurn: Hashable, Codable, Sendable {
    /// The crop is turned so that the face is upright, and keeps its size and shape otherwise.
    case upright
    /// The eyes are level, at `height` of the result from its top, and `distance` of its shorter side apart.
    case eyes(height: Double, distance: Double = eyeDistance)

    /// The distance of the eyes, as a share of the result's shorter side, that a request without one gets.
    ///
    /// A head is about 2.2 times as wide as the eyes are apart, and 3.2 times as high, so it just fits.
    package static let eyeDistance = 0.25
}

/// The use of a source's gain map, which makes an image brighter on displays with more range.
package enum HDRChoice: String, Hashable, Codable, Sendable, CaseIterable {
    /// It is dropped: the result is the base image.
    case sdr
    /// A JPEG result has the part of the map that belongs to the crop, and the profile of the source.
    case keep
}

/// The treatment of an animated image.
package enum AnimationChoice: String, Hashable, Codable, Sendable, CaseIterable {
    /// The result is animated if its format can be; the crop keeps heads of all frames.
    case auto
    /// The first image only.
    case still
}

/// Whether the crop of an animation moves from frame to frame.
package enum MotionChoice: String, Hashable, Codable, Sendable, CaseIterable {
    /// All frames have the same crop.
    case still
    /// The crop follows people who do not fit into one crop of all frames.
    case follow
}
