#if AVIF || HEIC
import Geometry

extension HEIFItems {
    /// The type of coded images of the format.
    private var codedType: BoxType { format.rawValue == "avif" ? "av01" : "hvc1" }

    /// Returns the image to show.
    ///
    /// Items that the image does not need, and references to them, are ignored.
    ///
    /// - Throws: ``CodecError``.
    func image() throws(CodecError) -> HEIFImage {
        var known = Known()
        var image = try image(of: shown, depth: 0, &known)
        if image.orientation == .up { image.orientation = orientation(of: shown) }
        let work = image.work
        guard max(work.pixels, work.alphaPixels) <= 4 * image.size.area + 4 << 20 else {
            throw .corrupt(format, "its tiles have many more pixels than the image")
        }
        return image
    }

    /// A cache of items that were already read; derived images may refer to one item many times.
    private struct Known {
        var images: [Int: HEIFImage] = [:]
        /// Items of alpha; nil for items that are not images.
        var alphas: [Int: HEIFImage.Tiles?] = [:]
    }

    private func image(of number: Int, depth: Int, _ known: inout Known) throws(CodecError) -> HEIFImage {
        let image: HEIFImage
        if let before = known.images[number] {
            image = before
        } else {
            guard depth <= Limit.derivations else {
                throw .corrupt(format, "its images are derived from each other too deeply")
            }
            image = try describe(number, depth: depth, &known)
            known.images[number] = image
        }
        guard depth + image.derivations <= Limit.derivations else {
            throw .corrupt(format, "its images are derived from each other too deeply")
        }
        return image
    }

    private func describe(_ number: Int, depth: Int, _ known: inout Known) throws(CodecError) -> HEIFImage {
        guard let item = items[number] else { throw .corrupt(format, "an item of its image is missing") }
        var image: HEIFImage
        switch item.type {
        case codedType:
            guard let size = try extent(of: item) else {
                throw .corrupt(format, "a coded image does not state its size")
            }
            image = HEIFImage(.tiles(HEIFImage.Tiles(items: [number], columns: 1, side: size, size: size)), size)
            image.work = HEIFImage.Work(tiles: 1, pixels: size.area, bytes: min(item.count, bytes.count))
        case "grid", "iovl", "iden":
            guard !item.sources.isEmpty else { throw .corrupt(format, "an image is derived from nothing") }
            let sources = try sources(of: item, depth: depth, &known)
            switch item.type {
            case "grid": image = try grid(number, sources)
            case "iovl": image = try overlay(number, sources)
            default: image = sources[0]
            }
            image.work = try sum(sources)
            image.derivations = 1 + (sources.map(\.derivations).max() ?? 0)
        default:
            let coding = format.rawValue == "avif" ? "AV1" : "HEVC"
            throw .unsupportedFeature(format, "its image is not coded with \(coding)")
        }
        readColors(of: item, into: &image)
        if image.takesAlpha, let alpha = item.alpha, let tiles = try alphaTiles(alpha, image.size, &known) {
            image.alpha = tiles
            image.isPremultiplied = item.premultiplier == alpha
            image.work.alphaTiles += tiles.items.count
            image.work.alphaPixels += tiles.items.count * tiles.side.area
            for tile in tiles.items { image.work.bytes += min(items[tile]?.count ?? 0, bytes.count) }
            try check(image.work)
        }
        transform(&image, by: item)
        return image
    }

    /// Returns the source images of a derived image; an identity has one source.
    private func sources(
        of item: Item,
        depth: Int,
        _ known: inout Known
    ) throws(CodecError) -> [HEIFImage] {
        var sources: [HEIFImage] = []
        for source in item.type == "iden" ? item.sources.prefix(1) : item.sources[...] {
            sources.append(try image(of: source, depth: depth + 1, &known))
        }
        return sources
    }

    private func sum(_ sources: [HEIFImage]) throws(CodecError) -> HEIFImage.Work {
        let work = sources.reduce(HEIFImage.Work()) { $0 + $1.work }
        try check(work)
        return work
    }

    private func check(_ work: HEIFImage.Work) throws(CodecError) { try checkRepetition(work.bytes) }

    /// Returns the size in the properties of an item (6.5.3).
    private func extent(of item: Item) throws(CodecError) -> PixelSize? {
        guard let content = item.first("ispe"), let width = boxes.number(in: content.dropFirst(4), bytes: 4),
            let height = boxes.number(in: content.dropFirst(8), bytes: 4)
        else { return nil }
        return try checked(width, height)
    }

    private func checked(_ width: Int, _ height: Int) throws(CodecError) -> PixelSize {
        guard width > 0, height > 0 else { throw .corrupt(format, "its size is not valid") }
        let size = PixelSize(width: width, height: height)
        guard size.longSide <= Limit.side else { throw .tooLarge(size, limit: .side(Limit.side)) }
        return size
    }

    // MARK: Derived images

    /// Returns the number of rows and columns and the size of a grid; nil if its data are invalid.
    private func shape(of item: Int) throws(CodecError) -> (rows: Int, columns: Int, size: PixelSize)? {
        let data = try head(of: item, 12)
        var reader = BoxReader(Boxes(bytes: data), 0..<data.count)
        guard reader.next(1) != nil, let flags = reader.next(1), let rows = reader.next(1),
            let columns = reader.next(1),
            let width = reader.next(flags & 1 == 0 ? 2 : 4), let height = reader.next(flags & 1 == 0 ? 2 : 4)
        else { return nil }
        return (rows + 1, columns + 1, try checked(width, height))
    }

    private func grid(_ number: Int, _ cells: [HEIFImage]) throws(CodecError) -> HEIFImage {
        guard let (rows, columns, size) = try shape(of: number), cells.count == rows * columns else {
            throw .corrupt(format, "its grid does not have the stated number of tiles")
        }
        let side = cells[0].shownSize
        guard cells.allSatisfy({ $0.shownSize == side }) else {
            throw .corrupt(format, "its tiles differ in size or colours")
        }
        guard side.width * columns >= size.width, side.height * rows >= size.height else {
            throw .corrupt(format, "its tiles do not cover the image")
        }
        var image: HEIFImage
        if cells.allSatisfy(\.isPlain) {
            let tiles = HEIFImage.Tiles(items: cells.map(\.firstItem), columns: columns, side: side, size: size)
            image = HEIFImage(.tiles(tiles), size)
            // A grid may have no alpha item, but alpha in each of its tiles (ISO/IEC 23000-22, 7.3.5.2).
            let alphas = cells.compactMap { $0.alpha.flatMap { $0.items.count == 1 && $0.side == side ? $0 : nil } }
            if alphas.count == cells.count {
                image.alpha = HEIFImage.Tiles(
                    items: alphas.map { $0.items[0] },
                    columns: columns,
                    side: side,
                    size: size
                )
                image.isPremultiplied = cells[0].isPremultiplied
            }
        } else {
            let isOpaque = cells.allSatisfy { !$0.hasAlpha }
            image = HEIFImage(.layers(placed(cells, side, columns), fill: [0, 0, 0, isOpaque ? 255 : 0]), size)
        }
        (image.colors, image.profile) = (cells[0].colors, cells[0].profile)
        return image
    }

    private func placed(_ cells: [HEIFImage], _ side: PixelSize, _ columns: Int) -> [HEIFImage.Layer] {
        cells.enumerated().map { index, cell in
            HEIFImage.Layer(image: cell, x: index % columns * side.width, y: index / columns * side.height)
        }
    }

    private func overlay(_ number: Int, _ sources: [HEIFImage]) throws(CodecError) -> HEIFImage {
        let data = try head(of: number, 18 + 8 * sources.count)
        var reader = BoxReader(Boxes(bytes: data), 0..<data.count)
        guard reader.next(1) != nil, let flags = reader.next(1) else { throw .truncated(format) }
        let fieldBytes = flags & 1 == 0 ? 2 : 4
        let fill = (0..<4).compactMap { _ in reader.next(2).map { UInt8(truncatingIfNeeded: $0 >> 8) } }
        guard fill.count == 4, let width = reader.next(fieldBytes), let height = reader.next(fieldBytes) else {
            throw .truncated(format)
        }
        let size = try checked(width, height)
        var layers: [HEIFImage.Layer] = []
        for source in sources {
            guard let x = reader.next(fieldBytes), let y = reader.next(fieldBytes) else { throw .truncated(format) }
            let sign = 1 << (8 * fieldBytes - 1)
            layers.append(HEIFImage.Layer(image: source, x: (x ^ sign) - sign, y: (y ^ sign) - sign))
        }
        var image = HEIFImage(.layers(layers, fill: fill), size)
        (image.colors, image.profile) = (sources[0].colors, sources[0].profile)
        return image
    }

    /// Returns the tiles of an alpha item for an image of a size; nil if the item is not a supported image.
    private func alphaTiles(
        _ number: Int,
        _ whole: PixelSize,
        _ known: inout Known
    ) throws(CodecError) -> HEIFImage.Tiles? {
        if let before = known.alphas[number] { return before }
        let tiles = try readAlphaTiles(number, whole)
        known.alphas[number] = .some(tiles)
        return tiles
    }

    private func readAlphaTiles(_ number: Int, _ whole: PixelSize) throws(CodecError) -> HEIFImage.Tiles? {
        guard let item = items[number] else { return nil }
        if item.type == codedType {
            // Some AVIF encoders omit the extent.
            let size = try extent(of: item) ?? whole
            return HEIFImage.Tiles(items: [number], columns: 1, side: size, size: size)
        }
        guard item.type == "grid", let (rows, columns, size) = try shape(of: number),
            item.sources.count == rows * columns, let first = items[item.sources[0]], let side = try extent(of: first),
            side.width * columns >= size.width, side.height * rows >= size.height
        else { return nil }
        for source in item.sources {
            guard let tile = items[source], tile.type == codedType, try extent(of: tile) == side else { return nil }
        }
        return HEIFImage.Tiles(items: item.sources, columns: columns, side: side, size: size)
    }

    // MARK: Properties

    private func readColors(of item: Item, into image: inout HEIFImage) {
        var (hasColors, hasProfile) = (false, false)
        for property in item.properties where property.type == "colr" {
            var reader = BoxReader(boxes, property.content)
            switch reader.next(4).map(BoxType.init) {
            case "nclx":
                guard !hasColors, let primaries = reader.next(2), let transfer = reader.next(2),
                    let matrix = reader.next(2), let range = reader.next(1)
                else { continue }
                hasColors = true
                image.colors = ColorDescription(
                    primaries: UInt16(primaries),
                    transfer: UInt16(transfer),
                    matrix: UInt16(matrix),
                    isFullRange: range & 0x80 != 0
                )
            case "prof", "rICC":
                guard !hasProfile else { continue }
                hasProfile = true
                image.profile = reader.rest
            default: continue
            }
        }
    }

    /// Applies crops, rotations and mirrors in their listed order (6.5.9, 6.5.10, 6.5.12).
    private func transform(_ image: inout HEIFImage, by item: Item) {
        for property in item.properties {
            let value = (boxes.number(in: property.content, bytes: 1) ?? 0)
            switch property.type {
            case "clap":
                let orientation = image.orientation
                let shown = orientation.upright(image.crop.size)
                guard let part = aperture(property.content, of: shown) else { continue }
                let stored = orientation.inverse.upright(part, in: shown)
                image.crop = PixelRect(
                    x: image.crop.x + stored.x,
                    y: image.crop.y + stored.y,
                    width: stored.width,
                    height: stored.height
                )
            case "irot": image.orientation = image.orientation.turned(clockwise: -(value & 3))
            case "imir":
                // 1 exchanges left and right. 0 exchanges top and bottom, which equals an exchange of left and right
                // with a rotation by 180°.
                let mirrored = image.orientation.mirrored
                image.orientation = value & 1 == 1 ? mirrored : mirrored.turned(clockwise: 2)
            default: continue
            }
        }
    }

    /// The clean aperture in whole pixels (ISO/IEC 14496-12, 12.1.4); nil if it is not inside the image.
    private func aperture(_ content: Range<Int>, of size: PixelSize) -> PixelRect? {
        var reader = BoxReader(boxes, content)
        func next(isSigned: Bool) -> Double? {
            guard let over = reader.next(4), let under = reader.next(4), under != 0 else { return nil }
            func value(_ bits: Int) -> Double {
                isSigned ? Double(Int32(truncatingIfNeeded: bits)) : Double(bits)
            }
            return value(over) / value(under)
        }
        guard let width = next(isSigned: false), let height = next(isSigned: false), let right = next(isSigned: true),
            let below = next(isSigned: true)
        else { return nil }
        let x = (Double(size.width) - width) / 2 + right
        let y = (Double(size.height) - height) / 2 + below
        guard x > -1, y > -1, width >= 1, height >= 1, x + width < Double(size.width + 1),
            y + height < Double(size.height + 1)
        else { return nil }
        let left = min(Int((max(0, x)).rounded()), size.width - 1)
        let top = min(Int((max(0, y)).rounded()), size.height - 1)
        return PixelRect(
            x: left,
            y: top,
            width: min(Int(width.rounded()), size.width - left),
            height: min(Int(height.rounded()), size.height - top)
        )
    }
}

extension Orientation {
    /// The transformation from upright to stored pixels.
    fileprivate var inverse: Orientation {
        switch self {
        case .left: .right
        case .right: .left
        default: self
        }
    }

    /// The rotation clockwise in steps of 90°, and whether left and right are exchanged afterwards.
    private var parts: (quarters: Int, isMirrored: Bool) {
        switch self {
        case .up: (0, false)
        case .right: (1, false)
        case .down: (2, false)
        case .left: (3, false)
        case .upMirrored: (0, true)
        case .leftMirrored: (1, true)
        case .downMirrored: (2, true)
        case .rightMirrored: (3, true)
        }
    }

    /// This transformation, followed by rotations of 90°.
    fileprivate func turned(clockwise quarters: Int) -> Orientation {
        let parts = parts
        // After a mirror, rotations are reversed.
        let sum = parts.isMirrored ? parts.quarters - quarters : parts.quarters + quarters
        return Orientation(quarters: sum, mirrorsColumns: parts.isMirrored)
    }

    /// This transformation, followed by an exchange of left and right.
    fileprivate var mirrored: Orientation {
        let parts = parts
        return Orientation(quarters: parts.quarters, mirrorsColumns: !parts.isMirrored)
    }
}
#endif
