#if AVIF || HEIC
import CImageCodec
import Geometry

/// The samples of a coded picture; they live as long as the object.
final class CodedSamples {
    let info: hr_heif_info
    let picture: hr_heif_picture
    private let release: () -> Void

    init(_ info: hr_heif_info, _ picture: hr_heif_picture, release: @escaping () -> Void) {
        (self.info, self.picture, self.release) = (info, picture, release)
    }

    deinit { release() }
}

/// Puts the picture of a HEIF file together from coded pictures, which are decoded one after the other.
struct HEIFPictureDecoder {
    let items: HEIFItems
    /// Decodes an item of a size, without turning or cropping it.
    let decodeItem: (_ item: Int, PixelSize) throws(CodecError) -> CodedSamples

    /// The upright picture.
    func decode(_ picture: HEIFPicture) throws(CodecError) -> PlanarImage {
        switch picture.content {
        case .layers(let layers, let fill): return try compose(layers, over: fill, picture)
        case .tiles(let tiles): return try decode(tiles, of: picture)
        }
    }

    private func decode(_ tiles: HEIFPicture.Tiles, of picture: HEIFPicture) throws(CodecError) -> PlanarImage {
        let alpha = try picture.alpha.map { (alpha) throws(CodecError) in try plane(of: alpha, picture.size) }
        let first = try decodeItem(tiles.items[0], tiles.side)
        let whole = CodedPicture(items, picture, tile: first.info)
        if tiles.items.count == 1 { return try whole.image(first.picture, alpha: alpha) }
        guard whole.dividesNoChroma(tiles: tiles.side) else { return try composeTiles(tiles, alpha, picture, whole) }
        let planes = try whole.codedPlanes()
        try place(tiles, first) { (tile, x, y) throws(CodecError) in
            try whole.narrow(tile.picture, into: planes, at: (x, y))
        }
        return try whole.image(coded: planes, alpha: alpha)
    }

    /// Calls a function with each tile and its top left pixel.
    private func place(
        _ tiles: HEIFPicture.Tiles,
        _ first: CodedSamples,
        _ body: (CodedSamples, _ x: Int, _ y: Int) throws(CodecError) -> Void
    ) throws(CodecError) {
        try body(first, 0, 0)
        for (index, item) in tiles.items.enumerated().dropFirst() {
            let (x, y) = (index % tiles.columns * tiles.side.width, index / tiles.columns * tiles.side.height)
            // A tile outside of the picture is not needed.
            guard x < tiles.size.width, y < tiles.size.height else { continue }
            let tile = try decodeItem(item, tiles.side)
            guard tile.info.isLike(first.info) else {
                throw .corrupt(items.format, "its tiles differ in size or colours")
            }
            try body(tile, x, y)
        }
    }

    /// The alpha of a picture of a size, whose own size may differ.
    private func plane(of tiles: HEIFPicture.Tiles, _ size: PixelSize) throws(CodecError) -> Plane {
        let plane = try Plane(tiles.size, filledWith: 255)
        try place(tiles, try decodeItem(tiles.items[0], tiles.side)) { (tile, x, y) throws(CodecError) in
            // Alpha of HEVC is full range, whatever its encoder wrote (ISO/IEC 23008-12, B.2.3).
            let isLimited = items.format.rawValue == "avif" && !tile.info.full_range
            var samples = tile.picture.planes.0
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

    /// Tiles that do not begin with whole chroma samples.
    private func composeTiles(
        _ tiles: HEIFPicture.Tiles,
        _ alpha: Plane?,
        _ picture: HEIFPicture,
        _ whole: CodedPicture
    ) throws(CodecError) -> PlanarImage {
        let layers = tiles.items.enumerated().map { index, item in
            let one = HEIFPicture.Tiles(items: [item], columns: 1, side: tiles.side, size: tiles.side)
            var tile = HEIFPicture(.tiles(one), tiles.side)
            tile.colors = picture.colors
            return HEIFPicture.Layer(
                picture: tile,
                x: index % tiles.columns * tiles.side.width,
                y: index / tiles.columns * tiles.side.height
            )
        }
        var canvas = try draw(layers, over: [0, 0, 0, 255], picture.size).planes
        if let alpha {
            canvas[3] = alpha
            if picture.isPremultiplied { Array(canvas.prefix(3)).unpremultiply(by: alpha) }
        }
        return try finish(canvas, picture, whole.iccProfile)
    }

    private func compose(
        _ layers: [HEIFPicture.Layer],
        over fill: [UInt8],
        _ picture: HEIFPicture
    ) throws(CodecError) -> PlanarImage {
        let (canvas, profile) = try draw(layers, over: fill, picture.size)
        return try finish(canvas, picture, profile)
    }

    /// Red, green, blue and alpha of pictures one over the other, and the colour space of the first one.
    private func draw(
        _ layers: [HEIFPicture.Layer],
        over fill: [UInt8],
        _ size: PixelSize
    ) throws(CodecError) -> (planes: [Plane], profile: ICCProfile?) {
        let canvas = try fill.map { (value) throws(CodecError) in try Plane(size, filledWith: value) }
        var profile: ICCProfile?
        for (index, placed) in layers.enumerated() {
            let whole = placed.picture.shownSize
            let shown = PixelRect(x: placed.x, y: placed.y, width: whole.width, height: whole.height)
                .intersection(PixelRect(size))
            guard shown.area > 0 else { continue }
            let image = try decode(placed.picture)
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
        _ picture: HEIFPicture,
        _ profile: ICCProfile?
    ) throws(CodecError) -> PlanarImage {
        var planes = canvas
        if picture.crop != PixelRect(picture.size) {
            planes = try canvas.map { (plane) throws(CodecError) in try plane.copied(picture.crop) }
        }
        let own = picture.profile.flatMap { ICCProfile(items.bytes[$0]) }.flatMap { $0.describes(.rgb) ? $0 : nil }
        return try PlanarImage(decoded: planes, .rgb, hasAlpha: true, iccProfile: own ?? profile)
            .oriented(picture.orientation)
    }
}

extension hr_heif_info {
    /// Whether the samples of another tile have the same kind.
    fileprivate func isLike(_ other: hr_heif_info) -> Bool {
        depth == other.depth && h_shared == other.h_shared && v_shared == other.v_shared && matrix == other.matrix
            && full_range == other.full_range
    }
}

// MARK: Header

extension CodedPicture {
    /// A picture of tiles.
    ///
    /// - Parameters:
    ///   - items: The file.
    ///   - picture: What its boxes describe.
    ///   - tile: The first tile; all have the same kind of samples. The colours of the boxes take precedence.
    init(_ items: HEIFItems, _ picture: HEIFPicture, tile: hr_heif_info) {
        var info = tile
        (info.width, info.height) = (Int32(picture.size.width), Int32(picture.size.height))
        (info.x, info.y) = (Int32(picture.crop.x), Int32(picture.crop.y))
        (info.crop_width, info.crop_height) = (Int32(picture.crop.width), Int32(picture.crop.height))
        info.orientation = Int32(picture.orientation.rawValue)
        info.has_alpha = picture.alpha != nil
        info.premultiplied = picture.isPremultiplied
        if let colors = picture.colors {
            (info.primaries, info.transfer) = (Int32(colors.primaries), Int32(colors.transfer))
            (info.matrix, info.full_range) = (Int32(colors.matrix), colors.isFullRange)
        }
        (info.icc, info.icc_count) = (nil, 0)
        self.init(format: items.format, info: info, profile: picture.profile.flatMap { ICCProfile(items.bytes[$0]) })
    }
}

extension ImageHeader {
    /// The header of a HEIF file.
    ///
    /// - Parameters:
    ///   - items: The file.
    ///   - picture: What its boxes describe.
    ///   - tile: The properties of its first coded picture.
    ///   - cost: The memory in bytes for decoding coded pictures of a size, of which one is alpha or not.
    /// - Throws: ``CodecError/unsupportedFeature(_:_:)`` for an unknown matrix.
    init(
        _ items: HEIFItems,
        _ picture: HEIFPicture,
        tile: hr_heif_info,
        cost: (CodedPicture, _ hasAlpha: Bool) -> Int
    ) throws(CodecError) {
        let coded = CodedPicture(items, picture, tile: tile)
        var header = try coded.header()
        let isRGB =
            if case .tiles(let tiles) = picture.content {
                tiles.items.count > 1 && !coded.dividesNoChroma(tiles: tiles.side)
            } else {
                true
            }
        let sides = picture.largest
        var large = coded
        (large.info.width, large.info.height) = (Int32(sides.width), Int32(sides.height))
        large.info.has_alpha = picture.usesAlpha
        // A canvas, its finished copies, and a layer in red, green and blue.
        let canvas = isRGB ? 16 * picture.size.area + 4 * sides.area : 0
        let assembled = isRGB ? nil : Self.costOfTiles(picture, coded, cost)
        header = ImageHeader(
            format: header.format,
            storedSize: header.storedSize,
            orientation: header.orientation,
            colorModel: isRGB ? .rgb : header.colorModel,
            hasAlpha: picture.hasAlpha,
            bitDepth: header.bitDepth,
            isProgressive: false,
            costs: Array(repeating: assembled ?? cost(large, picture.usesAlpha) + canvas, count: 8)
        )
        header.colorDescription = coded.info.colorDescription
        header.tileCount = max(picture.work.tiles, picture.work.alphaTiles)
        self = header
    }

    /// The memory of a picture of several tiles; nil for another picture.
    ///
    /// The first tile stays while the others are decoded one by one, each into its place.
    private static func costOfTiles(
        _ picture: HEIFPicture,
        _ coded: CodedPicture,
        _ cost: (CodedPicture, _ hasAlpha: Bool) -> Int
    ) -> Int? {
        guard case .tiles(let tiles) = picture.content, tiles.items.count > 1 else { return nil }
        func one(_ side: PixelSize) -> Int {
            var tile = coded
            (tile.info.width, tile.info.height) = (Int32(side.width), Int32(side.height))
            tile.info.has_alpha = false
            return cost(tile, false)
        }
        // Alpha is decoded before, at its own size.
        let sides = [tiles.side] + (picture.alpha.map { [$0.side] } ?? [])
        let alpha = picture.alpha.map { Plane.bytes($0.size, count: 1) } ?? 0
        return 2 * (sides.map(one).max() ?? 0) + coded.assembledBytes + alpha
    }
}

extension HEIFPicture {
    /// The longest sides of anything that is decoded for it.
    fileprivate var largest: PixelSize {
        var sizes = [size] + (alpha.map { [$0.size, $0.side] } ?? [])
        switch content {
        case .tiles(let tiles): sizes.append(tiles.side)
        case .layers(let layers, _): sizes += layers.map(\.picture.largest)
        }
        return PixelSize(width: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1)
    }

    /// Whether alpha is decoded for it.
    fileprivate var usesAlpha: Bool {
        if alpha != nil { return true }
        guard case .layers(let layers, _) = content else { return false }
        return layers.contains { $0.picture.usesAlpha }
    }
}
#endif
