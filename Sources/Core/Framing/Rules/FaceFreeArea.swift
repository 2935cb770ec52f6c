package import Geometry

/// The search for an area without faces, for example for text.
package enum FaceFreeArea {
    /// Returns the largest rectangle of a crop that intersects no head.
    ///
    /// The search is exact: a largest rectangle touches a head or the crop's edge on all four sides, so only lines
    /// along these edges are tried. They divide the crop into cells. For every row of cells, the largest rectangle
    /// under a skyline is found in one pass with a stack.
    ///
    /// - Parameters:
    ///   - crop: A rectangle in pixels of the image.
    ///   - heads: Rectangles in pixels of the image; they may overlap each other and the crop's edges.
    /// - Returns: The rectangle with the maximum area; of equal rectangles the widest, then the topmost, then the
    ///   leftmost. Nil if heads cover the whole crop.
    package static func largest(in crop: PixelRect, heads: [PixelRect]) -> PixelRect? {
        let inside = heads.map(crop.intersection).filter { $0.area > 0 }
        let columns = Set([crop.x, crop.maxX] + inside.flatMap { [$0.x, $0.maxX] }).sorted()
        let rows = Set([crop.y, crop.maxY] + inside.flatMap { [$0.y, $0.maxY] }).sorted()
        let indices = Dictionary(uniqueKeysWithValues: zip(columns, columns.indices))
        let obstacles = inside.map { head in
            (rows: head.rows, columns: (indices[head.x] ?? 0)..<(indices[head.maxX] ?? 0))
        }
        // For each column of cells, the top of the free cells above the row's lower edge.
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

    /// Visits every rectangle on the lower edge that cannot be widened or heightened.
    private static func forEachRectangle(under tops: [Int], columns: [Int], bottom: Int, _ visit: (PixelRect) -> Void) {
        // Rectangles that may extend to the right, each higher than the previous rectangle.
        var open: [(left: Int, top: Int)] = []
        // A column without free cells after the last column ends all rectangles.
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
