import Geometry

/// Decodes the frames of an animated PNG, each as a file of its own.
final class APNGFrames: FrameStream {
    private let chunks: APNGChunks
    private let canvas: FrameCanvas
    private let orientation: Orientation
    private let profile: ICCProfile?
    private let limits: DecodeLimits
    private var offset: Int?
    private var isFirst = true

    init(_ bytes: [UInt8], _ header: ImageHeader, _ limits: DecodeLimits) throws(CodecError) {
        guard let chunks = APNGChunks(bytes) else { throw .corrupt(.png, "it has no animation") }
        self.chunks = chunks
        orientation = header.orientation
        self.limits = limits
        canvas = try FrameCanvas(chunks.canvas)
        offset = chunks.start
        profile = try PNGDecoder.iccProfile(bytes)
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard let start = offset else { return nil }
        offset = nil
        guard let frame = chunks.frame(from: start) else { return nil }
        do {
            let planes = try decode(frame)
            try canvas.begin(frame.rect, frame.disposal)
            canvas.draw(planes, frame.blending)
        } catch {
            guard !isFirst, error != .outOfMemory else { throw error }
            return nil
        }
        isFirst = false
        offset = frame.next
        let image = try canvas.snapshot(iccProfile: profile).oriented(orientation)
        return AnimatedFrame(image, milliseconds: frame.milliseconds)
    }

    /// Red, green, blue and alpha of a frame.
    private func decode(_ frame: APNGChunks.Frame) throws(CodecError) -> [Plane] {
        let image = try PNGDecoder.decodeFrame(chunks.file(of: frame), limits: limits)
        guard image.size == frame.rect.size else { throw .corrupt(.png, "a frame of another size") }
        let colors = image.colorModel == .gray ? Array(repeating: image.planes[0], count: 3) : image.planes
        if let alpha = image.alpha { return colors + [alpha] }
        return colors + [try Plane(image.size, filledWith: 255)]
    }
}

/// The frames of an animated PNG, found one after the other (PNG, third edition, 11.3.6).
struct APNGChunks {
    /// A frame as it is stored.
    struct Frame {
        var rect: PixelRect
        var milliseconds: Int
        var disposal: FrameCanvas.Disposal
        var blending: FrameCanvas.Blending
        /// The compressed data, in their order.
        var data: [Range<Int>] = []
        /// The start of the chunk after them.
        var next = 0
    }

    let canvas: PixelSize
    /// The number of times that the animation plays; 0 is for ever.
    let plays: Int
    /// Where ``frame(from:)`` begins.
    let start: Int
    /// The chunks that every frame needs: IHDR, whose size is replaced, and PLTE and tRNS as they are.
    private let header: Range<Int>
    private let shared: [Range<Int>]
    private let bytes: [UInt8]

    /// Nil if the file has no animation: an acTL chunk before its first picture.
    init?(_ bytes: [UInt8]) {
        var (plays, header, start): (Int?, Range<Int>?, Int?) = (nil, nil, nil)
        var shared: [Range<Int>] = []
        for chunk in PNGChunks(bytes[...]) {
            switch chunk.kind {
            case .ihdr: header = chunk.data
            // Longer ones are not valid, and libpng ignores them as well.
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
        canvas = PixelSize(
            width: PNGChunks.number(in: bytes[...], at: header.lowerBound),
            height: PNGChunks.number(in: bytes[...], at: header.lowerBound + 4)
        )
    }

    /// The first frame from an offset on; nil after the last one, or if it is invalid or has no data.
    func frame(from offset: Int) -> Frame? {
        var frame: Frame?
        for chunk in PNGChunks(bytes[...], from: offset) {
            switch chunk.kind {
            case .fctl:
                if let frame { return frame.data.isEmpty ? nil : frame }
                frame = control(chunk.data)
                guard frame != nil else { return nil }
            // A picture without a control chunk before it is for players of stills.
            case .idat: frame?.data.append(chunk.data)
            case .fdat where chunk.data.count > 4: frame?.data.append(chunk.data.dropFirst(4))
            case .iend: return frame.flatMap { $0.data.isEmpty ? nil : $0 }
            default: break
            }
            frame?.next = chunk.whole.upperBound
        }
        return frame.flatMap { $0.data.isEmpty ? nil : $0 }
    }

    private func control(_ data: Range<Int>) -> Frame? {
        guard data.count >= 26 else { return nil }
        func number(_ place: Int, bytes count: Int = 4) -> Int {
            PNGChunks.number(in: bytes[...], at: data.lowerBound + place, bytes: count)
        }
        let rect = PixelRect(
            x: number(12),
            y: number(16),
            width: number(4),
            height: number(8)
        )
        guard rect.width > 0, rect.height > 0, PixelRect(canvas).contains(rect) else { return nil }
        let (numerator, denominator) = (number(20, bytes: 2), number(22, bytes: 2))
        let disposal: FrameCanvas.Disposal =
            switch number(24, bytes: 1) {
            case 1: .clear
            case 2: .restore
            default: .keep
            }
        return Frame(
            rect: rect,
            // No denominator means hundredths of a second.
            milliseconds: Int((Double(numerator) * 1000 / Double(denominator == 0 ? 100 : denominator)).rounded()),
            disposal: disposal,
            blending: number(25, bytes: 1) == 0 ? .replace : .over
        )
    }

    /// A frame as a PNG file of its own, whose checksums are not valid.
    func file(of frame: Frame) -> [UInt8] {
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

    /// The animation; nil if there are fewer than two frames, or the canvas is larger than any that can be decoded.
    func info(header: ImageHeader) -> AnimationInfo? {
        guard canvas.longSide < 1 << 20, canvas == header.storedSize else { return nil }
        var tally = FrameTally()
        var offset = start
        while let frame = frame(from: offset) {
            tally.add(milliseconds: frame.milliseconds, area: frame.rect.area, canvas: canvas.area)
            offset = frame.next
        }
        // The canvas, the planes of a frame before and after their conversion, and its file.
        let frame = header.decodedBytes(atScale: .full) + Plane.bytesPerRow(canvas.width) * canvas.height * 4
        return tally.info(plays: plays, bytes: FrameCanvas.bytes(canvas) + frame + bytes.count)
    }
}
