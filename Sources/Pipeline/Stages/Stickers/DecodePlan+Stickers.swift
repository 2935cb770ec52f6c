import Geometry
import Imaging

extension DecodePlan {
    /// Memory for stickers in bytes: their frames, one that is scaled and turned, the result with and without them, and the
    /// encoder of an animation.
    ///
    /// - Parameter largest: The size of the largest result.
    /// - Returns: An upper estimate.
    func stickerBytes(_ largest: PixelSize) -> Int {
        let stickers = job.options.stickers.prefix(Sticker.mostStickers)
        guard !stickers.isEmpty else { return 0 }
        let sizes = stickers.map(\.bytes)
        let result = min(largest.area, limits.maxResultPixels)
        var bytes = sizes.reduce(0, +) + result * 20
        let frames = stickers.map(\.frames).max() ?? 1
        guard frames > 1, let output = job.answer.product.output, let format = output.stickerFormat(for: header.format)
        else { return bytes }
        let all = result.multipliedReportingOverflow(by: frames)
        let pixels = all.overflow ? limits.maxAnimationPixels : min(all.partialValue, limits.maxAnimationPixels)
        if largest.area <= limits.maxAnimationPixels {
            bytes += AnimationEncoder.bytesNeeded(format, size: largest, pixels: pixels, hasAlpha: true)
        }
        return bytes
    }
}

extension Sticker {
    /// The number of frames, known from headers.
    fileprivate var frames: Int {
        switch content {
        case .drawn(let drawn): return drawn.count
        case .files(let files):
            guard files.count == 1 else { return files.count }
            return (try? ImageHeader.read(files[0]))?.animation?.frames ?? 1
        }
    }

    /// The memory of the decoded frames, in bytes.
    fileprivate var bytes: Int {
        switch content {
        case .drawn(let drawn): drawn.size.area * drawn.count * 4
        // Headers of the operator's own files; each frame is at most as large as all may be together.
        case .files(let files):
            min(
                Sticker.mostPixels,
                files.reduce(0) { sum, file in
                    let header = try? ImageHeader.read(file)
                    return sum + min(header?.animation?.pixels ?? header?.size.area ?? 0, Sticker.mostPixels)
                }
            ) * 4
        }
    }
}
