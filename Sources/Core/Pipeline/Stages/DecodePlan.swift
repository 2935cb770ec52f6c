import Framing
package import Geometry
package import Imaging

/// Chooses the scale for decoding a source: the smallest scale that is sufficient for the detector and the result.
package struct DecodePlan: Sendable {
    let job: FrameJob
    let header: ImageHeader
    let needs: any SearchNeeds
    let limits: PipelineLimits
    let animation: AnimationInfo?
    let backdrop: ImageHeader?

    /// Creates the plan for one job.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - header: The header of its source.
    ///   - needs: The needs of the worker's search.
    ///   - limits: The limits on results.
    ///   - animation: The animation whose frames all count; nil for one image.
    ///   - backdrop: The header of the image behind a chroma key; nil without a backdrop image.
    package init(
        job: FrameJob,
        header: ImageHeader,
        needs: any SearchNeeds,
        limits: PipelineLimits = PipelineLimits(maxResultPixels: .max),
        animation: AnimationInfo? = nil,
        backdrop: ImageHeader? = nil
    ) {
        self.job = job
        self.header = header
        self.needs = needs
        self.limits = limits
        self.animation = animation
        self.backdrop = backdrop
    }

    /// The sizes of the detector's passes.
    package var search: SearchPlan {
        SearchPlan(
            for: header.size,
            smallestFace: job.options.smallestFace ?? job.options.accuracy.smallestFace,
            smallestDetectableSide: needs.smallestDetectableSide
        )
    }

    /// The scale for the first detection pass, and also for the result if its scale is known before detection.
    package var firstScale: DecodeScale {
        var first = job.needsFaces ? firstPassScale : Self.coarsest
        switch job.rendering {
        case nil, .cutting: break
        case .drawing:
            first = max(first, scale(for: DebugStage.size(for: header.size), from: header.size))
        case .scaling:
            for aspect in renderedAspects {
                if let whole = wholeResult(aspect) {
                    first = max(first, resultScale(for: whole.image.size, from: area.size))
                } else {
                    let widest = aspect?.widestCrop(in: area.size) ?? area.size
                    let result = options.resultSize.resolved(for: widest, aspect: aspect)
                    first = max(first, resultScale(for: result, from: widest))
                }
            }
        }
        return first
    }

    /// The part of the source to frame, before borders are trimmed: the requested region, or the whole source.
    package var area: PixelRect {
        let region = job.options.region?.resolved(in: header.size)
        return region.flatMap { $0.area > 0 ? $0 : nil } ?? PixelRect(header.size)
    }

    /// The scale for finding uniform borders.
    package var trimScale: DecodeScale { scale(for: TrimStage.size(for: area.size), from: area.size) }

    /// Returns the scale for a crop.
    package func scale(for crop: FramePlan.Crop) -> DecodeScale {
        if let turned = crop.turned { return resultScale(for: crop.output, from: turned.size) }
        return resultScale(for: crop.image.size, from: crop.rect.size)
    }

    /// The scale for the attention map.
    ///
    /// After a face search, this is the scale of the first pass, whose pixels are usually still in memory. It does not
    /// depend on the result, so every form of the result has the same crop.
    package var attentionScale: DecodeScale {
        let stage = AttentionStage(sourceSize: header.size, area: area)
        let minimum = scale(for: stage.workingSize, from: area.size)
        return job.needsFaces ? max(minimum, firstPassScale) : minimum
    }

    /// The scale of the first pass; with a network, the scale of all passes.
    var firstPassScale: DecodeScale { scale(for: needs.firstSize(of: faces), from: header.size) }

    /// The search for faces.
    var faces: SearchTask {
        SearchTask(
            plan: search,
            size: header.size,
            smallestFace: job.options.smallestFace.map { $0 * Double(header.size.shortSide) },
            accuracy: job.options.accuracy,
            searchesTurned: job.options.accuracy.searchesTurned,
            searchesSubjects: job.options.framing.gravity.needsSubjects,
            region: job.options.region == nil ? nil : area
        )
    }

    /// The options, with relative values resolved for ``area``.
    var options: FrameOptions { job.options.settled(in: area.size) }

    /// The aspect ratios of the crops that become images.
    var renderedAspects: [AspectRatio?] {
        if case (.shapes, .images) = (job.target.crops, job.target.product) { return options.aspects }
        return [options.aspects[0]]
    }

    /// The maximum total area of the images of all faces, in pixels; it limits the size of their files.
    ///
    /// The images of adjacent faces overlap in the source; beyond twice the source's area, they mostly repeat the same
    /// padding.
    package var maxPortraitPixels: Int { max(2 * header.size.area, 4_000_000) }

    /// Returns the size of a result with the whole area, and the rectangle of the area in it; nil if the fit may crop.
    private func wholeResult(_ aspect: AspectRatio?) -> (size: PixelSize, image: PixelRect)? {
        Framer.whole([], in: area.size, aspect: aspect, request: options.framing)
            .map { options.resultSize.resolved(for: $0, aspect: aspect) }
    }

    /// Returns the maximum size of a result.
    func largestOutput(_ aspect: AspectRatio?) -> PixelSize {
        if job.options.faceTurn != nil { return largestTurned(aspect) }
        let wanted = options.resultSize
        // A trimmed area or a group of heads may have any aspect ratio. If a side of an enlarged result is computed
        // from this ratio, it may have any length.
        let followsShape = options.framing.fit.keepsShape || (wanted.width == nil) != (wanted.height == nil)
        let mayHaveAnyShape = job.options.trim != nil || job.options.framing.fitsHeads
        if mayHaveAnyShape, wanted.allowsEnlargement, aspect == nil, followsShape {
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
            // A group of heads may have another aspect ratio than the image, so that a requested side reduces the group
            // less.
            if job.options.framing.fitsHeads { candidates.append(area.size) }
            // A crop that contains all heads may consist of the whole image and bars.
            if job.options.framing.fit == .auto, let aspect {
                let bars = Letterbox(around: area.size, aspect: aspect)
                candidates.append(options.resultSize.resolved(for: bars.size, aspect: aspect))
            }
        }
        return candidates.max { $0.area < $1.area } ?? widest
    }

    /// The minimum reduction of a decoded image by the resampler, as a factor on each side.
    ///
    /// The decoder reduces each block separately, which leaves artefacts that further scaling removes. Compared with
    /// Lanczos from the full image, photographs at 1/4 of their size had a mean SSIM of 0.984 without this factor,
    /// 0.993 with 1.5 and 0.996 with 2.
    static let minReduction = 1.5

    private func resultScale(for size: PixelSize, from region: PixelSize) -> DecodeScale {
        scale(for: size.scaled(by: Self.minReduction, .up), from: region)
    }

    func scale(for size: PixelSize, from region: PixelSize) -> DecodeScale {
        DecodeScale.smallest(of: header, atLeast: size, from: region)
    }

    private static let coarsest = DecodeScale(eighths: 1)

    // MARK: Redaction

    /// The passes of the search for heads to redact; they are never coarser than the passes of ``Accuracy/high``.
    package var redactionSearch: SearchPlan {
        let smallest = Accuracy.high.smallestFace
        return SearchPlan(
            for: header.size,
            smallestFace: min(job.options.smallestFace ?? smallest, smallest),
            smallestDetectableSide: needs.smallestDetectableSide
        )
    }

    /// The search for heads to redact.
    var redactionFaces: SearchTask { SearchTask(plan: redactionSearch, size: header.size) }

    /// Memory for redaction in bytes.
    ///
    /// Passes that are finer than the framing search need memory, and so do the views of an image with alpha and a copy
    /// of the pixels. For an animation, the views of two frames are compared.
    var redactionBytes: Int {
        let finest = redactionSearch.finestSize
        let luma = header.size(atScale: scale(for: finest, from: header.size)).area
        let views = header.hasAlpha || header.format == .gif ? header.size.area * (animation == nil ? 4 : 12) : 0
        let passes = needs.redactionBytes(of: redactionSearch, beside: search)
        return passes + luma + views + header.decodedBytes(atScale: .full)
    }
}
