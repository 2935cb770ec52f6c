import FaceDetection
import Framing
import Geometry
import Imaging

/// The memory that a job needs, estimated from headers only.
extension DecodePlan {
    /// The maximum memory use of the job in bytes, estimated from the header only.
    package var bytesNeeded: Int {
        let mayTighten = job.options.framing.mayTighten || job.target.crops != .shapes || job.options.trim != nil
        let mayDecodeAgain = job.rendering == .scaling && mayTighten
        var bytes = header.decodedBytes(atScale: mayDecodeAgain ? .full : firstScale)
        if job.needsFaces { bytes += needs.searchBytes(of: faces, in: header, at: firstScale) }
        if job.options.redaction != nil { bytes += redactionBytes }
        if job.mayNeedAttention {
            // The colour image for the attention map is needed in addition to all other images; for a PNG, it has full
            // size.
            bytes += attentionScale == firstScale ? header.size.area : header.decodedBytes(atScale: attentionScale)
            // The analysis needs a small copy and its conversion; colours are multiplied by alpha before they are
            // scaled.
            bytes += 6 * AttentionImage.workingSize(for: area.size).area
            if header.hasAlpha { bytes += 4 * header.size(atScale: attentionScale).area }
        }
        bytes += animationBytes
        if job.options.trim != nil, trimScale != firstScale { bytes += header.decodedBytes(atScale: trimScale) }
        bytes += borderBytes + placeholderBytes
        switch job.rendering {
        case nil: break
        case .drawing:
            // The planes of the result, a copy to draw on, the finished drawing as planes, and the encoded file.
            bytes += DebugStage.size(for: header.size).area * 12
        case .cutting:
            // The coefficients, and the encoded file, whose buffer doubles as it grows.
            bytes += (header.losslessCropping?.bytesNeeded ?? 0) + 3 * job.source.count
        case .scaling:
            for aspect in renderedAspects {
                bytes += min(largestOutput(aspect).area, limits.maxResultPixels) * bytesPerResultPixel
            }
            bytes += renderedAspects.map(encoderBytes).max() ?? 0
            bytes += gainMapBytes
            // The steps process one result at a time.
            let bounds = renderedAspects.map { ResultBound(largestOutput($0), maximum: limits.maxResultPixels) }
            bytes += bounds.map { CropSteps.bytesNeeded(self, $0) + stickerAnimationBytes($0) }.max() ?? 0
            // The encoded files of previous faces.
            if job.target.crops == .everyFace { bytes += maxPortraitPixels * 3 }
        }
        return bytes
    }

    /// Memory for an animation in bytes: for decoding and, with an animated result, for the encoder.
    private var animationBytes: Int {
        guard let animation else { return 0 }
        guard job.rendering == .scaling, let output = job.target.product.output else { return animation.bytes }
        let largest = largestOutput(renderedAspects[0])
        // A larger animation is rejected, or its result shows only the first frame.
        guard largest.area <= min(limits.maxResultPixels, limits.maxAnimationPixels) else { return animation.bytes }
        let pixels = animationPixels(largest.area, frames: animation.frames)
        // A smaller animation may be written in an expensive format, or in several formats.
        let limited = [limits.maxExpensivePixels, AnimationStage.maxTriedPixels / animation.frames].map { maximum in
            let side = Int(Double(min(largest.area, maximum)).squareRoot())
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

    /// Returns the number of pixels in all frames of a result, limited to the maximum; larger results are rejected.
    private func animationPixels(_ each: Int, frames: Int) -> Int {
        let all = each.multipliedReportingOverflow(by: frames)
        return all.overflow ? limits.maxAnimationPixels : min(all.partialValue, limits.maxAnimationPixels)
    }

    /// Memory for each pixel of a result in bytes, without the memory of its steps.
    ///
    /// It consists of the planes, the encoded file, the image before its colours are converted, and a copy without
    /// transparent pixels.
    private var bytesPerResultPixel: Int {
        8 + (job.options.profile == .srgb ? 4 : 0) + (header.hasAlpha ? 3 : 0)
    }

    /// Returns the memory of the encoder, which processes one result at a time.
    private func encoderBytes(_ aspect: AspectRatio?) -> Int {
        guard let output = job.target.product.output else { return 0 }
        let any = output.accepted.isEmpty ? [header.format.written].compactMap(\.self) : output.accepted
        let formats = output.format.map { [$0] } ?? any
        let size = largestOutput(aspect)
        // A result with more pixels is rejected, or is written in another format.
        guard size.area <= limits.maxResultPixels else { return 0 }
        let options = output.options(for: header)
        let lossy = formats.map { format in
            format.isExpensive && size.area > limits.maxExpensivePixels || !format.holds(size)
                ? 0 : ImageEncoder.encoderBytes(size, as: format, options)
        }
        return max(lossy.max() ?? 0, FormatChoice.losslessBytes(output, header: header, size: size))
    }

    /// Returns the memory of the encoder of a still source with animated stickers; 0 without animated stickers.
    private func stickerAnimationBytes(_ bound: ResultBound) -> Int {
        let frames = job.options.stickers.prefix(Sticker.maxStickers).map(\.frames).max() ?? 1
        guard frames > 1, let output = job.target.product.output, let format = output.stickerFormat(for: header.format),
            bound.size.area <= limits.maxAnimationPixels
        else { return 0 }
        let pixels = animationPixels(bound.pixels, frames: frames)
        return AnimationEncoder.bytesNeeded(format, size: bound.size, pixels: pixels, hasAlpha: true)
    }

    // MARK: Turned faces

    /// The maximum area of the image of a rotated face, in pixels.
    var maxTurnedPixels: Int { max(maxPortraitPixels, askedTurned(options.aspects[0])?.area ?? 0) }

    /// Returns the maximum size of an image of a rotated face.
    func largestTurned(_ aspect: AspectRatio?) -> PixelSize {
        if let asked = askedTurned(aspect) { return asked }
        let side = Int(Double(maxPortraitPixels).squareRoot().rounded(.up))
        return PixelSize(width: side, height: side)
    }

    /// Returns the requested size; nil if it depends on the face.
    private func askedTurned(_ aspect: AspectRatio?) -> PixelSize? {
        let wanted = options.resultSize
        let isSquare: Bool = if case .eyes? = job.options.faceTurn { true } else { false }
        let isFixed = wanted.width != nil && wanted.height != nil || aspect != nil || isSquare
        guard isFixed, wanted.width != nil || wanted.height != nil else { return nil }
        return wanted.asked(for: PixelSize(width: 1, height: 1), aspect: aspect)
    }

    // MARK: Placeholders and gain maps

    /// Memory for another decode of each crop, for placeholders; the placeholders' own images are small.
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

    /// Memory of a gain map, which has at most the pixels of the image.
    ///
    /// It consists of the map's file, its planes before and after the rotation, the crop's part of them, and another
    /// copy of the result.
    private var gainMapBytes: Int {
        guard job.options.hdr == .keep, job.options.keepsPixels, GainMap.isRead(in: header.format) else { return 0 }
        // Decoders of HEIC and AVIF need more memory.
        return max(header.storedSize.area * 12, header.decodedBytes(atScale: .full)) + 2 * job.source.count
    }
}

extension Sticker {
    /// The number of frames, read from headers.
    fileprivate var frames: Int {
        switch content {
        case .drawn(let drawn): return drawn.count
        case .files(let files):
            guard files.count == 1 else { return files.count }
            return (try? ImageHeader.read(files[0]))?.animation?.frames ?? 1
        }
    }
}
