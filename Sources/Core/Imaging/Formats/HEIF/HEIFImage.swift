#if AVIF || HEIC
import Geometry

/// The visible content of the primary item of a HEIF file, from its boxes (ISO/IEC 23008-12).
struct HEIFImage {
    /// Coded images of equal size that together cover an image, row by row from the top left (6.6.2.3), or a single
    /// coded image.
    ///
    /// They may extend beyond the right and lower edges of the image.
    struct Tiles {
        var items: [Int]
        var columns: Int
        /// The size of each coded image.
        var side: PixelSize
        /// The size of the whole image.
        var size: PixelSize
    }

    /// An image on a canvas.
    struct Layer {
        var image: HEIFImage
        /// The position of its top left pixel on the canvas.
        var x, y: Int
    }

    enum Content {
        case tiles(Tiles)
        /// Images that are drawn over one another (6.6.2.2), in red, green, blue and alpha.
        indirect case layers([Layer], fill: [UInt8])
    }

    var content: Content
    /// The size before crop and orientation.
    var size: PixelSize
    var crop: PixelRect
    var orientation = Orientation.up
    var alpha: Tiles?
    /// Whether colours are multiplied by alpha.
    var isPremultiplied = false
    /// The code points of the boxes.
    var colors: ColorDescription?
    /// The place of the ICC profile.
    var profile: Range<Int>?
    /// The work of decoding.
    var work = Work()
    /// The number of derivation steps to the coded images.
    var derivations = 0

    /// Sums over coded images; each image counts once per use.
    struct Work {
        /// Tiles of colours, and tiles of alpha.
        var tiles = 0, alphaTiles = 0
        var pixels = 0, alphaPixels = 0
        /// Bytes of colours and alpha.
        var bytes = 0

        static func + (first: Work, second: Work) -> Work {
            Work(
                tiles: first.tiles + second.tiles,
                alphaTiles: first.alphaTiles + second.alphaTiles,
                pixels: first.pixels + second.pixels,
                alphaPixels: first.alphaPixels + second.alphaPixels,
                bytes: first.bytes + second.bytes
            )
        }
    }

    init(_ content: Content, _ size: PixelSize) {
        self.content = content
        self.size = size
        crop = PixelRect(size)
    }

    /// The first coded image.
    var firstItem: Int {
        switch content {
        case .tiles(let tiles): tiles.items[0]
        case .layers(let layers, _): layers[0].image.firstItem
        }
    }

    /// The size of the first coded image.
    var firstSize: PixelSize {
        switch content {
        case .tiles(let tiles): tiles.side
        case .layers(let layers, _): layers[0].image.firstSize
        }
    }

    /// Whether some pixels may be transparent.
    var hasAlpha: Bool {
        switch content {
        case .tiles: alpha != nil
        case .layers(_, let fill): fill[3] < 255
        }
    }

    /// The size after crop and orientation.
    var shownSize: PixelSize { orientation.upright(crop.size) }

    private var isUnchanged: Bool { crop == PixelRect(size) && orientation == .up }

    /// Whether the image is a single coded image without transformations.
    var isPlain: Bool {
        guard case .tiles(let tiles) = content else { return false }
        return tiles.items.count == 1 && tiles.side == size && isUnchanged
    }

    /// Whether alpha may be added; alpha has the size of coded images, so these must not be cropped or rotated yet.
    var takesAlpha: Bool {
        guard case .tiles = content else { return false }
        return isUnchanged
    }
}
#endif
