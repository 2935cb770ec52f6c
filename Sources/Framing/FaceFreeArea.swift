/// The search for room without faces, in which text can stand.
package enum FaceFreeArea {
    /// The largest rectangle of a crop that holds nothing of any head.
    ///
    /// Exact: a largest rectangle touches a head or the crop's edge on all four sides, so only the lines along such edges
    /// need to be tried. They divide the crop into cells, of which the rectangle is made, and in every row of cells it is
    /// the largest rectangle under a skyline, found in one pass with a stack.
    ///
    /// - Parameters:
    ///   - crop: In pixels of the image.
    ///   - heads: Likewise; they may overlap each other and the crop's edges.
    /// - Returns: The one with the most pixels; of equals the widest, then the highest up, then the one furthest left. Nil
    ///   when heads cover the whole crop.
    package static func largest(in crop: PixelRect, heads: [PixelRect]) -> PixelRect? {
        let inside = heads.map(crop.intersection).filter { $0.area > 0 }
        let columns = Set([crop.x, crop.maxX] + inside.flatMap { [$0.x, $0.maxX] }).sorted()
        let rows = Set([crop.y, crop.maxY] + inside.flatMap { [$0.y, $0.maxY] }).sorted()
        let indices = Dictionary(uniqueKeysWithValues: zip(columns, columns.indices))
        let obstacles = inside.map { head in
            (rows: head.rows, columns: (indices[head.x] ?? 0)..<(indices[head.maxX] ?? 0))
        }
        // For each column of cells, where the free ones above the row's lower edge begin.
        var tops = [Int](repeating: crop.y, count: columns.count - 1)
        var best: PixelRect?
        for (top, bottom) in zip(rows, rows.dropFirst()) {
            for obstacle in obstacles where obstacle.rows.contains(top) {
                for column in obstacle.columns { tops[column] = bottom }
            }
            forEachRectangle(under: tops, columns: columns, bottom: bottom) { candidate in
                if best.map({ isBetter(candidate, than: $0) }) ?? true { best = candidate }
            }
        }
        return best
    }

    /// Visits every rectangle on the lower edge that can be made neither wider nor higher.
    private static func forEachRectangle(
        under tops: [Int],
        columns: [Int],
        bottom: Int,
        _ visit: (PixelRect) -> Void
    ) {
        // Rectangles that may go on to the right, each reaching higher than the one before.
        var open: [(left: Int, top: Int)] = []
        // After the last column nothing is free, which ends all of them.
        for (right, top) in zip(columns, tops + [bottom]) {
            var left = right
            while let last = open.last, last.top <= top {
                open.removeLast()
                left = last.left
                guard last.top < top else { continue }
                visit(PixelRect(x: left, y: last.top, width: right - left, height: bottom - last.top))
            }
            open.append((left, top))
        }
    }

    private static func isBetter(_ left: PixelRect, than right: PixelRect) -> Bool {
        (left.area, left.width, -left.y, -left.x) > (right.area, right.width, -right.y, -right.x)
    }
}
