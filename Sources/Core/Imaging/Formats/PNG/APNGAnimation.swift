import Geometry

/// The frames of an animated PNG, found one after the other (PNG, third edition, 11.3.6).
struct APNGAnimation: StoredAnimation {
    let canvas: PixelSize
    let plays: Int
    let start: Int
    /// The chunks that every frame needs: IHDR, whose size is replaced, and PLTE and tRNS, unchanged.
    private let header: Range<Int>
    private let shared: [Range<Int>]
    private let bytes: [UInt8]
    private let limits: DecodeLimits

    /// Creates the animation of a file; nil if no acTL chunk precedes the first image, so that the file is not
    /// animated.
    init?(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) {
        var (plays, header, start): (Int?, Range<Int>?, Int?) = (nil, nil, nil)
        var shared: [Range<Int>] = []
        for chunk in PNGChunks(bytes[...]) {
            switch chunk.kind {
            case .ihdr: header = chunk.data
            // Longer chunks are invalid, and libpng ignores them too.
            case .plte where chunk.data.count <= 768, .trns where chunk.data.count <= 256: shared.append(chunk.whole)
            case .actl where chunk.data.count >= 8:
                plays = PNGChunks.number(in: bytes[...], at: chunk.data.lowerBound + 4)
            case .fctl, .idat: start = chunk.whole.lowerBound
            default: break
            }
            if start != nil { break }
        }
        guard let plays, let header, header.count == 13, let start, shared.count <= 2 else { return nil }
        self.plays = min(plays, Int(Int32.max))
        self.header = header
        self.shared = shared
        self.start = start
        self.bytes = bytes
        self.limits = limits
        canvas = PixelSize(
            width: PNGChunks.number(in: bytes[...], at: header.lowerBound),
            height: PNGChunks.number(in: bytes[...], at: header.lowerBound + 4)
        )
    }

    func frame(from offset: Int) -> StoredFrame? {
        var frame: StoredFrame?
        for chunk in PNGChunks(bytes[...], from: offset) {
            switch chunk.kind {
            case .fctl:
                if let frame { return frame.data.isEmpty ? nil : frame }
                frame = control(chunk.data)
                guard frame != nil else { return nil }
            // An image without a preceding control chunk is for viewers without animation support.
            case .idat: frame?.data.append(chunk.data)
            case .fdat where chunk.data.count > 4: frame?.data.append(chunk.data.dropFirst(4))
            case .iend: return frame.flatMap { $0.data.isEmpty ? nil : $0 }
            default: break
            }
            frame?.next = chunk.whole.upperBound
        }
        return frame.flatMap { $0.data.isEmpty ? nil : $0 }
    }

    private func control(_ data: Range<Int>) -> StoredFrame? {
        guard data.count >= 26 else { return nil }
        func number(_ place: Int, bytes count: Int = 4) -> Int {
            PNGChunks.number(in: bytes[...], at: data.lowerBound + place, bytes: count)
        }
        let rect = PixelRect(x: number(12), y: number(16), width: number(4), height: number(8))
        guard rect.width > 0, rect.height > 0, PixelRect(canvas).contains(rect) else { return nil }
        let (numerator, denominator) = (number(20, bytes: 2), number(22, bytes: 2))
        let disposal: FrameCanvas.Disposal =
            switch number(24, bytes: 1) {
            case 1: .clear
            case 2: .restore
            default: .keep
            }
        return StoredFrame(
            rect: rect,
            // The denominator 0 means hundredths of a second.
            milliseconds: Int((Double(numerator) * 1000 / Double(denominator == 0 ? 100 : denominator)).rounded()),
            disposal: disposal,
            blending: number(25, bytes: 1) == 0 ? .replace : .over
        )
    }

    /// A frame as a separate PNG file, with invalid checksums.
    private func file(of frame: StoredFrame) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        func append(_ type: String, _ data: ArraySlice<UInt8>) {
            file += PNGChunks.number(UInt32(truncatingIfNeeded: data.count))
            file += type.utf8
            file += data
            file += [0, 0, 0, 0]
        }
        let sides = [frame.rect.width, frame.rect.height].flatMap { PNGChunks.number(UInt32(truncatingIfNeeded: $0)) }
        append("IHDR", sides + bytes[header].dropFirst(8))
        for chunk in shared { file += bytes[chunk] }
        for data in frame.data { append("IDAT", bytes[data]) }
        append("IEND", [])
        return file
    }

    /// The animation; nil if there are fewer than two frames, or if the canvas is too large to decode.
    func info(header: ImageHeader) -> AnimationInfo? {
        guard canvas.longSide < 1 << 20, canvas == header.storedSize else { return nil }
        // The canvas, the planes of a frame before and after their conversion, and its file.
        let frame = header.decodedBytes(atScale: .full) + Plane.bytes(canvas, count: 4)
        return info(bytes: FrameCanvas.bytes(canvas) + frame + bytes.count)
    }

    func planes(of frame: StoredFrame) throws(CodecError) -> [Plane] {
        let image = try PNGDecoder.decode(file(of: frame), limits, ignoresChecksums: true)
        guard image.size == frame.rect.size else { throw .corrupt(.png, "a frame of another size") }
        let colors = image.colorModel == .gray ? Array(repeating: image.planes[0], count: 3) : image.planes
        if let alpha = image.alpha { return colors + [alpha] }
        return colors + [try Plane(image.size, filledWith: 255)]
    }

    static func frames(
        _ bytes: [UInt8],
        _ header: ImageHeader,
        _ limits: DecodeLimits
    ) throws(CodecError) -> any FrameStream {
        guard let animation = APNGAnimation(bytes, limits: limits) else { throw .corrupt(.png, "it has no animation") }
        return try StoredFrames(animation, header.orientation, PNGDecoder.iccProfile(bytes))
    }
}
