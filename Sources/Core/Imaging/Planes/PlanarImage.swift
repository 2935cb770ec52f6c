import CImageCodec
package import Geometry

/// A decoded image: a plane for each colour component, and optionally one for alpha.
package struct PlanarImage: Sendable {
    /// Width and height of the image; subsampled planes are smaller.
    package let size: PixelSize
    package let colorModel: ColorModel
    /// Grey; red, green and blue; luma, blue and red chroma; or cyan, magenta, yellow and black.
    package let planes: [Plane]
    /// Straight alpha, 255 is opaque; nil if every pixel is opaque.
    package let alpha: Plane?
    /// The ICC profile of the pixel values, which are not converted.
    package let iccProfile: ICCProfile?
    /// Whether some of the image was lost during decoding.
    package var isDamaged = false

    /// An image of planes.
    ///
    /// Traps if sizes or numbers of planes do not match.
    ///
    /// - Parameters:
    ///   - size: Width and height of the image.
    ///   - colorModel: The meaning of the planes, and the sizes of chroma.
    ///   - planes: One for each component, in the order of ``planes``.
    ///   - alpha: Straight alpha of the image's size; nil if every pixel is opaque.
    ///   - iccProfile: The profile of the pixel values; dropped if it is for another colour model.
    package init(
        size: PixelSize,
        colorModel: ColorModel,
        planes: [Plane],
        alpha: Plane? = nil,
        iccProfile: ICCProfile? = nil
    ) {
        precondition(planes.count == colorModel.planeCount, "a plane for each component")
        for (index, plane) in planes.enumerated() {
            precondition(plane.size == colorModel.planeSize(index, of: size), "planes fit the image")
        }
        precondition(alpha.map { $0.size == size } ?? true, "alpha fits the image")
        self.size = size
        self.colorModel = colorModel
        self.planes = planes
        self.alpha = alpha
        self.iccProfile = iccProfile.flatMap { $0.describes(colorModel) ? $0 : nil }
    }

    /// An image from a decoder: with `hasAlpha`, the last plane is alpha, which is dropped if it is opaque.
    init(
        decoded planes: [Plane],
        _ colorModel: ColorModel,
        hasAlpha: Bool,
        iccProfile: ICCProfile? = nil,
        isDamaged: Bool = false
    ) {
        let colors = hasAlpha ? planes.dropLast() : planes
        let alpha = hasAlpha ? planes.last?.unlessOpaque : nil
        self.init(size: planes[0].size, colorModel: colorModel, planes: colors, alpha: alpha, iccProfile: iccProfile)
        self.isDamaged = isDamaged
    }

    /// Returns an image of the same kind with other samples.
    func replacing(_ planes: [Plane], alpha: Plane?) -> PlanarImage {
        var image = PlanarImage(
            size: size,
            colorModel: colorModel,
            planes: planes,
            alpha: alpha,
            iccProfile: iccProfile
        )
        image.isDamaged = isDamaged
        return image
    }

    /// The planes, alpha last.
    package var allPlanes: [Plane] { planes + (alpha.map { [$0] } ?? []) }

    // MARK: Kind

    /// Whether the pixels look like a drawing, with uniform areas of few colours or smooth gradients.
    ///
    /// Lossless files of drawings are small, and their edges have no ringing. A photograph is recognised after a few
    /// rows.
    package var isDrawn: Bool {
        colorModel != .cmyk && planes.withViews { hr_is_drawn($0, Int32($0.count)) }
    }

    /// The image without its alpha if it is fully opaque.
    package var withoutOpaqueAlpha: PlanarImage {
        alpha == nil || alpha?.unlessOpaque != nil ? self : replacing(planes, alpha: nil)
    }

    // MARK: Uniform borders

    /// Returns the smallest rectangle around all pixels of a part that differ from the part's upper left corner.
    ///
    /// Each sample is compared separately, including chroma and alpha. If the corner is transparent, only alpha counts.
    ///
    /// - Parameters:
    ///   - part: A rectangle inside the image, not empty.
    ///   - tolerance: The maximum difference of samples that count as equal, 0…255.
    /// - Returns: A rectangle inside `part`; nil if all its pixels equal the corner.
    package func content(in part: PixelRect, tolerance: Int) -> PixelRect? {
        var found: PixelRect?
        func add(_ plane: Plane, _ subsampling: ChromaSubsampling) {
            let (horizontal, vertical) = (subsampling.horizontal, subsampling.vertical)
            let samples = PixelRect(
                x: part.x / horizontal,
                y: part.y / vertical,
                width: (part.maxX - 1) / horizontal - part.x / horizontal + 1,
                height: (part.maxY - 1) / vertical - part.y / vertical + 1
            )
            guard let content = plane.content(in: samples, tolerance: tolerance) else { return }
            let pixels = PixelRect(
                x: content.x * horizontal,
                y: content.y * vertical,
                width: content.width * horizontal,
                height: content.height * vertical
            ).intersection(part)
            found = found.map { $0.union(pixels) } ?? pixels
        }
        if let alpha {
            add(alpha, .none)
            if alpha[x: part.x, y: part.y] == 0 { return found }
        }
        for (index, plane) in planes.enumerated() { add(plane, colorModel.subsampling(ofPlane: index)) }
        return found
    }
}

extension Plane {
    /// Returns the smallest rectangle around all samples of a part that differ from its upper left sample; nil if all
    /// are equal.
    fileprivate func content(in part: PixelRect, tolerance: Int) -> PixelRect? {
        withUnsafeSamples { samples in
            let corner = Int(samples[part.y * bytesPerRow + part.x])
            func differs(_ x: Int, _ y: Int) -> Bool { abs(Int(samples[y * bytesPerRow + x]) - corner) > tolerance }
            func differs(row y: Int) -> Bool { part.columns.contains { differs($0, y) } }
            guard let top = part.rows.first(where: differs(row:)), let bottom = part.rows.last(where: differs(row:))
            else { return nil }
            var (left, right) = (part.maxX - 1, part.x)
            for y in top...bottom {
                // Only pixels outside the columns found so far can extend them.
                left = (part.x..<left).first { differs($0, y) } ?? left
                right = (right + 1..<part.maxX).last { differs($0, y) } ?? right
            }
            return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
        }
    }
}
