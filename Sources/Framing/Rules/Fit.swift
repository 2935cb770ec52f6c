/// The treatment of a picture whose shape differs from the requested one.
package enum Fit: String, Hashable, Codable, Sendable, CaseIterable {
    /// Fills the result and cuts off the rest.
    case cover
    /// Fills the result and cuts off the rest; a requested side longer than the picture's is first reduced to it.
    case limit
    /// Shows the whole picture in its own shape, as large as the requested size allows.
    case inside
    /// Shows the whole picture in its own shape, as small as covers the requested size.
    case outside
    /// Stretches the whole picture to the requested shape.
    case fill
    /// Shows the whole picture with bars beside it.
    case pad
    /// Cuts off the rest unless that would cut a head; then adds the smallest bars that make room for all heads.
    case auto

    /// Whether the result has the shape of the picture, and width and height are a box.
    package var keepsShape: Bool { self == .inside || self == .outside }

    /// Whether nothing is cut off, so that the crop does not depend on faces.
    package var showsWhole: Bool {
        switch self {
        case .inside, .outside, .fill, .pad: true
        case .cover, .limit, .auto: false
        }
    }
}
