import Framing
import Geometry
import Imaging

/// What a job needs, known from the header alone.
extension DecodePlan {
    /// The largest memory use of the job in bytes, known from the header alone.
    package var bytesNeeded: Int {
        let mayTighten = job.options.framing.mayTighten || job.answer.crops != .shapes || job.options.trim != nil
        let mayDecodeAgain = job.rendering == .scaling && mayTighten
        var bytes = header.decodedBytes(atScale: mayDecodeAgain ? .full : firstScale)
        if job.needsFaces {
            // The finest pass may need the luma at another scale than the result.
            let finest = scale(for: search.finestSize, from: header.size)
            if finest != firstScale { bytes += header.size(atScale: finest).area }
            // The working image, its pyramid (3.3 times its area), and 31 feature planes of floats, one cell for 64
            // pixels.
            bytes += search.finestSize.area * 10
        }
        if job.options.redaction != nil { bytes += redactionBytes }
        if job.mayNeedAttention {
            // The small colour picture is additional to all others; that of a PNG is the full picture.
            bytes += attentionScale == firstScale ? header.size.area : header.decodedBytes(atScale: attentionScale)
        }
        bytes += animationBytes
        if job.options.trim != nil, trimScale != firstScale { bytes += header.decodedBytes(atScale: trimScale) }
        bytes += borderBytes
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
            bytes += effectBytes
            bytes += renderedAspects.map { stickerBytes(largestOutput($0)) }.max() ?? 0
            // The encoded files of previous faces.
            if job.answer.crops == .everyFace { bytes += mostPortraitPixels * 3 }
        }
        return bytes
    }

    /// Memory for an animation in bytes: to decode it, and for an animated result the encoder's.
    private var animationBytes: Int {
        guard let animation else { return 0 }
        guard job.rendering == .scaling, let output = job.answer.product.output else { return animation.bytes }
        let largest = largestOutput(renderedAspects[0])
        // A larger result is refused, or shows the first picture.
        guard largest.area <= min(limits.maxResultPixels, limits.maxAnimationPixels) else { return animation.bytes }
        let all = largest.area.multipliedReportingOverflow(by: animation.frames)
        let pixels = all.overflow ? limits.maxAnimationPixels : min(all.partialValue, limits.maxAnimationPixels)
        // A smaller result may have an expensive format.
        let side = Int(Double(min(largest.area, limits.maxExpensivePixels)).squareRoot())
        let encoders = [largest, PixelSize(width: side, height: side)].compactMap { size in
            output.resolvedAnimated(for: header, size: size, limits: limits).map {
                AnimationEncoder.bytesNeeded($0, size: size, pixels: pixels, hasAlpha: true)
            }
        }
        return animation.bytes + (encoders.max() ?? 0)
    }

    /// Memory for each pixel of the result, in bytes: its planes, a conversion of them, and the encoded file.
    ///
    /// Bars add the scaled picture, and transparent bars add alpha, which libwebp copies twice. The conversion of colours
    /// adds the picture before it.
    private var bytesPerResultPixel: Int {
        // Transparent pixels become white in a copy of the planes.
        let hidden = header.hasAlpha || job.options.key != nil || job.options.background == .transparent ? 3 : 0
        let converted = (job.options.profile == .srgb ? 4 : 0) + hidden
        if job.options.faceTurn != nil { return Self.bytesPerTurnedPixel + converted }
        return switch job.options.framing.fit {
        // A turn needs the planes twice.
        case .cover, .limit, .inside, .outside, .fill:
            converted + (job.options.turn == .up && !job.options.flattensAlpha ? 8 : 12)
        case .pad, .auto: converted + (job.options.background == .transparent ? 16 : 12)
        }
    }

    /// Memory of the encoder, which works on one result at a time.
    private func encoderBytes(_ aspect: AspectRatio?) -> Int {
        guard let output = job.answer.product.output else { return 0 }
        let any = output.accepted.isEmpty ? [header.format.written].compactMap(\.self) : output.accepted
        let formats = output.format.map { [$0] } ?? any
        let size = largestOutput(aspect)
        // A result of more pixels is refused, or has another format.
        guard size.area <= limits.maxResultPixels else { return 0 }
        let options = output.options(for: header)
        return formats.map { format in
            format.isExpensive && size.area > limits.maxExpensivePixels
                ? 0 : ImageEncoder.encoderBytes(size, as: format, options)
        }.max() ?? 0
    }
}
