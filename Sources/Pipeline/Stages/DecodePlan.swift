import Framing
package import Geometry
package import Imaging

/// Chooses the scale at which a source is decoded: the smallest that is sufficient for the detector and the result.
package struct DecodePlan: Sendable {
    let job: FrameJob
    let header: ImageHeader
    let smallestDetectableSide: Int
    let limits: PipelineLimits
    let animation: AnimationInfo?

    /// Creates the plan for one job.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - header: The header of its source.
    ///   - smallestDetectableSide: The side of the smallest face that the detector finds, in pixels of its input.
    ///   - limits: The limits on results.
    ///   - animation: The animation whose frames all count; nil for one picture.
    package init(
        job: FrameJob,
        header: ImageHeader,
        smallestDetectableSide: Int,
        limits: PipelineLimits = PipelineLimits(maxResultPixels: .max),
        animation: AnimationInfo? = nil
    ) {
        self.job = job
        self.header = header
        self.smallestDetectableSide = smallestDetectableSide
        self.limits = limits
        self.animation = animation
    }

    /// The sizes of the detector's passes.
    package var search: SearchPlan {
        SearchPlan(
            for: header.size,
            smallestFace: job.options.smallestFace ?? job.options.accuracy.smallestFace,
            smallestDetectableSide: smallestDetectableSide
        )
    }

    /// The scale for the first detection pass, and for the result as far as it is known before detection.
    package var firstScale: DecodeScale {
        var first = job.needsFaces ? firstLookScale : Self.coarsest
        switch job.rendering {
        case nil, .cutting: break
        case .drawing:
            first = max(first, scale(for: DebugStage.size(for: header.size), from: header.size))
        case .scaling:
            for aspect in renderedAspects {
                if let whole = wholeResult(aspect) {
                    first = max(first, resultScale(for: whole.picture.size, from: area.size))
                    continue
                }
                let widest = aspect?.widestCrop(in: area.size) ?? area.size
                first = max(
                    first,
                    resultScale(for: options.resultSize.resolved(for: widest, aspect: aspect), from: widest)
                )
            }
        }
        return first
    }

    /// The part of the source that is framed, before borders are trimmed: the requested region, or everything.
    package var area: PixelRect {
        let region = job.options.region?.resolved(in: header.size)
        return region.flatMap { $0.area > 0 ? $0 : nil } ?? PixelRect(header.size)
    }

    /// The scale at which plain borders are found.
    package var trimScale: DecodeScale { scale(for: TrimStage.size(for: area.size), from: area.size) }

    /// The scale for a crop.
    package func scale(for crop: FramePlan.Crop) -> DecodeScale {
        if let turned = crop.turned { return resultScale(for: crop.output, from: turned.size) }
        return resultScale(for: crop.picture.size, from: crop.rect.size)
    }

    /// The scale for the attention map.
    ///
    /// After a search for faces, it is that of the first pass, whose pixels are usually still in memory. It does not
    /// depend on the result, so every form of the result has the same crop.
    package var attentionScale: DecodeScale {
        let stage = AttentionStage(sourceSize: header.size, area: area)
        let least = scale(for: stage.workingSize, from: area.size)
        return job.needsFaces ? max(least, firstLookScale) : least
    }

    private var firstLookScale: DecodeScale { scale(for: search.looks[0].workingSize, from: header.size) }

    /// The options for the area.
    var options: FrameOptions { job.options.settled(in: area.size) }

    /// The shapes of the crops that become images.
    private var renderedAspects: [AspectRatio?] {
        switch (job.answer.crops, job.answer.product) {
        case (.shapes, .images): options.aspects
        default: [options.aspects[0]]
        }
    }

    /// The largest total area of the pictures of all faces, in pixels, so that the size of their files is bounded.
    ///
    /// Faces side by side share the source's pixels; more than twice the source's area is mostly repeated padding.
    package var mostPortraitPixels: Int { max(2 * header.size.area, 4_000_000) }

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
        let converted = job.options.profile == .srgb ? 4 : 0
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

    /// The size of a result with the whole area, and the rectangle of the area in it; nil if the fit may crop.
    private func wholeResult(_ aspect: AspectRatio?) -> (size: PixelSize, picture: PixelRect)? {
        Framer.whole([], in: area.size, aspect: aspect, request: job.options.framing)
            .map { options.resultSize.resolved(for: $0, aspect: aspect) }
    }

    /// The size of the largest result.
    private func largestOutput(_ aspect: AspectRatio?) -> PixelSize {
        if job.options.faceTurn != nil { return largestTurned(aspect) }
        let wanted = options.resultSize
        // After a trim the area may have any shape, and the side of an enlarged result that follows it any length.
        let followsShape = job.options.framing.fit.keepsShape || (wanted.width == nil) != (wanted.height == nil)
        if job.options.trim != nil, wanted.allowsEnlargement, aspect == nil, followsShape {
            let side = Int(Double(min(limits.maxResultPixels, 1 << 40)).squareRoot())
            return PixelSize(width: side, height: side)
        }
        if let whole = wholeResult(aspect) { return whole.size }
        let widest = aspect?.widestCrop(in: area.size) ?? area.size
        var candidates = [wanted.resolved(for: widest, aspect: aspect)]
        if job.options.framing.gravity.needsFaces || !job.options.framing.focal.isEmpty {
            // Without faces, the whole image may become the result.
            if job.options.framing.fallback == .original {
                candidates.append(options.resultSize.resolved(for: area.size, aspect: aspect))
            }
            // A crop that contains all heads may need the whole image, and bars.
            if job.options.framing.fit == .auto, let aspect {
                let bars = Letterbox(around: area.size, aspect: aspect)
                candidates.append(options.resultSize.resolved(for: bars.size, aspect: aspect))
            }
        }
        return candidates.max { $0.area < $1.area } ?? widest
    }

    /// The smallest factor by which the resampler reduces a decoded picture on each side.
    ///
    /// The decoder reduces block by block and leaves artefacts, which further scaling removes. Compared with Lanczos
    /// from the full picture, photographs at 1/4 of their size had a mean SSIM of 0.984 without this factor, 0.993 with
    /// 1.5 and 0.996 with 2.
    static let leastReduction = 1.5

    private func resultScale(for size: PixelSize, from region: PixelSize) -> DecodeScale {
        let wanted = PixelSize(
            width: Int((Double(size.width) * Self.leastReduction).rounded(.up)),
            height: Int((Double(size.height) * Self.leastReduction).rounded(.up))
        )
        return scale(for: wanted, from: region)
    }

    func scale(for size: PixelSize, from region: PixelSize) -> DecodeScale {
        DecodeScale.smallest(of: header, atLeast: size, from: region)
    }

    private static let coarsest = DecodeScale(eighths: 1)
}
