#if AVIF || HEIC
import CImageCodec
import Geometry

/// The samples of a coded image; they are valid as long as the object exists.
final class CodedSamples {
    let info: hr_heif_info
    let image: hr_heif_image
    private let release: () -> Void

    init(_ info: hr_heif_info, _ image: hr_heif_image, release: @escaping () -> Void) {
        (self.info, self.image, self.release) = (info, image, release)
    }

    deinit { release() }
}

/// Assembles the image of a HEIF file from coded images, which are decoded one after the other.
struct HEIFImageDecoder {
    let items: HEIFItems
    /// Decodes an item of a size, without rotating or cropping it.
    let decodeItem: (_ item: Int, PixelSize) throws(CodecError) -> CodedSamples

    /// The upright image.
    func decode(_ image: HEIFImage) throws(CodecError) -> PlanarImage {
        switch image.content {
        case .layers(let layers, let fill): return try compose(layers, over: fill, image)
        case .tiles(let tiles): return try decode(tiles, of: image)
        }
    }

    private func decode(_ tiles: HEIFImage.Tiles, of image: HEIFImage) throws(CodecError) -> PlanarImage {
        let alpha = try image.alpha.map { (alpha) throws(CodecError) in try plane(of: alpha, image.size) }
        let first = try decodeItem(tiles.items[0], tiles.side)
        let whole = CodedImage(items, image, tile: first.info)
        if tiles.items.count == 1 { return try whole.image(first.image, alpha: alpha) }
        guard whole.dividesNoChroma(tiles: tiles.side) else { return try composeTiles(tiles, alpha, image, whole) }
        let planes = try whole.codedPlanes()
        try place(tiles, first) { (tile, x, y) throws(CodecError) in
            try whole.narrow(tile.image, into: planes, at: (x, y))
        }
        return try whole.image(coded: planes, alpha: alpha)
    }

    /// Calls a function with each tile and its top left pixel.
    private func place(
        _ tiles: HEIFImage.Tiles,
        _ first: CodedSamples,
        _ body: (CodedSamples, _ x: Int, _ y: Int) throws(CodecError) -> Void
    ) throws(CodecError) {
        try body(first, 0, 0)
        for (index, item) in tiles.items.enumerated().dropFirst() {
            let (x, y) = (index % tiles.columns * tiles.side.width, index / tiles.columns * tiles.side.height)
            // A tile outside the image is not needed.
            guard x < tiles.size.width, y < tiles.size.height else { continue }
            let tile = try decodeItem(item, tiles.side)
            guard tile.info.isLike(first.info) else {
                throw .corrupt(items.format, "its tiles differ in size or colours")
            }
            try body(tile, x, y)
        }
    }

    /// Returns the alpha plane of an image of a size; the alpha image may have another size.
    private func plane(of tiles: HEIFImage.Tiles, _ size: PixelSize) throws(CodecError) -> Plane {
        let plane = try Plane(tiles.size, filledWith: 255)
        try place(tiles, try decodeItem(tiles.items[0], tiles.side)) { (tile, x, y) throws(CodecError) in
            // Alpha of HEVC is full range, regardless of the range in the file (ISO/IEC 23008-12, B.2.3).
            let isLimited = items.format.rawValue == "avif" && !tile.info.full_range
            var samples = tile.image.planes.0
            let width = min(tiles.side.width, tiles.size.width - x)
            let height = min(tiles.side.height, tiles.size.height - y)
            let part = plane.cropped(to: PixelRect(x: x, y: y, width: width, height: height))
            part.withTarget { hr_narrow(&samples, isLimited ? HR_LIMITED : HR_FULL, 0, 0, [$0]) }
        }
        if tiles.size == size { return plane }
        let region = FractionalRect(PixelRect(tiles.size))
        return try Resampler.resample(plane, region: region, to: size, filter: .linear)
    }

    // MARK: Red, green and blue

    /// Copies tiles that do not start with whole chroma samples.
    private func composeTiles(
        _ tiles: HEIFImage.Tiles,
        _ alpha: Plane?,
        _ image: HEIFImage,
        _ whole: CodedImage
    ) throws(CodecError) -> PlanarImage {
        let layers = tiles.items.enumerated().map { index, item in
            let one = HEIFImage.Tiles(items: [item], columns: 1, side: tiles.side, size: tiles.side)
            var tile = HEIFImage(.tiles(one), tiles.side)
            tile.colors = image.colors
            return HEIFImage.Layer(
                image: tile,
                x: index % tiles.columns * tiles.side.width,
                y: index / tiles.columns * tiles.side.height
            )
        }
        var canvas = try draw(layers, over: [0, 0, 0, 255], image.size).planes
        if let alpha {
            canvas[3] = alpha
            if image.isPremultiplied { Array(canvas.prefix(3)).unpremultiply(by: alpha) }
        }
        return try finish(canvas, image, whole.iccProfile)
    }

    private func compose(
        _ layers: [HEIFImage.Layer],
        over fill: [UInt8],
        _ image: HEIFImage
    ) throws(CodecError) -> PlanarImage {
        let (canvas, profile) = try draw(layers, over: fill, image.size)
        return try finish(canvas, image, profile)
    }

    /// Draws images over one another, and returns red, green, blue and alpha and the colour space of the first image.
    private func draw(
        _ layers: [HEIFImage.Layer],
        over fill: [UInt8],
        _ size: PixelSize
    ) throws(CodecError) -> (planes: [Plane], profile: ICCProfile?) {
        let canvas = try fill.map { (value) throws(CodecError) in try Plane(size, filledWith: value) }
        var profile: ICCProfile?
        for (index, placed) in layers.enumerated() {
            let whole = placed.image.shownSize
            let shown = PixelRect(x: placed.x, y: placed.y, width: whole.width, height: whole.height)
                .intersection(PixelRect(size))
            guard shown.area > 0 else { continue }
            let image = try decode(placed.image)
            if index == 0 { profile = image.iccProfile }
            let planes = try image.converted(to: .rgb).planes
            let part = PixelRect(
                x: shown.x - placed.x,
                y: shown.y - placed.y,
                width: shown.width,
                height: shown.height
            )
            var layer = planes
            if let alpha = image.alpha {
                layer.append(alpha)
            } else {
                layer.append(try Plane(image.size, filledWith: 255))
            }
            layer.map { $0.cropped(to: part) }.withViews(into: canvas.map { $0.cropped(to: shown) }) { from, to in
                hr_compose_over(from, to)
            }
        }
        return (canvas, profile)
    }

    private func finish(
        _ canvas: [Plane],
        _ image: HEIFImage,
        _ profile: ICCProfile?
    ) throws(CodecError) -> PlanarImage {
        var planes = canvas
        if image.crop != PixelRect(image.size) {
            planes = try canvas.map { (plane) throws(CodecError) in try plane.copied(image.crop) }
        }
        let own = image.profile.flatMap { ICCProfile(items.bytes[$0]) }.flatMap { $0.describes(.rgb) ? $0 : nil }
        return try PlanarImage(decoded: planes, .rgb, hasAlpha: true, iccProfile: own ?? profile)
            .oriented(image.orientation)
    }
}

extension hr_heif_info {
    /// Whether the samples of another tile are of the same kind.
    fileprivate func isLike(_ other: hr_heif_info) -> Bool {
        depth == other.depth && h_shared == other.h_shared && v_shared == other.v_shared && matrix == other.matrix
            && full_range == other.full_range
    }
}

// MARK: Header

extension CodedImage {
    /// An image of tiles.
    ///
    /// - Parameters:
    ///   - items: The file.
    ///   - image: The description from its boxes.
    ///   - tile: The first tile; all tiles have the same kind of samples. Colour properties in the boxes take
    ///     precedence over the tile's.
    init(_ items: HEIFItems, _ image: HEIFImage, tile: hr_heif_info) {
        var info = tile
        (info.width, info.height) = (Int32(image.size.width), Int32(image.size.height))
        (info.x, info.y) = (Int32(image.crop.x), Int32(image.crop.y))
        (info.crop_width, info.crop_height) = (Int32(image.crop.width), Int32(image.crop.height))
        info.orientation = Int32(image.orientation.rawValue)
        info.has_alpha = image.alpha != nil
        info.premultiplied = image.isPremultiplied
        if let colors = image.colors {
            (info.primaries, info.transfer) = (Int32(colors.primaries), Int32(colors.transfer))
            (info.matrix, info.full_range) = (Int32(colors.matrix), colors.isFullRange)
        }
        (info.icc, info.icc_count) = (nil, 0)
        self.init(format: items.format, info: info, profile: image.profile.flatMap { ICCProfile(items.bytes[$0]) })
    }
}

extension ImageHeader {
    /// The header of a HEIF file.
    ///
    /// - Parameters:
    ///   - items: The file.
    ///   - image: The description from its boxes.
    ///   - tile: The properties of its first coded image.
    ///   - cost: Returns the memory in bytes for decoding coded images of a size, with or without alpha.
    /// - Throws: ``CodecError/unsupportedFeature(_:_:)`` for an unknown matrix.
    init(
        _ items: HEIFItems,
        _ image: HEIFImage,
        tile: hr_heif_info,
        cost: (CodedImage, _ hasAlpha: Bool) -> Int
    ) throws(CodecError) {
        let coded = CodedImage(items, image, tile: tile)
        var header = try coded.header()
        let isRGB =
            if case .tiles(let tiles) = image.content {
                tiles.items.count > 1 && !coded.dividesNoChroma(tiles: tiles.side)
            } else {
                true
            }
        let sides = image.largest
        var large = coded
        (large.info.width, large.info.height) = (Int32(sides.width), Int32(sides.height))
        large.info.has_alpha = image.usesAlpha
        // The canvas, its finished copies, and one layer in red, green and blue.
        let canvas = isRGB ? 16 * image.size.area + 4 * sides.area : 0
        let assembled = isRGB ? nil : Self.costOfTiles(image, coded, cost)
        header = ImageHeader(
            format: header.format,
            storedSize: header.storedSize,
            orientation: header.orientation,
            colorModel: isRGB ? .rgb : header.colorModel,
            hasAlpha: image.hasAlpha,
            bitDepth: header.bitDepth,
            isProgressive: false,
            costs: Array(repeating: assembled ?? cost(large, image.usesAlpha) + canvas, count: 8)
        )
        header.colorDescription = coded.info.colorDescription
        header.tileCount = max(image.work.tiles, image.work.alphaTiles)
        self = header
    }

    /// Returns the memory of an image of several tiles; nil for other images.
    ///
    /// The first tile stays in memory while the others are decoded one by one into the planes.
    private static func costOfTiles(
        _ image: HEIFImage,
        _ coded: CodedImage,
        _ cost: (CodedImage, _ hasAlpha: Bool) -> Int
    ) -> Int? {
        guard case .tiles(let tiles) = image.content, tiles.items.count > 1 else { return nil }
        func one(_ side: PixelSize) -> Int {
            var tile = coded
            (tile.info.width, tile.info.height) = (Int32(side.width), Int32(side.height))
            tile.info.has_alpha = false
            return cost(tile, false)
        }
        // Alpha is decoded first, at its own size.
        let sides = [tiles.side] + (image.alpha.map { [$0.side] } ?? [])
        let alpha = image.alpha.map { Plane.bytes($0.size, count: 1) } ?? 0
        return 2 * (sides.map(one).max() ?? 0) + coded.assembledBytes + alpha
    }
}

extension HEIFImage {
    /// The maximum width and height of all images that are decoded for the image.
    fileprivate var largest: PixelSize {
        var sizes = [size] + (alpha.map { [$0.size, $0.side] } ?? [])
        switch content {
        case .tiles(let tiles): sizes.append(tiles.side)
        case .layers(let layers, _): sizes += layers.map(\.image.largest)
        }
        return PixelSize(width: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1)
    }

    /// Whether alpha is decoded for the image.
    fileprivate var usesAlpha: Bool {
        if alpha != nil { return true }
        guard case .layers(let layers, _) = content else { return false }
        return layers.contains { $0.image.usesAlpha }
    }
}
#endif
