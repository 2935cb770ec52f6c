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
