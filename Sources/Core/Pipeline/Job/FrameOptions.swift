package import Framing
package import Geometry
package import Imaging

/// The caller's options: the aspect ratios, framing and size of crops.
package struct FrameOptions: Codable, Sendable {
    /// The aspect ratios, in the requested order, never empty; nil is the image's aspect ratio.
    ///
    /// A single image has the first aspect ratio.
    package var aspects: [AspectRatio?] = [nil]
    /// Gravity, fallback, fit, zoom, padding and place.
    package var framing = FramingRequest()
    /// The size of the result.
    package var resultSize = ResultSize()
    /// Whether the whole image is shown inside the requested size if their orientations differ.
    package var keepsOtherOrientation = false
    /// The part of the image that framing uses as if it were the whole image; nil for the whole image.
    package var region: Region?
    /// The tolerance of trimming, 0…255: the maximum difference between the samples of a uniform border and the
    /// corner's colour.
    ///
    /// Borders are trimmed before framing. The value nil keeps them.
    package var trim: Int?
    /// The rotation and mirroring of the finished images; aspect ratios, sizes and positions apply before it.
    package var turn = Orientation.up
    /// The background next to a crop that does not fill the result.
    package var background = Background.white
    /// Whether the background also replaces the transparency of an image that fills the result.
    package var flattensAlpha = false
    /// The use of the source's colour profile; lossless crops always keep it.
    package var profile = ProfileUse.srgb
    /// The use of the source's gain map.
    package var hdr = HDRChoice.sdr
    /// The colour that becomes transparent, for example the colour of a green screen; nil for none.
    package var key: ChromaKey?
    /// The replacement of the key; nil for transparency.
    package var backdrop: Backdrop?
    /// The filters of the crop, in order.
    package var filters: [ImageFilter] = []
    /// The effort of detection.
    package var accuracy = Accuracy.high
    /// The smallest face that counts, as a fraction of the image's short side; nil for the default of the accuracy.
    package var smallestFace: Double?
    /// Whether crops are cut out of a JPEG losslessly: they move to block boundaries and are not scaled.
    package var isLossless = false
    /// Whether the result of an animated source is animated.
    package var animation = AnimationChoice.auto
    /// Whether the crop of an animation moves from frame to frame.
    package var motion = MotionChoice.fixed
    /// The rotation of images of single faces; nil for no rotation.
    package var faceTurn: FaceTurn?
    /// The stickers on every face, at most ``Sticker/maxStickers``.
    package var stickers: [Sticker] = []
    /// The image that is drawn on results; nil for none.
    package var mark: Watermark?
    /// The outline of results; nil for the whole rectangle.
    package var mask: ResultMask?
    /// The kind of placeholder for each crop of the plan; nil for none.
    package var placeholder: PlaceholderKind?
    /// The heads that are made unrecognisable; nil for none.
    package var redaction: Redaction?

    /// Creates the service's defaults.
    package init() {}

    /// Whether results contain unchanged pixels of the source, so that the source's gain map is valid for them.
    var keepsPixels: Bool {
        key == nil && filters.isEmpty && stickers.isEmpty && mark == nil && mask == nil && redaction == nil
            && !isLossless
            && faceTurn == nil
    }

    /// Returns the options for a framed part of known size, with all relative aspect ratios and sizes resolved.
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

/// The rotation of images of single faces.
package enum FaceTurn: Hashable, Codable, Sendable {
    /// The crop is rotated so that the face is upright; its size and aspect ratio do not change.
    case upright
    /// The eyes are level.
    ///
    /// `height` is their distance from the top as a fraction of the result's height. `distance` is the distance between
    /// them as a fraction of the result's shorter side.
    case eyes(height: Double, distance: Double = eyeDistance)

    /// The default distance of the eyes, as a fraction of the result's shorter side.
    ///
    /// A head is about 2.2 eye distances wide and 3.2 eye distances high, so with this default it just fits.
    package static let eyeDistance = 0.25
}

/// The use of a source's gain map, which makes an image brighter on HDR displays.
package enum HDRChoice: String, Hashable, Codable, Sendable, CaseIterable {
    /// The gain map is dropped, and the result is the base image.
    case sdr
    /// A JPEG result contains the crop's part of the gain map, and the profile of the source.
    case keep
}

/// The treatment of an animated image.
package enum AnimationChoice: String, Hashable, Codable, Sendable, CaseIterable {
    /// The result is animated if its format supports animations; the crop keeps heads of all frames.
    case auto
    /// The first image only.
    case still
}

/// Whether the crop of an animation moves from frame to frame.
package enum MotionChoice: String, Hashable, Codable, Sendable, CaseIterable {
    /// All frames have the same crop.
    case fixed
    /// The crop follows people who do not fit into one crop of all frames.
    case follow
}
