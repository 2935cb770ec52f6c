import Geometry

/// A plain reference implementation of dlib's stages, one pixel and one bin at a time.
enum Reference {
    /// dlib's `resize_image` for grey pixels to 5/6 of the size, with aligned corners.
    ///
    /// It processes each row in groups of four pixels in single precision with rounding. The rest of a row is in double
    /// precision with truncation.
    static func shrink(_ image: LumaTestImage) -> [UInt8] {
        let (sourceWidth, sourceHeight) = (image.size.width, image.size.height)
        let (width, height) = (5 * sourceWidth / 6, 5 * sourceHeight / 6)
        let scaleX = Double(sourceWidth - 1) / Double(max(width - 1, 1))
        let scaleY = Double(sourceHeight - 1) / Double(max(height - 1, 1))
        var out: [UInt8] = []
        var y = -scaleY
        for _ in 0..<height {
            y += scaleY
            let top = Int(y.rounded(.down))
            let bottom = min(top + 1, sourceHeight - 1)
            let below = y - Double(top)
            var group = (0..<4).map { Float(-4 * scaleX + Double($0) * scaleX) }
            var row: [UInt8] = []
            func pixel(_ x: Int, _ y: Int) -> Float { Float(image.bytes[y * image.bytesPerRow + x]) }
            while true {
                for i in 0..<4 { group[i] += Float(4 * scaleX) }
                if Int(group[3]) + 1 >= sourceWidth { break }
                for x in group {
                    let left = Int(x)
                    let right = x - Float(left)
                    var value = Float(1 - below) * (1 - right) * pixel(left, top)
                    value += Float(1 - below) * right * pixel(left + 1, top)
                    value += Float(below) * (1 - right) * pixel(left, bottom)
                    value += Float(below) * right * pixel(left + 1, bottom)
                    row.append(UInt8(value + 0.5))
                }
            }
            var x = -scaleX + Double(row.count) * scaleX
            while row.count < width {
                x += scaleX
                let left = Int(x.rounded(.down))
                let next = min(left + 1, sourceWidth - 1)
                let right = Float(x - Double(left))
                let upper = (1 - right) * pixel(left, top) + right * pixel(next, top)
                let lower = (1 - right) * pixel(left, bottom) + right * pixel(next, bottom)
                row.append(UInt8(Float((1 - below) * Double(upper) + below * Double(lower))))
            }
            out += row
        }
        return out
    }

    /// FHOG features with cells of 8 pixels: 31 planes, and zeros for cells without a neighbour on one side.
    static func features(_ image: LumaTestImage) -> [Float] {
        let columns = (image.size.width + 4) / 8
        let rows = (image.size.height + 4) / 8
        let histograms = histograms(image, columns: columns, rows: rows)
        var norms = [[Float]](repeating: [Float](repeating: 0, count: columns), count: rows)
        for row in 0..<rows {
            for column in 0..<columns {
                for o in 0..<9 {
                    let both = histograms[row][column][o] + histograms[row][column][o + 9]
                    norms[row][column] += both * both
                }
            }
        }

        var out: [Float] = []
        for row in 1..<(rows - 1) {
            for column in 1..<(columns - 1) {
                let bins = histograms[row][column]
                let all = bins + (0..<9).map { bins[$0] + bins[$0 + 9] }
                var features = [Float](repeating: 0, count: 32)
                // The blocks of 2×2 cells that contain this cell, in the order of dlib's texture planes.
                for (plane, (dx, dy)) in [(0, 0), (0, -1), (-1, 0), (-1, -1)].enumerated() {
                    var energy: Float = 0.0001
                    for y in 0...1 {
                        for x in 0...1 { energy += norms[row + dy + y][column + dx + x] }
                    }
                    let limit = 0.2 * energy.squareRoot()
                    for (bin, value) in all.enumerated() {
                        let part = min(value, limit) * (0.1 / limit)
                        features[bin] += part
                        if bin < 18 { features[27 + plane] += 2 * 0.2357 * part }
                    }
                }
                out += features
            }
        }
        return out
    }

    private static func histograms(_ image: LumaTestImage, columns: Int, rows: Int) -> [[[Float]]] {
        let directions: [(Float, Float)] = [
            (1, 0), (0.9397, 0.3420), (0.7660, 0.6428), (0.5, 0.8660), (0.1736, 0.9848), (-0.1736, 0.9848),
            (-0.5, 0.8660), (-0.7660, 0.6428), (-0.9397, 0.3420),
        ]
        func pixel(_ x: Int, _ y: Int) -> Float { Float(image.bytes[y * image.bytesPerRow + x]) }

        let empty = [Float](repeating: 0, count: 18)
        var histograms = [[[Float]]](repeating: [[Float]](repeating: empty, count: columns), count: rows)
        for y in 1..<max(1, min(8 * rows, image.size.height) - 1) {
            for x in 1..<max(1, min(8 * columns, image.size.width) - 1) {
                let dx = pixel(x + 1, y) - pixel(x - 1, y)
                let dy = pixel(x, y + 1) - pixel(x, y - 1)
                var best: Float = 0
                var orientation = 0
                for (o, direction) in directions.enumerated() {
                    let dot = dx * direction.0 + dy * direction.1
                    if dot > best { (best, orientation) = (dot, o) }
                    if -dot > best { (best, orientation) = (-dot, o + 9) }
                }
                let length = (dx * dx + dy * dy).squareRoot()

                let (cellX, cellY) = ((Float(x) + 0.5) / 8 - 0.5, (Float(y) + 0.5) / 8 - 0.5)
                let (left, top) = (Int(cellX.rounded(.down)), Int(cellY.rounded(.down)))
                let (right, below) = (cellX - Float(left), cellY - Float(top))
                for (column, horizontal) in [(left, 1 - right), (left + 1, right)] where (0..<columns).contains(column)
                {
                    for (row, vertical) in [(top, 1 - below), (top + 1, below)] where (0..<rows).contains(row) {
                        histograms[row][column][orientation] += horizontal * vertical * length
                    }
                }
            }
        }
        return histograms
    }
}
