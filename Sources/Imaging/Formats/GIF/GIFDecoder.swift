import CImageCodec
import Geometry

/// Decodes GIF files: the first frame that shows something, on a transparent screen.
enum GIFDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        let info = try info(bytes)
        let planeCount = info.has_alpha ? 4 : 3
        // Sides have at most 17 bits, so the product cannot overflow.
        let cost = Plane.bytesPerRow(Int(info.width)) * Int(info.height) * planeCount + libraryBytes
        var header = ImageHeader(
            format: .gif,
            storedSize: info.size,
            orientation: .up,
            colorModel: .rgb,
            hasAlpha: info.has_alpha,
            bitDepth: 8,
            isProgressive: false,
            costs: Array(repeating: cost, count: 8)
        )
        let bytesNeeded = FrameCanvas.bytes(info.size) + bytes.count + libraryBytes
        header.animation = GIFBlocks(bytes, screen: info.size).animation(bytes: bytesNeeded)
        header.isLossless = true
        return header
    }

    static func decode(
        _ bytes: [UInt8],
        header: ImageHeader,
        limits: DecodeLimits
    ) throws(CodecError) -> PlanarImage {
        var info = try info(bytes)
        var planes: [Plane] = []
        for _ in 0..<(info.has_alpha ? 4 : 3) {
            // Rows that are lost become white, or transparent.
            planes.append(try Plane(info.size, filledWith: info.has_alpha ? 0 : 255))
        }
        var isDamaged = false
        let views = planes.map(\.view)
        do {
            try bytes.withUnsafeBufferPointer { (buffer) throws(CFailure) in
                guard let start = buffer.baseAddress else { return }
                try check { hr_gif_decode(start, buffer.count, Int64(limits.maxPixels), &info, views, &isDamaged, $0) }
            }
        } catch {
            throw error.codecError(.gif, size: info.size)
        }
        guard !isDamaged || limits.servesDamaged else { throw .truncated(.gif) }
        let alpha = info.has_alpha ? planes.removeLast() : nil
        var image = PlanarImage(
            size: info.size,
            colorModel: .rgb,
            planes: planes,
            alpha: alpha.flatMap { $0.isFilled(with: 255) ? nil : $0 }
        )
        image.isDamaged = isDamaged
        return image
    }

    /// Memory of giflib in bytes: its code tables, two colour tables and a row of at most 65,535 pixels.
    private static let libraryBytes = 128 << 10

    private static func info(_ bytes: [UInt8]) throws(CodecError) -> hr_gif_info {
        var info = hr_gif_info()
        do {
            try bytes.withUnsafeBufferPointer { (buffer) throws(CFailure) in
                guard let start = buffer.baseAddress else { return }
                try check { hr_gif_read(start, buffer.count, &info, $0) }
            }
        } catch {
            throw error.codecError(.gif)
        }
        return info
    }
}

extension hr_gif_info {
    fileprivate var size: PixelSize { PixelSize(width: Int(width), height: Int(height)) }
}

/// Decodes the frames of a GIF on a transparent screen.
final class GIFFrames: FrameStream {
    private let reader: GIFReader
    private let canvas: FrameCanvas
    private var isFirst = true
    private var isOver = false

    init(_ bytes: [UInt8], screen: PixelSize) throws(CodecError) {
        reader = try GIFReader(bytes)
        canvas = try FrameCanvas(screen)
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard !isOver else { return nil }
        do {
            guard let frame = try reader.next() else {
                isOver = true
                return nil
            }
            try canvas.begin(frame.rect, Self.disposal(frame.disposal))
            try reader.draw(on: canvas.views)
            isFirst = false
            return AnimatedFrame(try canvas.snapshot(), milliseconds: frame.milliseconds)
        } catch {
            isOver = true
            guard !isFirst, error != .outOfMemory else { throw error }
            return nil
        }
    }

    /// The disposal methods of GIF89a, 23; the background is transparent, as in browsers.
    private static func disposal(_ method: Int32) -> FrameCanvas.Disposal {
        switch method {
        case 2: .clear
        case 3: .restore
        default: .keep
        }
    }
}

/// Reads the frames of a GIF file as they are stored.
final class GIFReader {
    private let file: FileBytes
    private let decoder: OpaquePointer

    init(_ bytes: [UInt8]) throws(CodecError) {
        let file = FileBytes(bytes)
        var opened: OpaquePointer?
        do {
            guard let start = file.buffer.baseAddress else { throw CodecError.truncated(.gif) }
            try check { hr_gif_open(start, file.buffer.count, &opened, $0) }
        } catch let error as CFailure {
            hr_gif_close(opened)
            throw error.codecError(.gif)
        } catch {
            throw .truncated(.gif)
        }
        guard let opened else { throw .outOfMemory }
        self.file = file
        decoder = opened
    }

    deinit { hr_gif_close(decoder) }

    /// Goes on to the next frame, whose pixels are to be drawn or copied once; nil at the end.
    func next() throws(CodecError) -> hr_gif_frame? {
        var (frame, isFound) = (hr_gif_frame(), false)
        try run { hr_gif_next(decoder, &frame, &isFound, $0) }
        return isFound ? frame : nil
    }

    /// Draws the frame on the four planes of a screen.
    func draw(on screen: [hr_plane]) throws(CodecError) {
        try run { hr_gif_draw(decoder, screen, $0) }
    }

    /// Copies the frame's indices in a part of the screen.
    func copy(_ part: PixelRect, to indices: hr_plane) throws(CodecError) {
        try run { hr_gif_copy(decoder, Int32(part.x), Int32(part.y), [indices], $0) }
    }

    private func run(_ call: (UnsafeMutablePointer<hr_error>) -> hr_status) throws(CodecError) {
        do {
            try check(call)
        } catch {
            throw error.codecError(.gif)
        }
    }
}

extension hr_gif_frame {
    /// The frame's rectangle, which may reach beyond the screen.
    var rect: PixelRect { PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)) }

    /// The delay in milliseconds as the file states it.
    var milliseconds: Int { Int(delay) * 10 }
}
