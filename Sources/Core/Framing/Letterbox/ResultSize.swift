package import Geometry
import TotalFunctions

/// The requested size of the result.
package struct ResultSize: Hashable, Codable, Sendable {
    /// The width in pixels before the device pixel ratio; nil to derive it from the height, or from the crop.
    package var width: Int?
    /// The height in pixels before the device pixel ratio; nil to derive it from the width, or from the crop.
    package var height: Int?
    /// The width as a fraction of the image's width, used instead of ``width``; nil for none.
    package var widthShare: Double?
    /// The height as a fraction of the image's height, used instead of ``height``; nil for none.
    package var heightShare: Double?
    /// Device pixels per requested pixel, 0.1…5.
    package var devicePixelRatio: Double = 1
    /// Whether the result may have more pixels than the crop.
    package var allowsEnlargement = false
    /// Whether width and height are swapped for an image of the other orientation.
    package var turnsToImage = false

    /// Creates the default: a result has the crop's size.
    package init() {}

    /// Returns the result's size for a crop.
    ///
    /// Unless enlargement is allowed, a result that would require it has the crop's size. A side that was not requested
    /// is computed from the other side with `aspect`, or with the crop's aspect ratio. A crop whose aspect ratio
    /// differs from the requested size, such as a whole image as fallback, is fitted inside the size and never
    /// distorted.
    package func resolved(for crop: PixelSize, aspect: AspectRatio?) -> PixelSize {
        guard var asked = asked(for: crop, aspect: aspect) else { return crop }
        if !Self.isShape(asked, of: crop) { asked = Self.fit(crop, inside: asked) }
        if !allowsEnlargement, asked.width > crop.width || asked.height > crop.height { return crop }
        return asked
    }

    /// Returns the maximum size of a whole image inside the requested size, in its own aspect ratio.
    ///
    /// Unless enlargement is allowed, it is at most the image's own size. Each side is rounded to the nearest pixel.
    package func inside(for whole: PixelSize) -> PixelSize {
        guard let asked = asked(for: whole, aspect: nil) else { return whole }
        let shares = [width.map { Double($0) / Double(whole.width) }, height.map { Double($0) / Double(whole.height) }]
        if devicePixelRatio < 1, !allowsEnlargement, let minimum = shares.compactMap(\.self).min(), minimum > 1 {
            // A box that is larger than the image is first reduced to the image.
            return whole.scaled(by: devicePixelRatio)
        }
        // One side is exact, and the other side follows it.
        var fitting = asked
        if let width, let height {
            // The box is not rounded, so that a pixel ratio of 1.5 does not double an error.
            let across = Double(width) * devicePixelRatio / Double(whole.width)
            let down = Double(height) * devicePixelRatio / Double(whole.height)
            fitting = whole.scaled(by: min(across, down))
        }
        return allowsEnlargement || fitting.width <= whole.width && fitting.height <= whole.height ? fitting : whole
    }

    /// Returns the minimum size of a whole image that covers the requested size, in its own aspect ratio.
    ///
    /// Unless enlargement is allowed, it is at most the image's own size. Each side is rounded to the nearest pixel.
    package func outside(for whole: PixelSize) -> PixelSize {
        guard let asked = asked(for: whole, aspect: nil) else { return whole }
        let scale = max(Double(asked.width) / Double(whole.width), Double(asked.height) / Double(whole.height))
        guard allowsEnlargement || scale <= 1 else { return whole }
        return width == nil || height == nil ? asked : whole.scaled(by: scale)
    }

    /// Whether the size depends on the size of the image.
    package var dependsOnImage: Bool { turnsToImage || widthShare != nil || heightShare != nil }

    /// Returns the size for an image of the given size: with swapped or limited sides and resolved fractions, as
    /// requested.
    ///
    /// - Parameters:
    ///   - area: The size of the framed part of the image.
    ///   - limits: Whether each requested side is limited to the side of the image.
    /// - Returns: A size that needs no further adjustment; its device pixel ratio is 1 if it was limited.
    package func settled(in area: PixelSize, limits: Bool) -> ResultSize {
        var settled = self
        settled.turnsToImage = false
        func side(_ share: Double?, of side: Int) -> Int? {
            share.map { max(1, Int(clamping: ($0 * Double(side)).rounded())) }
        }
        settled.width = side(widthShare, of: area.width) ?? width
        settled.height = side(heightShare, of: area.height) ?? height
        (settled.widthShare, settled.heightShare) = (nil, nil)
        if turnsToImage, let width = settled.width, let height = settled.height,
            (area.width < area.height && width > height)
                || (area.width > area.height && width < height)
        {
            (settled.width, settled.height) = (height, width)
        }
        guard limits else { return settled }
        func limited(_ side: Int?, _ maximum: Int) -> Int? {
            guard let side else { return nil }
            // With a ratio below 1, the side is limited to the image's side before the ratio is applied, otherwise
            // afterwards.
            let shown = devicePixelRatio < 1 ? min(side, maximum) : side
            return min(max(1, Int(clamping: (Double(shown) * devicePixelRatio).rounded())), maximum)
        }
        settled.width = limited(settled.width, area.width)
        settled.height = limited(settled.height, area.height)
        settled.devicePixelRatio = 1
        return settled
    }

    /// Returns the size of an image that is stretched to the requested size.
    ///
    /// Without width and height, it is the maximum size of the aspect ratio inside the image. Unless enlargement is
    /// allowed, a result with a side longer than the image's is reduced, and keeps its aspect ratio.
    package func filled(for whole: PixelSize, aspect: AspectRatio?) -> PixelSize {
        guard let asked = asked(for: whole, aspect: aspect) else { return aspect?.widestCrop(in: whole) ?? whole }
        guard !allowsEnlargement, asked.width > whole.width || asked.height > whole.height else { return asked }
        let reduced = Self.fit(asked, inside: whole)
        return PixelSize(width: min(reduced.width, whole.width), height: min(reduced.height, whole.height))
    }

    /// Returns the requested size in pixels of the result, even if it is larger than the crop; nil without width and
    /// height.
    ///
    /// The device pixel ratio is applied. ``allowsEnlargement``, ``turnsToImage`` and the fractions of the image are
    /// not applied: call ``settled(in:limits:)`` before to resolve the last two.
    ///
    /// - Parameters:
    ///   - crop: The size of the crop; only its aspect ratio counts, and only if `aspect` is nil.
    ///   - aspect: The aspect ratio that determines a side that was not requested; nil for the crop's aspect ratio.
    /// - Returns: A size of at least 1 by 1; each side is rounded to the nearest pixel.
    package func asked(for crop: PixelSize, aspect: AspectRatio?) -> PixelSize? {
        let shape = aspect?.value ?? Double(crop.width) / Double(crop.height)
        let asked: (width: Double, height: Double)
        switch (width, height) {
        case (nil, nil): return nil
        case (let width?, nil): asked = (Double(width), Double(width) / shape)
        case (nil, let height?): asked = (Double(height) * shape, Double(height))
        case (let width?, let height?): asked = (Double(width), Double(height))
        }
        return PixelSize(
            width: max(1, Int(clamping: (asked.width * devicePixelRatio).rounded())),
            height: max(1, Int(clamping: (asked.height * devicePixelRatio).rounded()))
        )
    }

    /// Whether two sizes have the same aspect ratio within the precision of whole pixels.
    private static func isShape(_ size: PixelSize, of crop: PixelSize) -> Bool {
        if size.isRounded(from: crop) { return true }
        let shape = Double(size.width) / Double(size.height)
        return abs(Double(crop.height) * shape - Double(crop.width)) <= 1
            || abs(Double(crop.width) / shape - Double(crop.height)) <= 1
    }

    private static func fit(_ crop: PixelSize, inside box: PixelSize) -> PixelSize {
        crop.scaled(by: min(Double(box.width) / Double(crop.width), Double(box.height) / Double(crop.height)))
    }
}
