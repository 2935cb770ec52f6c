import Geometry

/// A crop inside the image, and its position before clamping.
struct PlacedCrop {
    let crop: PixelRect
    /// The crop before clamping; it may lie outside the image.
    let unclamped: PixelRect

    init(_ crop: PixelRect, unclamped: PixelRect) {
        self.crop = crop
        self.unclamped = unclamped
    }

    /// Creates a crop that needed no clamping.
    init(_ crop: PixelRect) { self.init(crop, unclamped: crop) }

    /// Creates a crop of the given size, placed along both axes.
    init(_ size: PixelSize, across: AxisPlacement, down: AxisPlacement) {
        self.init(
            PixelRect(
                x: across.unclampedStart(length: size.width),
                y: down.unclampedStart(length: size.height),
                width: size.width,
                height: size.height
            ),
            in: PixelSize(width: across.imageLength, height: down.imageLength)
        )
    }

    /// Clamps a crop to the image, which must not be smaller.
    init(_ unclamped: PixelRect, in size: PixelSize) {
        let crop = PixelRect(
            x: min(max(unclamped.x, 0), size.width - unclamped.width),
            y: min(max(unclamped.y, 0), size.height - unclamped.height),
            width: unclamped.width,
            height: unclamped.height
        )
        self.init(crop, unclamped: unclamped)
    }

    /// Returns the crop clamped to another crop, which must not be smaller; if it moves, the new position counts as
    /// unclamped.
    func inside(_ outer: PixelRect) -> PlacedCrop {
        var moved = crop
        moved.x = min(max(crop.x, outer.x), outer.maxX - crop.width)
        moved.y = min(max(crop.y, outer.y), outer.maxY - crop.height)
        var unclamped = self.unclamped
        if moved.x != crop.x { unclamped.x = moved.x }
        if moved.y != crop.y { unclamped.y = moved.y }
        return PlacedCrop(moved, unclamped: unclamped)
    }
}
