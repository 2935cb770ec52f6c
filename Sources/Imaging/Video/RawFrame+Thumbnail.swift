import Geometry

extension RawFrame {
    /// The means of the cells of a coarse grid, of luma, blue and red chroma one after the other, with eight bits.
    ///
    /// Of each cell, at most eight rows and eight columns are read, so the time does not depend on the size.
    ///
    /// - Parameters:
    ///   - columns: Cells across.
    ///   - rows: Cells down.
    /// - Returns: Three times `columns` × `rows` samples; 128 for the chroma of a grey frame.
    package func grid(columns: Int, rows: Int) -> [UInt8] {
        var cells: [UInt8] = []
        cells.reserveCapacity(3 * columns * rows)
        let sizes = layout.planeSizes(of: size)
        for index in 0..<3 {
            if sizes.indices.contains(index) {
                appendGrid(of: planes[index], sizes[index], columns, rows, to: &cells)
            } else {
                cells += [UInt8](repeating: 128, count: columns * rows)
            }
        }
        return cells
    }

    private func appendGrid(of plane: Plane, _ samples: PixelSize, _ columns: Int, _ rows: Int, to cells: inout [UInt8])
    {
        let (isWide, shift) = (layout.sampleBytes == 2, layout.depth - 8)
        for row in 0..<rows {
            let top = row * samples.height / rows
            let bottom = max(top + 1, (row + 1) * samples.height / rows)
            for column in 0..<columns {
                let left = column * samples.width / columns
                let right = max(left + 1, (column + 1) * samples.width / columns)
                var (sum, count) = (0, 0)
                for y in stride(from: top, to: bottom, by: max(1, (bottom - top) / 8)) {
                    let line = plane.base + y * plane.bytesPerRow
                    for x in stride(from: left, to: right, by: max(1, (right - left) / 8)) {
                        sum += isWide ? min(255, (Int(line[2 * x]) | Int(line[2 * x + 1]) << 8) >> shift) : Int(line[x])
                        count += 1
                    }
                }
                cells.append(UInt8(sum / max(1, count)))
            }
        }
    }
}
