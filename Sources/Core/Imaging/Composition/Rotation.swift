import CImageCodec
package import Geometry
import Glibc

/// A rotation of an image about a point.
package struct Rotation: Hashable, Sendable {
    /// The centre of the rotation, in pixels of the image.
    package var centre: PixelPoint
    /// The same point in pixels of the result.
    package var place: PixelPoint
    /// The rotation of the image's content in degrees clockwise; the result is upright.
    package var roll: Double
    /// Pixels of the result for each pixel of the image, greater than 0.
    ///
    /// There is no filter, so it should be at least 1.
    package var scale = 1.0

    /// Creates a rotation about a point that makes the content of an image upright.
    ///
    /// - Parameters:
    ///   - centre: The point, in pixels of the image.
    ///   - place: The same point, in pixels of the result.
    ///   - roll: The rotation of the content in degrees clockwise.
    ///   - scale: Pixels of the result for each pixel of the image; at least 1, because there is no filter.
    package init(centre: PixelPoint, place: PixelPoint, roll: Double, scale: Double = 1) {
        self.centre = centre
        self.place = place
        self.roll = roll
        self.scale = scale
    }

    /// Returns where the pixels of a result row are in the image: the position of the first pixel, and the step to the
    /// next pixel.
    func row(_ y: Int) -> (x: Double, y: Double, stepX: Double, stepY: Double) {
        let angle = roll * .pi / 180
        let (cosine, sine) = (cos(angle) / scale, sin(angle) / scale)
        let (across, down) = (0.5 - place.x, Double(y) + 0.5 - place.y)
        let (x, y) = (centre.x + across * cosine - down * sine, centre.y + across * sine + down * cosine)
        return (x, y, cosine, sine)
    }
}

extension PlanarImage {
    /// Returns the rotated image, with a background in the uncovered area.
    ///
    /// - Parameters:
    ///   - turn: The rotation.
    ///   - size: The size of the result.
    ///   - background: The fill of the uncovered area and of transparent pixels. `blur` repeats the pixels at the edges
    ///     of the image.
    /// - Returns: A grey or RGB image with the profile of this image; it has alpha only for a transparent background.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func turned(
        _ turn: Rotation,
        to size: PixelSize,
        on background: Background
    ) throws(CodecError) -> PlanarImage {
        precondition(colorModel == .rgb || colorModel == .gray, "planes of one size")
        let colours = try planes.map { (plane) throws(CodecError) in try plane.turned(turn, to: size) }
        var cover = try Self.coverage(of: self.size, turn, in: size)
        if let alpha { cover = try cover.multiplied(by: try alpha.turned(turn, to: size)) }
        guard background == .blur else {
            return try PlanarImage(
                size: size,
                colorModel: colorModel,
                planes: colours,
                alpha: cover,
                iccProfile: iccProfile
            ).laid(on: background, of: size, at: PixelRect(size))
        }
        let continued = PlanarImage(size: size, colorModel: colorModel, planes: colours)
        let fill = try continued.planes(of: .blur, size: size)
        for (plane, below) in zip(colours, fill) { plane.blend(over: below, by: cover) }
        return PlanarImage(size: size, colorModel: colorModel, planes: fill, iccProfile: iccProfile)
    }

    /// Returns the fraction of each result pixel that the rotated image covers; edges are smooth.
    static func coverage(of image: PixelSize, _ turn: Rotation, in size: PixelSize) throws(CodecError) -> Plane {
        let (width, height) = (Double(image.width), Double(image.height))
        let plane = try Plane(unset: size)
        for y in 0..<size.height {
            let start = turn.row(y)
            var (sourceX, sourceY) = (start.x, start.y)
            let row = plane.base + y * plane.bytesPerRow
            for x in 0..<size.width {
                let distance = min(sourceX, width - sourceX, sourceY, height - sourceY)
                row[x] = UInt8((min(max(distance + 0.5, 0), 1) * 255).rounded())
                sourceX += start.stepX
                sourceY += start.stepY
            }
        }
        return plane
    }
}

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

extension PlanarImage {
    /// Returns the upright image.
    package func oriented(_ orientation: Orientation) throws(CodecError) -> PlanarImage {
        guard orientation != .up else { return self }
        var turned = try planes.map { (plane) throws(CodecError) in try plane.oriented(orientation) }
        var model = colorModel
        if case .ycbcr(let subsampling) = colorModel {
            let upright = orientation.swapsSides ? subsampling.transposed : subsampling
            model = .ycbcr(upright)
            for index in 1...2 {
                turned[index] = try realigned(turned[index], subsampling: upright, orientation: orientation)
            }
        }
        var upright = PlanarImage(
            size: orientation.upright(size),
            colorModel: model,
            planes: turned,
            alpha: try alpha?.oriented(orientation),
            iccProfile: iccProfile
        )
        upright.isDamaged = isDamaged
        return upright
    }

    /// Moves chroma samples onto the grid of the oriented image.
    ///
    /// If a side is not a multiple of the subsampling, the last chroma sample extends beyond the edge. In the reversed
    /// image, this sample comes first and displaces all other samples, so that colours would bleed by up to a pixel.
    private func realigned(
        _ chroma: Plane,
        subsampling: ChromaSubsampling,
        orientation: Orientation
    ) throws(CodecError) -> Plane {
        let upright = orientation.upright(size)
        let across = chroma.size.width * subsampling.horizontal - upright.width
        let down = chroma.size.height * subsampling.vertical - upright.height
        let region = FractionalRect(
            x: orientation.reversesColumns ? Double(across) / Double(subsampling.horizontal) : 0,
            y: orientation.reversesRows ? Double(down) / Double(subsampling.vertical) : 0,
            width: Double(chroma.size.width),
            height: Double(chroma.size.height)
        )
        return try Resampler.resample(chroma, region: region, to: chroma.size, filter: .linear)
    }
}
