import FaceDetection
import Framing
import Geometry
import Imaging

/// The memory that a job needs, estimated from headers alone.
extension DecodePlan {
    /// The largest memory use of the job in bytes, known from the header alone.
    package var bytesNeeded: Int {
        let mayTighten = job.options.framing.mayTighten || job.target.crops != .shapes || job.options.trim != nil
        let mayDecodeAgain = job.rendering == .scaling && mayTighten
        var bytes = header.decodedBytes(atScale: mayDecodeAgain ? .full : firstScale)
        if job.needsFaces { bytes += needs.searchBytes(of: faces, in: header, at: firstScale) }
        if job.options.redaction != nil { bytes += redactionBytes }
        if job.mayNeedAttention {
            // The small colour picture is additional to all others; that of a PNG is the full picture.
            bytes += attentionScale == firstScale ? header.size.area : header.decodedBytes(atScale: attentionScale)
        }
        bytes += animationBytes
        if job.options.trim != nil, trimScale != firstScale { bytes += header.decodedBytes(atScale: trimScale) }
        bytes += borderBytes + placeholderBytes
        switch job.rendering {
        case nil: break
        case .drawing:
            // The planes of the result, a copy of them to draw on, the drawing converted back, and the encoded file.
            bytes += DebugStage.size(for: header.size).area * 12
        case .cutting:
            // The coefficients, and the encoded file, whose buffer doubles as it grows.
            bytes += (header.losslessCropping?.bytesNeeded ?? 0) + 3 * job.source.count
        case .scaling:
            for aspect in renderedAspects {
                bytes += min(largestOutput(aspect).area, limits.maxResultPixels) * bytesPerResultPixel
            }
            bytes += renderedAspects.map(encoderBytes).max() ?? 0
            bytes += effectBytes + gainMapBytes
            bytes += renderedAspects.map { stickerBytes(largestOutput($0)) + markBytes(largestOutput($0)) }.max() ?? 0
            // The encoded files of previous faces.
            if job.target.crops == .everyFace { bytes += mostPortraitPixels * 3 }
        }
        return bytes
    }

    /// Memory for an animation in bytes: to decode it, and for an animated result the encoder's.
    private var animationBytes: Int {
        guard let animation else { return 0 }
        guard job.rendering == .scaling, let output = job.target.product.output else { return animation.bytes }
        let largest = largestOutput(renderedAspects[0])
        // A larger result is refused, or shows the first picture.
        guard largest.area <= min(limits.maxResultPixels, limits.maxAnimationPixels) else { return animation.bytes }
        let all = largest.area.multipliedReportingOverflow(by: animation.frames)
        let pixels = all.overflow ? limits.maxAnimationPixels : min(all.partialValue, limits.maxAnimationPixels)
        // A smaller result may have an expensive format, or be written in several.
        let limited = [limits.maxExpensivePixels, AnimationStage.mostTriedPixels / animation.frames].map { most in
            let side = Int(Double(min(largest.area, most)).squareRoot())
            return PixelSize(width: max(1, side), height: max(1, side))
        }
        let encoders = ([largest] + limited).map { size in
            let formats = output.animated(for: header, size: size, limits: limits)
            let each = formats.map { AnimationEncoder.bytesNeeded($0, size: size, pixels: pixels, hasAlpha: true) }
            let writesAll = AnimationStage.triesAll(size, frames: animation.frames)
            return writesAll ? each.reduce(0, +) : each.max() ?? 0
        }
        return animation.bytes + (encoders.max() ?? 0)
    }

    /// Memory for each pixel of the result, in bytes: its planes, a conversion of them, and the encoded file.
    ///
    /// Bars add the scaled picture, and transparent bars add alpha, which libwebp copies twice. The conversion of
    /// colours adds the picture before it.
    private var bytesPerResultPixel: Int {
        // Transparent pixels become white in a copy of the planes.
        let hidden =
            header.hasAlpha || job.options.key != nil || job.options.background == .transparent
                || job.options.mask != nil ? 3 : 0
        // A mask adds a plane of coverage, alpha, and a copy on a background.
        let masked = job.options.mask == nil ? 0 : 8
        let converted = (job.options.profile == .srgb ? 4 : 0) + hidden + masked
        if job.options.faceTurn != nil { return Self.bytesPerTurnedPixel + converted }
        return switch job.options.framing.fit {
        // A turn needs the planes twice.
        case .cover, .limit, .crop, .inside, .outside, .fill:
            converted + (job.options.turn == .up && !job.options.flattensAlpha ? 8 : 12)
        case .pad, .auto: converted + (job.options.background == .transparent ? 16 : 12)
        }
    }

    /// Memory of the encoder, which works on one result at a time.
    private func encoderBytes(_ aspect: AspectRatio?) -> Int {
        guard let output = job.target.product.output else { return 0 }
        let any = output.accepted.isEmpty ? [header.format.written].compactMap(\.self) : output.accepted
        let formats = output.format.map { [$0] } ?? any
        let size = largestOutput(aspect)
        // A result of more pixels is refused, or has another format.
        guard size.area <= limits.maxResultPixels else { return 0 }
        let options = output.options(for: header)
        let lossy = formats.map { format in
            format.isExpensive && size.area > limits.maxExpensivePixels
                ? 0 : ImageEncoder.encoderBytes(size, as: format, options)
        }
        return max(lossy.max() ?? 0, FormatChoice.losslessBytes(output, header: header, size: size))
    }

    // MARK: Turned faces

    /// Memory for each pixel of a turned result, in bytes: the visible part before the turn, which may have more than
    /// twice the pixels, the result, its coverage, the background, and the encoded file.
    private static let bytesPerTurnedPixel = 36

    /// The largest area of the picture of a turned face, in pixels.
    var mostTurnedPixels: Int { max(mostPortraitPixels, askedTurned(options.aspects[0])?.area ?? 0) }

    /// The size of the largest picture of a turned face.
    func largestTurned(_ aspect: AspectRatio?) -> PixelSize {
        if let asked = askedTurned(aspect) { return asked }
        let side = Int(Double(mostPortraitPixels).squareRoot().rounded(.up))
        return PixelSize(width: side, height: side)
    }

    /// The requested size, if it does not depend on the face.
    private func askedTurned(_ aspect: AspectRatio?) -> PixelSize? {
        let wanted = options.resultSize
        let isSquare: Bool = if case .eyes? = job.options.faceTurn { true } else { false }
        let isFixed = wanted.width != nil && wanted.height != nil || aspect != nil || isSquare
        guard isFixed, wanted.width != nil || wanted.height != nil else { return nil }
        return wanted.asked(for: PixelSize(width: 1, height: 1), aspect: aspect)
    }

    // MARK: Effects

    /// The size at which the colour of the borders is found, for a key.
    var borderSize: PixelSize { header.size.scaled(by: min(1, 64 / Double(header.size.longSide))) }

    /// The scale at which the colour of the borders is found.
    var borderScale: DecodeScale { scale(for: borderSize, from: header.size) }

    /// Memory for another decode that finds the colour of the borders.
    private var borderBytes: Int {
        guard job.rendering == .scaling || job.options.placeholder != nil, let key = job.options.key,
            key.color == nil, borderScale != firstScale
        else { return 0 }
        return header.decodedBytes(atScale: borderScale)
    }

    /// Memory for another decode of each crop, for placeholders; the pictures themselves are small.
    private var placeholderBytes: Int {
        guard job.options.placeholder != nil, job.target.crops == .shapes else { return 0 }
        let mayTighten =
            job.options.framing.mayTighten || job.options.framing.fitsHeads || job.options.trim != nil
        let scales = options.aspects.map { aspect in
            let widest = aspect?.widestCrop(in: area.size) ?? area.size
            return scale(for: PreviewPixels.size(for: widest), from: widest)
        }
        let finest = mayTighten ? DecodeScale.full : scales.max() ?? .full
        return header.decodedBytes(atScale: finest) + (1 << 20)
    }

    /// Memory of the effects, which are applied to one result at a time, and of the backdrop, in bytes.
    private var effectBytes: Int {
        let largest = renderedAspects.map { aspect in
            let size = largestOutput(aspect)
            return size.area <= limits.maxResultPixels ? EffectStage.bytesNeeded(job.options, size) : 0
        }
        return (largest.max() ?? 0) + backdropBytes
    }

    /// Memory of the backdrop in bytes, at the scale that covers the longest side of a result.
    private var backdropBytes: Int {
        guard let backdrop else { return 0 }
        let side = renderedAspects.map { largestOutput($0).longSide }.max() ?? 1
        let square = PixelSize(width: side, height: side)
        return backdrop.decodedBytes(atScale: .smallest(of: backdrop, atLeast: square, from: backdrop.size))
    }

    /// Memory of a gain map, which has at most the pixels of the picture: its file, its planes, turned, and the part of
    /// a crop; the result is copied once more.
    private var gainMapBytes: Int {
        guard job.options.hdr == .keep, job.options.keepsPixels, GainMap.isRead(in: header.format) else { return 0 }
        // Decoders of HEIC and AVIF take more.
        return max(header.storedSize.area * 12, header.decodedBytes(atScale: .full)) + 2 * job.source.count
    }

    // MARK: Stickers

    /// Memory for stickers in bytes: their frames, one that is scaled and turned, the largest result with and without
    /// them, and the encoder of an animation.
    private func stickerBytes(_ largest: PixelSize) -> Int {
        let stickers = job.options.stickers.prefix(Sticker.mostStickers)
        guard !stickers.isEmpty else { return 0 }
        let result = min(largest.area, limits.maxResultPixels)
        var bytes = stickers.reduce(0) { $0 + $1.content.bytes } + result * 20
        let frames = stickers.map(\.frames).max() ?? 1
        guard frames > 1, let output = job.target.product.output, let format = output.stickerFormat(for: header.format)
        else { return bytes }
        let all = result.multipliedReportingOverflow(by: frames)
        let pixels = all.overflow ? limits.maxAnimationPixels : min(all.partialValue, limits.maxAnimationPixels)
        if largest.area <= limits.maxAnimationPixels {
            bytes += AnimationEncoder.bytesNeeded(format, size: largest, pixels: pixels, hasAlpha: true)
        }
        return bytes
    }

    /// Memory for a watermark in bytes: its picture, the scaled one, and the largest result without it and with it.
    private func markBytes(_ largest: PixelSize) -> Int {
        guard let content = job.options.mark?.content else { return 0 }
        return content.bytes + min(largest.area, limits.maxResultPixels) * 20
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
}

extension Sticker.Content {
    /// The memory of the decoded frames, in bytes.
    fileprivate var bytes: Int {
        switch self {
        case .drawn(let drawn): drawn.size.area * drawn.count * 4
        // These are the operator's own files, read by their headers; no frame counts for more than all may have
        // together.
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
