import CImageCodec
package import Geometry

extension PlanarImage {
    /// Returns a larger image that contains this image and shows the background in all other pixels.
    ///
    /// The background also shows through transparent pixels. A chroma sample shared by the image and a bar belongs to
    /// the bar, so that bars have a uniform colour.
    ///
    /// - Parameters:
    ///   - background: `transparent` needs a grey or RGB image.
    ///   - size: The size of the result.
    ///   - place: The rectangle of this image in the result. It has the size of this image and lies inside the result.
    /// - Returns: An image in the colour model of this image and with its profile. It has alpha for a transparent
    ///   background only.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func laid(
        on background: Background,
        of size: PixelSize,
        at place: PixelRect
    ) throws(CodecError) -> PlanarImage {
        precondition(place.size == self.size && PixelRect(size).contains(place), "the image lies inside")
        var fill = try planes(of: background, size: size)
        if case .transparent = background { fill.append(try Plane(size, filledWith: 0)) }
        for (index, plane) in planes.enumerated() {
            let part = samples(ofPlane: index, under: place, of: size)
            guard part.area > 0 else { continue }
            let (from, to) = (plane.cropped(to: PixelRect(part.size)), fill[index].cropped(to: part))
            if let alpha, background != .transparent {
                from.blend(over: to, by: alpha)
            } else {
                from.copy(into: to)
            }
        }
        guard case .transparent = background else {
            return PlanarImage(size: size, colorModel: colorModel, planes: fill, iccProfile: iccProfile)
        }
        let opacity = fill.removeLast()
        let covered = opacity.cropped(to: place)
        if let alpha { alpha.copy(into: covered) } else { covered.withTarget { hr_fill([$0], 255) } }
        return PlanarImage(size: size, colorModel: colorModel, planes: fill, alpha: opacity, iccProfile: iccProfile)
    }

    /// Returns the samples of a result plane that belong only to this image and not to the background.
    private func samples(ofPlane index: Int, under place: PixelRect, of size: PixelSize) -> PixelRect {
        let subsampling = colorModel.subsampling(ofPlane: index)
        let across = Self.samples(place.x..<place.maxX, of: size.width, sharedBy: subsampling.horizontal)
        let down = Self.samples(place.y..<place.maxY, of: size.height, sharedBy: subsampling.vertical)
        return PixelRect(x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
    }

    private static func samples(_ pixels: Range<Int>, of whole: Int, sharedBy count: Int) -> Range<Int> {
        let first = (pixels.lowerBound + count - 1) / count
        let end = pixels.upperBound == whole ? (whole + count - 1) / count : pixels.upperBound / count
        return first..<max(first, end)
    }

    // MARK: Backgrounds

    /// Returns the planes of the background for this image.
    func planes(of background: Background, size: PixelSize) throws(CodecError) -> [Plane] {
        let values: [UInt8]
        switch background {
        case .color(let red, let green, let blue):
            values = colorModel.samples(red: red, green: green, blue: blue)
        case .transparent:
            return try planes(of: .white, size: size)
        case .average:
            values = try flattened().planes.map(\.mean)
        case .blur:
            return try flattened().planes.enumerated().map { (index, plane) throws(CodecError) in
                let neutral = colorModel.isChroma(index) ? 128.0 : 0
                return try plane.blurred(shape: size, to: colorModel.planeSize(index, of: size), neutral: neutral)
            }
        }
        return try values.enumerated().map { (index, value) throws(CodecError) in
            try Plane(colorModel.planeSize(index, of: size), filledWith: value)
        }
    }
}

extension Plane {
    /// The mean of all samples, rounded.
    fileprivate var mean: UInt8 {
        withUnsafeSamples { samples in
            var sum = 0
            for y in 0..<size.height {
                for x in 0..<size.width { sum += Int(samples[y * bytesPerRow + x]) }
            }
            return UInt8((sum + size.area / 2) / size.area)
        }
    }

    /// The number of samples of the blurred image: too few to recognise faces, but enough for light and colours.
    private static let blurredSamples = 300.0

    /// The brightness of the blurred image; it is reduced so that the sharp image stands out.
    private static let brightness = 0.75

    /// Returns the centre of this plane, cropped to the aspect ratio of `shape`, blurred and darkened.
    ///
    /// The plane is scaled down and then up with a smooth filter. Together they take as long as a single scaling.
    fileprivate func blurred(shape: PixelSize, to target: PixelSize, neutral: Double) throws(CodecError) -> Plane {
        let scale = (Self.blurredSamples / Double(shape.area)).squareRoot()
        let small = PixelSize(rounding: Double(shape.width) * scale, Double(shape.height) * scale)
        let (width, height) = (Double(size.width), Double(size.height))
        let across = min(width, height * Double(target.width) / Double(target.height))
        let down = min(height, width * Double(target.height) / Double(target.width))
        let middle = FractionalRect(x: (width - across) / 2, y: (height - down) / 2, width: across, height: down)
        let bright = try Resampler.resample(self, region: middle, to: small, filter: .linear)
        let dark = try Plane(small) { x, y in
            UInt8((neutral + (Double(bright[x: x, y: y]) - neutral) * Self.brightness).rounded())
        }
        return try Resampler.resample(dark, region: FractionalRect(PixelRect(small)), to: target, filter: .spline)
    }
}

extension ColorModel {
    /// Whether plane `index` contains chroma, whose samples are differences from 128.
    fileprivate func isChroma(_ index: Int) -> Bool {
        if case .ycbcr = self { index > 0 } else { false }
    }
}
