package import Geometry

/// The transformation from stored to upright pixels: the values of the EXIF tag Orientation (Exif 2.32, 4.6.5.1.5).
package enum Orientation: Int, Codable, Sendable, CaseIterable {
    /// Stored upright.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Upside down.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored along the diagonal from the top left.
    case leftMirrored = 5
    /// Stored so that a rotation by 90° clockwise makes it upright.
    case right = 6
    /// Mirrored along the diagonal from the top right.
    case rightMirrored = 7
    /// Stored so that a rotation by 90° anticlockwise makes it upright.
    case left = 8

    /// Whether width and height are exchanged.
    package var swapsSides: Bool { rawValue >= 5 }

    /// The upright size of an image stored as `size`.
    package func upright(_ size: PixelSize) -> PixelSize {
        swapsSides ? PixelSize(width: size.height, height: size.width) : size
    }

    /// The upright rectangle for a rectangle of an image stored as `size`.
    package func upright(_ rect: PixelRect, in size: PixelSize) -> PixelRect {
        let whole = upright(size)
        let (across, down) = swapsSides ? (rect.rows, rect.columns) : (rect.columns, rect.rows)
        return PixelRect(
            x: reversesColumns ? whole.width - across.upperBound : across.lowerBound,
            y: reversesRows ? whole.height - down.upperBound : down.lowerBound,
            width: across.count,
            height: down.count
        )
    }

    /// The transformation that rotates an image and then mirrors it.
    ///
    /// - Parameters:
    ///   - quarters: Any number of rotations by 90° clockwise.
    ///   - mirrorsColumns: Whether left and right are exchanged after the rotation.
    ///   - mirrorsRows: Whether top and bottom are exchanged after the rotation.
    package init(quarters: Int, mirrorsColumns: Bool = false, mirrorsRows: Bool = false) {
        // Both mirrors together are a rotation by 180°.
        let turns = ((quarters % 4) + 4 + (mirrorsRows ? 2 : 0)) % 4
        let turned: [Orientation] = [.up, .right, .down, .left]
        let mirrored: [Orientation] = [.upMirrored, .leftMirrored, .downMirrored, .rightMirrored]
        self = mirrorsColumns != mirrorsRows ? mirrored[turns] : turned[turns]
    }

    /// Whether the left edge of the upright image is the last stored column or row.
    var reversesColumns: Bool { [.upMirrored, .down, .right, .rightMirrored].contains(self) }

    /// Whether the top edge of the upright image is the last stored row or column.
    var reversesRows: Bool { [.down, .downMirrored, .rightMirrored, .left].contains(self) }
}
