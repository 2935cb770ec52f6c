/// The bars that give a result another shape than that of the crop it shows.
package struct Letterbox: Hashable, Codable, Sendable {
    /// Crop and bars together, in pixels of the image; no side is shorter than the crop's.
    package var size: PixelSize
    /// The share of the bars at both sides that lies left of the crop, 0…1.
    package var left = 0.5
    /// The share of the bars above and below that lies above the crop, 0…1.
    package var above = 0.5
    /// Whether a result that would need enlarging has the asked size all the same, with larger bars.
    var keepsAskedSize = false

    /// The whole image in the asked shape, where the gravity says: at an edge, or in the middle.
    ///
    /// There are no bars where they would be a hair's breadth.
    ///
    /// - Parameters:
    ///   - size: The image's.
    ///   - aspect: The asked shape.
    ///   - gravity: `top`, `bottom`, `left` and `right` put the image there; there is nothing that others could choose.
    package init(whole size: PixelSize, aspect: AspectRatio, gravity: Gravity) {
        let smallest = Self.smallest(around: size, aspect: aspect)
        let hasShape =
            Self.isHair(smallest.width - size.width, of: smallest.width)
            && Self.isHair(smallest.height - size.height, of: smallest.height)
        self.size = hasShape ? size : smallest
        keepsAskedSize = true
        switch gravity {
        case .left: left = 0
        case .right: left = 1
        case .top: above = 0
        case .bottom: above = 1
        case .faces, .largest, .smallest, .face, .attention, .center, .point: break
        }
    }

    /// The smallest bars around a crop of `size`, at both sides alike.
    package init(around size: PixelSize, aspect: AspectRatio) {
        self.size = Self.smallest(around: size, aspect: aspect)
    }

    private static func smallest(around size: PixelSize, aspect: AspectRatio) -> PixelSize {
        if Double(size.width) >= Double(size.height) * aspect.value {
            return PixelSize(width: size.width, height: max(size.height, aspect.height(forWidth: size.width)))
        }
        return PixelSize(width: max(size.width, aspect.width(forHeight: size.height)), height: size.height)
    }

    /// Where the crop lies in a result.
    ///
    /// Where chroma is halved, a sample that crop and bar share would give one of them a fringe. So the crop begins at even
    /// pixels, if it does not end at the edge, and where it is scaled its sides are even. Bars of a hair's breadth would
    /// look like a mistake, so the crop is scaled over them.
    ///
    /// - Parameters:
    ///   - crop: The crop's size in pixels of the image.
    ///   - output: The size of the result.
    ///   - enlarging: Whether the crop may be enlarged.
    /// - Returns: A rectangle inside the result, in its pixels, at least 1 by 1.
    func place(of crop: PixelSize, in output: PixelSize, enlarging: Bool) -> PixelRect {
        let fitting = min(
            Double(output.width) / Double(size.width),
            Double(output.height) / Double(size.height)
        )
        let scale = enlarging ? fitting : min(fitting, 1)
        let width = Self.length(crop.width, scale: scale, in: output.width)
        let height = Self.length(crop.height, scale: scale, in: output.height)
        return PixelRect(
            x: Self.start(slack: output.width - width, share: left),
            y: Self.start(slack: output.height - height, share: above),
            width: width,
            height: height
        )
    }

    private static func length(_ side: Int, scale: Double, in whole: Int) -> Int {
        let scaled = scale == 1 ? side : Int((Double(side) * scale / 2).rounded()) * 2
        let length = min(max(1, scaled), whole)
        return isHair(whole - length, of: whole) ? whole : length
    }

    /// Whether bars are as narrow as rounding may make them: two pixels in all, and a fiftieth of the whole.
    private static func isHair(_ bars: Int, of whole: Int) -> Bool { bars <= 2 && bars * 50 <= whole }

    private static func start(slack: Int, share: Double) -> Int {
        share == 1 ? slack : Int(Double(slack) * share) / 2 * 2
    }
}

extension ResultSize {
    /// The size of a result, and where the crop lies in it.
    ///
    /// - Parameters:
    ///   - frame: The crop, perhaps with bars.
    ///   - aspect: The asked shape.
    /// - Returns: The size, and the crop's place in pixels of the result: all of it where there are no bars.
    package func resolved(for frame: Frame, aspect: AspectRatio?) -> (size: PixelSize, picture: PixelRect) {
        guard let letterbox = frame.letterbox else {
            let size = resolved(for: frame.crop.size, aspect: aspect)
            return (size, PixelRect(size))
        }
        let size =
            letterbox.keepsAskedSize
            ? asked(for: letterbox.size, aspect: aspect) ?? letterbox.size
            : resolved(for: letterbox.size, aspect: aspect)
        return (size, letterbox.place(of: frame.crop.size, in: size, enlarging: allowsEnlargement))
    }
}

extension ObjectPosition {
    /// The position of a frame in an image of the given size.
    ///
    /// It goes with `object-fit: cover` for a crop, and with `object-fit: contain` for a whole image with bars.
    package init(of frame: Frame, in size: PixelSize) {
        if let letterbox = frame.letterbox, frame.crop == PixelRect(size) {
            self.init(x: letterbox.left * 100, y: letterbox.above * 100)
        } else {
            self.init(of: frame.crop, in: size)
        }
    }
}
