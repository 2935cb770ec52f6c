/// The block boundaries of an image where a lossless crop can begin.
///
/// Only the left and top edges of a crop are bound to the grid; the right and bottom edges may cut through blocks.
/// Coordinates are pixels of the upright image. In a rotated or mirrored image, blocks are counted from the right or
/// from the bottom, and the last block may be incomplete. Then no grid line lies at the left or top edge of the image.
package struct BlockGrid: Hashable, Sendable {
    private let size: PixelSize
    private let blocks: PixelSize
    private let firstColumn: Int
    private let firstRow: Int

    /// Creates the grid of an upright image.
    ///
    /// - Parameters:
    ///   - size: The size of the image, in pixels.
    ///   - blocks: The size of a block, in pixels of the upright image; for JPEG, the size of an MCU.
    ///   - fromRight: Whether columns of blocks are counted from the right, because the stored image is mirrored or
    ///     rotated.
    ///   - fromBottom: Whether rows of blocks are counted from the bottom.
    package init(of size: PixelSize, blocks: PixelSize, fromRight: Bool = false, fromBottom: Bool = false) {
        self.size = size
        self.blocks = blocks
        firstColumn = fromRight ? size.width % blocks.width : 0
        firstRow = fromBottom ? size.height % blocks.height : 0
    }

    /// Returns the crop closest to `rect` that begins on the grid and keeps every region whole that is whole in `rect`.
    ///
    /// It moves by less than a block, to the nearer side if possible. If neither side keeps all of the `regions` whole,
    /// it grows to the left or to the top instead. Only at the left or top edge of a rotated or mirrored image, which
    /// may have no grid line, it loses less than a block.
    ///
    /// - Parameters:
    ///   - rect: A crop inside the image.
    ///   - regions: Regions that must stay whole if they are whole in `rect`.
    /// - Returns: A crop inside the image; nil if the image has no grid line.
    package func aligned(_ rect: PixelRect, keeping regions: [PixelRect] = []) -> PixelRect? {
        let kept = regions.filter { rect.contains($0) }
        let across = Line(first: firstColumn, step: blocks.width, limit: size.width)
            // bounded: the crop and the regions lie inside the image
            .aligned(rect.x..<rect.maxX, keeping: kept.map { $0.x..<$0.maxX })
        let down = Line(first: firstRow, step: blocks.height, limit: size.height)
            // bounded: the crop and the regions lie inside the image
            .aligned(rect.y..<rect.maxY, keeping: kept.map { $0.y..<$0.maxY })
        guard let across, let down else { return nil }
        return PixelRect(x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
    }
}

/// The grid along one side.
private struct Line {
    let first: Int
    let step: Int
    let limit: Int

    func aligned(_ range: Range<Int>, keeping regions: [Range<Int>]) -> Range<Int>? {
        let steps = (range.lowerBound - first) / step
        let below = range.lowerBound >= first ? first + steps * step : nil
        if below == range.lowerBound { return range }
        let above = below.map { $0 + step } ?? first
        var moved: [Range<Int>] = []
        // bounded: a count is not negative
        if let below { moved.append(below..<below + range.count) }
        // bounded: a count is not negative
        if above + range.count <= limit { moved.append(above..<above + range.count) }
        moved.sort { abs($0.lowerBound - range.lowerBound) < abs($1.lowerBound - range.lowerBound) }
        let whole = moved.first { candidate in
            regions.allSatisfy { candidate.lowerBound <= $0.lowerBound && candidate.upperBound >= $0.upperBound }
        }
        if let whole { return whole }
        // bounded: below is at most the lower bound
        if let below { return below..<range.upperBound }
        guard above < limit else { return nil }
        // bounded: the limit is above
        return above..<min(limit, above + range.count)
    }
}
