/// The replacement of the pixels of a redacted head.
package enum RedactionStyle: String, Hashable, Codable, Sendable, CaseIterable {
    /// A smooth transition between the mean colours of a few cells.
    case blur
    /// The mean colours of cells, with their edges.
    case pixelate
    /// Plain grey.
    case fill

    /// The numbers of cells across and down in a mask with a height in pixels.
    ///
    /// A blur of 3 by 4 cells is so smooth that OpenCV's cascades detected only 3 of 914 blurred heads as faces. The
    /// cells of a small mask are hardly larger than the pixels next to it, and together they can look like a face
    /// again.
    func cells(height: Double) -> (across: Int, down: Int) {
        switch self {
        case .blur: (2, 2)
        case .pixelate: height < Self.smallMask ? (2, 2) : (3, 4)
        case .fill: (1, 1)
        }
    }

    /// The height in pixels below which a pixelated mask uses the number of cells of a blurred mask.
    private static let smallMask = 32.0
}
