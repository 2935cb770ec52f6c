package import Geometry

extension PlanarImage {
    /// Returns this image with another image drawn on it.
    ///
    /// - Parameters:
    ///   - overlay: An RGB image, with or without alpha.
    ///   - place: The position of the overlay. Parts outside this image are clipped.
    ///   - hidden: The area in which the overlay is not drawn, for example a head; nil for none.
    /// - Returns: An RGB image; it has alpha if this image has alpha.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func drawing(
        _ overlay: PlanarImage,
        at place: OverlayPlace,
        hidden: RedactionMask? = nil
    ) throws(CodecError) -> PlanarImage {
        precondition(colorModel == .rgb && overlay.colorModel == .rgb, "planes of one size")
        let bounds = place.bounds(in: size)
        guard bounds.area > 0, place.width >= 1, place.height >= 1 else { return self }
        // A smaller overlay is first scaled with a filter; a larger overlay is scaled together with the rotation.
        var source = overlay
        if place.width < Double(overlay.size.width) {
            let small = PixelSize(rounding: place.width, place.height)
            let whole = FractionalRect(PixelRect(overlay.size))
            source = try Resampler.resample(overlay, region: whole, to: small, model: .rgb)
        }
        let turn = Rotation(
            centre: PixelPoint(x: Double(source.size.width) / 2, y: Double(source.size.height) / 2),
            place: PixelPoint(x: place.centre.x - Double(bounds.x), y: place.centre.y - Double(bounds.y)),
            roll: -place.roll,
            scale: place.width / Double(source.size.width)
        )
        let opacity = try source.alpha.map { (alpha) throws(CodecError) in try alpha.turned(turn, to: bounds.size) }
        var cover = try Self.coverage(of: source.size, turn, in: bounds.size)
        // Coverage only cuts off pixels outside the overlay; the alpha of the overlay contains its own edge.
        if let opacity { cover = try cover.multiplied(by: opacity) }
        if let hidden { cover = try cover.cut(hidden.scaled(from: size, to: size, x: bounds.x, y: bounds.y)) }
        let below = try planes.map { (plane) throws(CodecError) in try plane.copied() }
        for (index, plane) in source.planes.enumerated() {
            let premultiplied = try source.alpha.map { (alpha) throws(CodecError) in try plane.multiplied(by: alpha) }
            let colour = try (premultiplied ?? plane).turned(turn, to: bounds.size).divided(by: opacity)
            colour.blend(over: below[index].cropped(to: bounds), by: cover)
        }
        guard let alpha else { return replacing(below, alpha: nil) }
        let result = try alpha.copied()
        let full = try Plane(bounds.size, filledWith: 255)
        full.blend(over: result.cropped(to: bounds), by: cover)
        return replacing(below, alpha: result)
    }

    /// Returns this RGB image with a smaller image drawn on it.
    ///
    /// - Parameters:
    ///   - stamp: An RGB image, with or without alpha.
    ///   - opacity: The opacity of the stamp, 0…1; it is multiplied by the stamp's alpha.
    ///   - place: The part of this image where the stamp is drawn; it has the size of the stamp.
    /// - Returns: An RGB image; it has alpha if this image has alpha.
    /// - Throws: ``CodecError/outOfMemory``.
    package func stamped(
        with stamp: PlanarImage,
        opacity: Double,
        at place: PixelRect
    ) throws(CodecError) -> PlanarImage {
        precondition(colorModel == .rgb && stamp.colorModel == .rgb, "planes of one size")
        precondition(place.size == stamp.size && PixelRect(size).contains(place), "the stamp lies inside")
        let cover = try Plane(stamp.size) { x, y in
            UInt8((Double(stamp.alpha?[x: x, y: y] ?? 255) * min(max(opacity, 0), 1)).rounded())
        }
        let below = try planes.map { (plane) throws(CodecError) in try plane.copied() }
        // Blends by alpha: over transparent pixels the result is the stamp's colour.
        let weights: Plane
        if let alpha {
            weights = try Plane(stamp.size) { x, y in
                let above = Int(cover[x: x, y: y])
                let rest = Int(alpha[x: place.x + x, y: place.y + y]) * (255 - above) / 255
                return above == 0 ? 0 : UInt8((above * 255 + (above + rest) / 2) / (above + rest))
            }
        } else {
            weights = cover
        }
        for (plane, under) in zip(stamp.planes, below) {
            plane.blend(over: under.cropped(to: place), by: weights)
        }
        guard let alpha else { return replacing(below, alpha: nil) }
        let result = try alpha.copied()
        let full = try Plane(stamp.size, filledWith: 255)
        full.blend(over: result.cropped(to: place), by: cover)
        return replacing(below, alpha: result)
    }

    /// Returns this image drawn over another image of the same size and colour model.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    package func laid(over background: PlanarImage) throws(CodecError) -> PlanarImage {
        precondition(background.size == size && background.colorModel == colorModel, "images of one kind")
        guard let alpha else { return self }
        let results = try zip(planes, background.planes).map { (plane, under) throws(CodecError) in
            let result = try under.copied()
            plane.blend(over: result, by: alpha)
            return result
        }
        return replacing(results, alpha: nil)
    }
}

extension Plane {
    /// Converts premultiplied samples to straight samples; without alpha, the samples are returned unchanged.
    fileprivate func divided(by alpha: Plane?) throws(CodecError) -> Plane {
        guard let alpha else { return self }
        return try Plane(size) { x, y in
            let opacity = Int(alpha[x: x, y: y])
            return opacity == 0 ? 0 : UInt8(min(255, (Int(self[x: x, y: y]) * 255 + opacity / 2) / opacity))
        }
    }

    /// Returns this plane with zeros inside a mask.
    fileprivate func cut(_ mask: RedactionMask) throws(CodecError) -> Plane {
        let shapes = mask.parts.map { Superellipse($0, mask.shape) }
        return try Plane(size) { x, y in
            let place = PixelPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
            return shapes.contains { $0.contains(place) } ? 0 : self[x: x, y: y]
        }
    }
}
