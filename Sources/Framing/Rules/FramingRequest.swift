/// The requested properties of a crop, apart from its shape.
package struct FramingRequest: Hashable, Codable, Sendable {
    /// The subject of the crop.
    package var gravity: Gravity = .faces
    /// Rectangles that count like heads; only with ``Gravity/focus`` and gravities that need faces.
    package var focal: [FocalArea] = []
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

    /// The defaults of the service.
    package init() {}
}

extension FramingRequest {
    /// Whether the crop may be smaller than the widest of its shape.
    package var mayTighten: Bool { zoom > 0 || place != .center }
}
