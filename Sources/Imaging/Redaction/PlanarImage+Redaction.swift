import CImageCodec
package import Geometry

extension PlanarImage {
    /// This picture with all pixels of the masks replaced, in every plane and in alpha.
    ///
    /// Replacements depend on this picture only, so overlapping masks do not weaken each other. Masks of which one lies
    /// mostly in another are one area: edges between them can look like a face again.
    ///
    /// - Parameters:
    ///   - masks: In pixels of this picture; what lies outside is cut off.
    ///   - style: What replaces the pixels.
    /// - Returns: A copy; the picture itself if no mask touches it.
    /// - Throws: ``CodecError/outOfMemory``.
    package func redacted(_ masks: [RedactionMask], as style: RedactionStyle) throws(CodecError) -> PlanarImage {
        let touching = masks.filter { $0.bounds.left < Double(size.width) && $0.bounds.right > 0 }
            .filter { $0.bounds.top < Double(size.height) && $0.bounds.bottom > 0 }
        guard !touching.isEmpty else { return self }
        let areas = RedactionMask.joined(touching)
        let grey = colorModel.samples(red: 128, green: 128, blue: 128)
        var copies: [Plane] = []
        for (index, plane) in planes.enumerated() {
            var (across, down) = (1, 1)
            if index > 0, case .ycbcr(let chroma) = colorModel { (across, down) = (chroma.horizontal, chroma.vertical) }
            let replacement = PlaneRedaction(style: style, across: across, down: down, fill: grey[index])
            copies.append(try replacement.applied(to: plane, areas))
        }
        let opacity = PlaneRedaction(style: style, across: 1, down: 1, fill: 255)
        var image = PlanarImage(
            size: size,
            colorModel: colorModel,
            planes: copies,
            alpha: try alpha.map { (plane) throws(CodecError) in try opacity.applied(to: plane, areas) },
            iccProfile: iccProfile
        )
        image.isDamaged = isDamaged
        return image
    }
}

extension PartialImage {
    /// This part with all pixels of the masks replaced.
    ///
    /// - Parameters:
    ///   - masks: In pixels of the whole picture at the size of `source`.
    ///   - source: The size of the whole picture that the masks belong to.
    ///   - style: What replaces the pixels.
    /// - Returns: A copy.
    /// - Throws: ``CodecError/outOfMemory``.
    package func redacted(
        _ masks: [RedactionMask],
        of source: PixelSize,
        as style: RedactionStyle
    ) throws(CodecError) -> PartialImage {
        let own = masks.map { $0.scaled(from: source, to: wholeSize, x: x, y: y) }
        return PartialImage(image: try image.redacted(own, as: style), x: x, y: y, wholeSize: wholeSize)
    }
}

/// Replaces the masked samples of one plane.
private struct PlaneRedaction {
    let style: RedactionStyle
    /// Pixels across and down that share a sample.
    let across: Int
    let down: Int
    /// The sample of ``RedactionStyle/fill``.
    let fill: UInt8

    func applied(to plane: Plane, _ masks: [RedactionMask]) throws(CodecError) -> Plane {
        let copy = try Plane(unset: plane.size)
        hr_copy([plane.view], 0, 0, [copy.view])
        plane.withUnsafeSamples { samples in
            for mask in masks { replace(mask, samples, of: plane, in: copy) }
        }
        return copy
    }

    private func replace(_ mask: RedactionMask, _ samples: UnsafeBufferPointer<UInt8>, of plane: Plane, in copy: Plane)
    {
        let (x, y) = (Double(across), Double(down))
        let bounds = mask.bounds
        let edges = (left: bounds.left / x, top: bounds.top / y, right: bounds.right / x, bottom: bounds.bottom / y)
        let (left, top) = (Int(edges.left.rounded(.down)), Int(edges.top.rounded(.down)))
        let part = PixelRect(
            x: left,
            y: top,
            width: Int(edges.right.rounded(.up)) - left,
            height: Int(edges.bottom.rounded(.up)) - top
        ).intersection(PixelRect(plane.size))
        guard part.area > 0 else { return }
        let grid = RedactionGrid(
            edges,
            of: samples,
            bytesPerRow: plane.bytesPerRow,
            in: part,
            style: style
        )
        let shapes = mask.parts.map(Superellipse.init)
        let columns = part.columns.map { column in
            let distance = Double(column) + 0.5 - grid.left
            return (
                cell: RedactionGrid.cell(distance, of: grid.width, grid.columns),
                between: RedactionGrid.between(distance, of: grid.width, grid.columns)
            )
        }
        for row in part.rows {
            let distance = Double(row) + 0.5 - grid.top
            let cell = RedactionGrid.cell(distance, of: grid.height, grid.rows) * grid.columns
            let (upper, lower, share) = RedactionGrid.between(distance, of: grid.height, grid.rows)
            let centre = (Double(row) + 0.5) * y
            let target = copy.base + row * copy.bytesPerRow
            for (offset, column) in columns.enumerated() {
                let sample = part.x + offset
                let place = PixelPoint(x: (Double(sample) + 0.5) * x, y: centre)
                guard shapes.contains(where: { $0.contains(place) }) else { continue }
                switch style {
                case .fill: target[sample] = fill
                case .pixelate: target[sample] = UInt8(grid.means[cell + column.cell].rounded())
                case .blur:
                    let (first, second, part) = column.between
                    let (above, below) = (upper * grid.columns, lower * grid.columns)
                    let high =
                        grid.means[above + first] + part * (grid.means[above + second] - grid.means[above + first])
                    let low =
                        grid.means[below + first] + part * (grid.means[below + second] - grid.means[below + first])
                    target[sample] = UInt8((high + share * (low - high)).rounded())
                }
            }
        }
    }
}

/// The equation of a mask's part.
struct Superellipse {
    let centre: PixelPoint
    let cosine: Double
    let sine: Double
    let acrossScale: Double
    let downScale: Double

    init(_ part: RedactionMask.Part) {
        centre = part.centre
        (cosine, sine) = part.direction
        acrossScale = 1 / max(1, part.halfWidth * RedactionMask.reach)
        downScale = 1 / max(1, part.halfHeight * RedactionMask.reach)
    }

    /// Whether a point lies inside: u⁴ + v⁴ ≤ 1.
    func contains(_ point: PixelPoint) -> Bool {
        let (x, y) = (point.x - centre.x, point.y - centre.y)
        let u = (x * cosine + y * sine) * acrossScale
        let v = (y * cosine - x * sine) * downScale
        return u * u * u * u + v * v * v * v <= 1
    }
}
