import Geometry

extension Plane {
    /// Returns the rotated plane, with cubic interpolation (Catmull and Rom).
    ///
    /// Outside the plane, its edge pixels are repeated.
    func turned(_ turn: Rotation, to target: PixelSize) throws(CodecError) -> Plane {
        let result = try Plane(unset: target)
        let (lastX, lastY) = (size.width - 1, size.height - 1)
        withUnsafeSamples { samples in
            for y in 0..<target.height {
                let start = turn.row(y)
                var (sourceX, sourceY) = (start.x, start.y)
                let row = result.base + y * result.bytesPerRow
                for x in 0..<target.width {
                    // The position is bounded, so that points far outside can be converted to integers.
                    let left = min(max(sourceX - 0.5, -4), Double(lastX) + 4)
                    let top = min(max(sourceY - 0.5, -4), Double(lastY) + 4)
                    let (column, line) = (Int(left.rounded(.down)), Int(top.rounded(.down)))
                    let across = CubicWeights(left - Double(column))
                    let down = CubicWeights(top - Double(line))
                    func sum(_ offset: Int) -> Double {
                        let first = min(max(line + offset, 0), lastY) * bytesPerRow
                        return across.sum(
                            samples[first + min(max(column - 1, 0), lastX)],
                            samples[first + min(max(column, 0), lastX)],
                            samples[first + min(max(column + 1, 0), lastX)],
                            samples[first + min(max(column + 2, 0), lastX)]
                        )
                    }
                    let value = down.sum(sum(-1), sum(0), sum(1), sum(2))
                    row[x] = UInt8(min(max(value.rounded(), 0), 255))
                    sourceX += start.stepX
                    sourceY += start.stepY
                }
            }
        }
        return result
    }
}

/// The weights of four adjacent samples for a position between the second and the third sample.
private struct CubicWeights {
    let first, second, third, fourth: Double

    /// The weights at a distance of 0 to 1 from the second sample.
    init(_ t: Double) {
        first = ((2 - t) * t - 1) * t / 2
        second = ((3 * t - 5) * t * t + 2) / 2
        third = ((4 - 3 * t) * t + 1) * t / 2
        fourth = (t - 1) * t * t / 2
    }

    func sum(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
        a * first + b * second + c * third + d * fourth
    }

    func sum(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> Double {
        sum(Double(a), Double(b), Double(c), Double(d))
    }
}
