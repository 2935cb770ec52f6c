import Geometry

/// A device-independent bitmap of Windows or OS/2: header, masks, palette and rows, in a BMP or ICO file.
///
/// Supports 1, 2, 4, 8, 16, 24 and 32 bits per pixel: uncompressed, with masks, and run-length encoded.
struct Bitmap {
    let size: PixelSize
    private let bytes: [UInt8]
    private let format: InputFormat
    private let isTopDown: Bool
    private let depth: Int
    private let isRunLength: Bool
    private let palette: [Color]
    /// Red, green, blue and alpha of pixels without a palette.
    private let channels: [Channel]
    private let pixels: Int
    private let profile: ICCProfile?

    private typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

    /// Reads the header at an offset of a file.
    ///
    /// If `start`, the offset of the rows, is nil, the rows follow the palette.
    ///
    /// In an icon, the height in the header includes the rows of a mask.
    ///
    /// - Throws: ``CodecError``.
    init(_ bytes: [UInt8], at offset: Int, pixels start: Int? = nil, format: InputFormat) throws(CodecError) {
        let length = bytes.littleEndian(at: offset, bytes: 4) ?? 0
        let isCore = length == 12
        guard length >= 12, length <= bytes.count - offset,
            let width = isCore ? bytes.littleEndian(at: offset + 4, bytes: 2) : bytes.signed(at: offset + 4),
            let lines = isCore ? bytes.littleEndian(at: offset + 6, bytes: 2) : bytes.signed(at: offset + 8),
            let depth = bytes.littleEndian(at: offset + (isCore ? 10 : 14), bytes: 2)
        else { throw .truncated(format) }
        /// A field, or 0 if the header is too short for it.
        func field(_ place: Int) -> Int {
            place + 4 <= length ? bytes.littleEndian(at: offset + place, bytes: 4) ?? 0 : 0
        }
        let rows = format == .ico ? lines.magnitude / 2 : lines.magnitude
        guard width > 0, rows > 0 else { throw .corrupt(format, "its size is not valid") }
        let kind = try Compression(isCore ? 0 : field(16), depth: depth, isOS2: length == 64, format)
        self.bytes = bytes
        self.format = format
        self.depth = depth
        size = PixelSize(width: width, height: Int(rows))
        isTopDown = lines < 0
        isRunLength = kind == .runLength
        var end = offset + length
        var masks = Self.usualMasks(depth, hasAlpha: format == .ico)
        if case .masks(let count) = kind {
            // Masks belong to longer headers, and follow the shortest header that has masks.
            masks = (40..<52).contains(length) ? [] : [field(40), field(44), field(48), length >= 56 ? field(52) : 0]
            if length == 40 {
                masks = (0..<count).map { bytes.littleEndian(at: end + 4 * $0, bytes: 4) ?? 0 }
                end += 4 * count
            }
        }
        channels = try masks.map { (mask) throws(CodecError) in try Channel(mask, format) }
        var colors: [Color] = []
        if depth <= 8 {
            let stated = isCore ? 0 : field(32)
            let (count, bytesEach) = (stated == 0 ? 1 << depth : min(stated, 256), isCore ? 3 : 4)
            for index in 0..<count {
                let place = end + index * bytesEach
                guard place + 3 <= bytes.count else { break }
                colors.append((red: bytes[place + 2], green: bytes[place + 1], blue: bytes[place]))
            }
            end = min(end + count * bytesEach, bytes.count)
        }
        // Indices beyond the palette are black.
        palette = colors + Array(repeating: (red: 0, green: 0, blue: 0), count: 256 - colors.count)
        pixels = start.map { $0 > offset ? $0 : end } ?? end
        profile = Self.profile(bytes, at: offset, length: length)
    }

    private enum Compression: Equatable {
        case none, runLength
        /// The number of masks that follow a header of 40 bytes.
        case masks(Int)

        init(_ number: Int, depth: Int, isOS2: Bool, _ format: InputFormat) throws(CodecError) {
            switch (number, depth) {
            case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32): self = .none
            case (1, 8), (2, 4): self = .runLength
            case (3, 16), (3, 32): self = .masks(3)
            case (6, 16), (6, 32): self = .masks(4)
            default: throw .unsupportedFeature(format, "compression \(number) with \(depth) bits a pixel")
            }
            if isOS2, number > 2 { throw .unsupportedFeature(format, "compression \(number) of OS/2") }
        }
    }

    private static func usualMasks(_ depth: Int, hasAlpha: Bool) -> [Int] {
        if depth == 16 { return [0x7C00, 0x03E0, 0x001F] }
        return [0xFF0000, 0xFF00, 0xFF] + (hasAlpha && depth == 32 ? [0xFF00_0000] : [])
    }

    /// The profile embedded in the file, if the header is of version 5 and refers to one.
    private static func profile(_ bytes: [UInt8], at offset: Int, length: Int) -> ICCProfile? {
        guard length >= 124, bytes.littleEndian(at: offset + 56, bytes: 4) == 0x4D42_4544,
            let place = bytes.littleEndian(at: offset + 112, bytes: 4),
            let count = bytes.littleEndian(at: offset + 116, bytes: 4),
            offset + place <= bytes.count, count <= bytes.count - offset - place
        else { return nil }
        return ICCProfile(bytes[offset + place..<offset + place + count])
    }

    /// The bits of a component.
    private struct Channel {
        let shift: Int
        /// The sample for each value; empty if the component has no bits.
        let samples: [UInt8]

        init(_ mask: Int, _ format: InputFormat) throws(CodecError) {
            let low = mask == 0 ? 0 : mask.trailingZeroBitCount
            let width = (~(mask >> low)).trailingZeroBitCount
            guard mask >> low == (1 << width) - 1 else { throw .corrupt(format, "a mask with gaps") }
            // If a component has more than eight bits, the highest eight are used.
            let kept = min(width, 8)
            shift = low + width - kept
            let largest = max(1, (1 << kept) - 1)
            samples = width == 0 ? [] : (0...largest).map { UInt8(($0 * 255 + largest / 2) / largest) }
        }

        func sample(of pixel: Int) -> UInt8 { samples.isEmpty ? 0 : samples[pixel >> shift & (samples.count - 1)] }
    }

    // MARK: Header

    private var hasAlpha: Bool { format == .ico || (channels.count == 4 && !channels[3].samples.isEmpty && depth > 8) }

    private var rowBytes: Int { (size.width * depth + 31) / 32 * 4 }

    var header: ImageHeader {
        ImageHeader(
            format: format,
            storedSize: size,
            colorModel: .rgb,
            hasAlpha: hasAlpha,
            bitDepth: min(depth, 8),
            costs: [Plane.bytes(size, count: hasAlpha ? 4 : 3)],
            isLossless: true
        )
    }

    // MARK: Pixels

    /// Decodes the image, whose size has been checked.
    ///
    /// Missing rows become white or transparent. If more than half of the rows are missing, the file counts as
    /// truncated.
    func decode(_ limits: DecodeLimits) throws(CodecError) -> PlanarImage {
        let first = isRunLength ? palette[0] : (red: 255, green: 255, blue: 255)
        let colors = [first.red, first.green, first.blue] + (hasAlpha ? [format == .ico ? 255 : 0] : [])
        var planes = try colors.map { (value) throws(CodecError) in try Plane(size, filledWith: value) }
        let rows = isRunLength ? expandRuns(into: planes) : copyRows(into: planes)
        let lost = size.height - rows
        guard lost * 2 <= size.height, lost == 0 || limits.servesDamaged else { throw .truncated(format) }
        for row in rows..<size.height where isRunLength {
            for plane in planes { plane.fill(row: line(row), with: 255) }
        }
        var alpha = hasAlpha ? planes.removeLast() : nil
        if format == .ico, let plane = alpha {
            alpha = try iconAlpha(plane)
        } else if let plane = alpha, plane.isFilled(with: 0) {
            // Some programs do not use the alpha mask and leave all bits 0.
            alpha = nil
        }
        var image = PlanarImage(
            size: size,
            colorModel: .rgb,
            planes: planes,
            alpha: alpha?.unlessOpaque,
            iccProfile: profile
        )
        image.isDamaged = lost > 0
        return image
    }

    /// Returns the image row for a row of the file.
    private func line(_ row: Int) -> Int { isTopDown ? row : size.height - 1 - row }

    /// Writes the complete rows, and returns their number.
    private func copyRows(into planes: [Plane]) -> Int {
        let needed = (size.width * depth + 7) / 8
        let available = max(0, bytes.count - pixels)
        // The last row may lack its padding.
        let rows = available < needed ? 0 : min(size.height, (available - needed) / rowBytes + 1)
        for row in 0..<rows {
            let start = pixels + row * rowBytes
            let offset = line(row)
            if depth <= 8 {
                for x in 0..<size.width {
                    let byte = Int(bytes[start + x * depth / 8])
                    let index = byte >> (8 - depth - x * depth % 8) & ((1 << depth) - 1)
                    set(palette[index], x, offset, planes)
                }
                continue
            }
            let count = depth / 8
            for x in 0..<size.width {
                let place = start + x * count
                var pixel = Int(bytes[place]) | Int(bytes[place + 1]) << 8
                if count > 2 { pixel |= Int(bytes[place + 2]) << 16 }
                if count > 3 { pixel |= Int(bytes[place + 3]) << 24 }
                for (index, plane) in planes.enumerated() where index < channels.count {
                    plane.set(channels[index].sample(of: pixel), x, offset)
                }
            }
        }
        return rows
    }

    private func set(_ color: Color, _ x: Int, _ y: Int, _ planes: [Plane]) {
        planes[0].set(color.red, x, y)
        planes[1].set(color.green, x, y)
        planes[2].set(color.blue, x, y)
    }

    /// Writes runs of pixels, and returns the number of rows before the data end too early.
    private func expandRuns(into planes: [Plane]) -> Int {
        var (x, row, place) = (0, 0, pixels)
        func put(_ index: UInt8) {
            if x < size.width { set(palette[Int(index)], x, line(row), planes) }
            x += 1
        }
        while row < size.height, place >= 0, place + 2 <= bytes.count {
            let (count, value) = (Int(bytes[place]), bytes[place + 1])
            place += 2
            switch (count, value) {
            case (0, 0): (x, row) = (0, row + 1)
            case (0, 1): return size.height
            case (0, 2):
                guard place + 2 <= bytes.count else { return row }
                (x, row) = (x + Int(bytes[place]), row + Int(bytes[place + 1]))
                place += 2
            case (0, _):
                let length = depth == 8 ? Int(value) : (Int(value) + 1) / 2
                guard place + length <= bytes.count else { return row }
                for index in 0..<Int(value) {
                    let byte = bytes[place + (depth == 8 ? index : index / 2)]
                    put(depth == 8 ? byte : index.isMultiple(of: 2) ? byte >> 4 : byte & 15)
                }
                place += (length + 1) / 2 * 2
            default:
                // The part of a run beyond the right edge of the image is not written, however long the run is.
                let visible = min(count, max(0, size.width - x))
                for index in 0..<visible { put(depth == 8 ? value : index.isMultiple(of: 2) ? value >> 4 : value & 15) }
                x += count - visible
            }
        }
        return min(row, size.height)
    }

    /// Returns the alpha of an icon: the alpha of its pixels if any is not 0, otherwise the one-bit mask that follows
    /// the rows.
    private func iconAlpha(_ own: Plane) throws(CodecError) -> Plane {
        if depth == 32, !own.isFilled(with: 0) { return own }
        let start = pixels + rowBytes * size.height
        let maskBytes = (size.width + 31) / 32 * 4
        guard start >= 0, start + maskBytes * size.height <= bytes.count else {
            return try Plane(size, filledWith: 255)
        }
        return try Plane(size) { x, y in
            bytes[start + line(y) * maskBytes + x / 8] >> (7 - x % 8) & 1 == 1 ? 0 : 255
        }
    }
}

extension Plane {
    /// Sets a sample of a plane; only its decoder may call this, before it returns the plane.
    fileprivate func set(_ sample: UInt8, _ x: Int, _ y: Int) {
        precondition(x >= 0 && x < size.width && y >= 0 && y < size.height, "outside the plane")
        base[y * bytesPerRow + x] = sample
    }

    fileprivate func fill(row: Int, with value: UInt8) {
        for x in 0..<size.width { set(value, x, row) }
    }
}
