package import Geometry

/// The requested properties of a crop, apart from its shape.
package struct FramingRequest: Hashable, Codable, Sendable {
    /// The subject of the crop.
    package var gravity: Gravity = .faces
    /// Rectangles that count like heads; only with ``Gravity/focus`` and gravities that need faces.
    package var focal: [FocalArea] = []
    /// How far the crop lies from the edges at which the gravity places it; only with the nine compass points.
    package var offset: GravityOffset?
    /// The top left corner of the crop in pixels of the image, which ``offset`` determines with the size of the result.
    package var corner: PixelPoint?
    /// The size of the crop in pixels of the image with ``Fit/crop``; nil for the widest of its shape.
    package var cropSize: PixelSize?
    /// The crop if those faces are not found.
    package var fallback: Fallback = .attention
    /// 0 is the widest crop of the shape, 1 the tightest that contains the heads and their padding.
    package var zoom: Double = 0
    /// The room kept around every head.
    package var padding: Padding = .fraction(0.06)
    /// The preferred position of people in the crop.
    package var place: Placement = .center
    /// The treatment of an image of another shape.
    package var fit: Fit = .cover
    /// Whether the crop is the rectangle around the heads and their padding, whatever its shape.
    package var fitsHeads = false

    /// The defaults of the service.
    package init() {}
}

extension FramingRequest {
    /// Whether the crop may be smaller than the widest of its shape.
    package var mayTighten: Bool { zoom > 0 || place != .center || fit == .crop }
}

/// The treatment of an image whose shape differs from the requested one.
package enum Fit: String, Hashable, Codable, Sendable, CaseIterable {
    /// Fills the result and cuts off the rest.
    case cover
    /// Fills the result and cuts off the rest; a requested side longer than the picture's is first reduced to it.
    case limit
    /// Cuts a rectangle of the requested size out of the image, which is not scaled.
    case crop
    /// Shows the whole image in its own shape, as large as the requested size allows.
    case inside
    /// Shows the whole image in its own shape, as small as covers the requested size.
    case outside
    /// Stretches the whole image to the requested shape.
    case fill
    /// Shows the whole image with bars beside it.
    case pad
    /// Cuts off the rest unless that would cut a head; then adds the smallest bars that make room for all heads.
    case auto

    /// Whether the result has the shape of the image, and width and height are a box.
    package var keepsShape: Bool { self == .inside || self == .outside }

    /// Whether nothing is cut off, so that the crop does not depend on faces.
    package var showsWhole: Bool {
        switch self {
        case .inside, .outside, .fill, .pad: true
        case .cover, .limit, .crop, .auto: false
        }
    }
}
