package import Geometry

/// The requested properties of a crop, except for its aspect ratio.
package struct FramingRequest: Hashable, Codable, Sendable {
    /// The subject of the crop.
    package var gravity: Gravity = .faces
    /// Rectangles that count like heads; only with ``Gravity/focus`` and gravities that need faces.
    package var focal: [FocalArea] = []
    /// The distance of the crop from the edges where the gravity places it; only with the nine compass points.
    package var offset: GravityOffset?
    /// The top left corner of the crop in pixels of the image, which ``offset`` determines with the size of the result.
    package var corner: PixelPoint?
    /// The size of the crop in pixels of the image with ``Fit/crop``; nil for the widest crop of its aspect ratio.
    package var cropSize: PixelSize?
    /// The crop to use if the faces of the gravity are not found.
    package var fallback: Fallback = .attention
    /// 0 is the widest crop of the aspect ratio, 1 the tightest crop that contains the heads and their padding.
    package var zoom: Double = 0
    /// The padding around every head.
    package var padding: Padding = .fraction(0.06)
    /// The preferred position of people in the crop.
    package var place: Placement = .center
    /// The treatment of an image with another aspect ratio.
    package var fit: Fit = .cover
    /// Whether the crop is the rectangle around the heads and their padding, regardless of its aspect ratio.
    package var fitsHeads = false

    /// Creates the defaults of the service.
    package init() {}
}

extension FramingRequest {
    /// Whether the crop may be smaller than the widest crop of its aspect ratio.
    package var mayTighten: Bool { zoom > 0 || place != .center || fit == .crop }
}

/// The treatment of an image whose aspect ratio differs from the requested aspect ratio.
package enum Fit: String, Hashable, Codable, Sendable, CaseIterable {
    /// Fills the result and cuts off everything outside.
    case cover
    /// Fills the result and cuts off everything outside; a requested side is first limited to the image's side.
    case limit
    /// Cuts a rectangle of the requested size out of the image, which is not scaled.
    case crop
    /// Shows the whole image in its own aspect ratio, with the maximum size inside the requested size.
    case inside
    /// Shows the whole image in its own aspect ratio, with the minimum size that covers the requested size.
    case outside
    /// Stretches the whole image to the requested aspect ratio.
    case fill
    /// Shows the whole image with bars next to it.
    case pad
    /// Fills the result and cuts off everything outside.
    ///
    /// If that would cut a head, adds the smallest bars that make space for all heads instead.
    case auto

    /// Whether the result has the aspect ratio of the image, so that width and height are only bounds.
    package var keepsShape: Bool { self == .inside || self == .outside }

    /// Whether nothing is cut off, so that the crop does not depend on faces.
    package var showsWhole: Bool {
        switch self {
        case .inside, .outside, .fill, .pad: true
        case .cover, .limit, .crop, .auto: false
        }
    }
}
