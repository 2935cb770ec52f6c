import Framing
import Geometry
package import Imaging

/// Chooses the scale at which a source is decoded: the smallest that serves the detector and the result.
package struct DecodePlan: Sendable {
    let job: FrameJob
    let header: ImageHeader
    let smallestDetectableSide: Int
    let mostResultPixels: Int

    /// A plan for a job whose source has the given header, and a detector that finds objects of at least that side.
    ///
    /// - Parameters:
    ///   - job: What is asked for.
    ///   - header: Of its source.
    ///   - smallestDetectableSide: Of an object, in pixels of what the detector is given.
    ///   - mostResultPixels: More than these no result will have.
    package init(job: FrameJob, header: ImageHeader, smallestDetectableSide: Int, mostResultPixels: Int = .max) {
        self.job = job
        self.header = header
        self.smallestDetectableSide = smallestDetectableSide
        self.mostResultPixels = mostResultPixels
    }

    /// The sizes at which the detector looks.
    package var search: SearchPlan {
        SearchPlan(
            for: header.size,
            smallestFace: job.options.smallestFace ?? job.options.accuracy.smallestFace,
            smallestDetectableSide: smallestDetectableSide
        )
    }

    /// The scale that serves the detector's first look, and the result as far as it is known before the faces are.
    package var firstScale: DecodeScale {
        var first = job.needsFaces ? firstLookScale : Self.coarsest
        switch job.rendering {
        case nil, .cutting: break
        case .drawing:
            first = max(first, scale(for: DebugStage.size(for: header.size), from: header.size))
        case .scaling:
            for aspect in renderedAspects {
                if job.options.framing.fit == .pad {
                    first = max(first, resultScale(for: wholeResult(aspect).picture.size, from: header.size))
                    continue
                }
                let widest = aspect?.widestCrop(in: header.size) ?? header.size
                first = max(
                    first,
                    resultScale(for: job.options.resultSize.resolved(for: widest, aspect: aspect), from: widest)
                )
            }
        }
        return first
    }

    /// The scale that serves a crop once it is known.
    package func scale(for crop: FramePlan.Crop) -> DecodeScale {
        resultScale(for: crop.picture.size, from: crop.rect.size)
    }

    /// The scale of the pixels from which attention is computed.
    ///
    /// If faces are searched for, it is that of the first detection pass, whose pixels are usually decoded already. It does
    /// not depend on the result, so that all results have the same crop.
    package var attentionScale: DecodeScale {
        let least = scale(for: AttentionStage(sourceSize: header.size).workingSize, from: header.size)
        return job.needsFaces ? max(least, firstLookScale) : least
    }

    private var firstLookScale: DecodeScale { scale(for: search.looks[0].workingSize, from: header.size) }

    /// The shapes of which images are made.
    private var renderedAspects: [AspectRatio?] {
        switch (job.answer.crops, job.answer.product) {
        case (.shapes, .images): job.options.aspects
        default: [job.options.aspects[0]]
        }
    }

    /// The most pixels that the pictures of all faces may have together, so that their files have a known size.
    ///
    /// Faces side by side share the source's pixels among them; more than twice as many is padding over padding.
    package var mostPortraitPixels: Int { max(2 * header.size.area, 4_000_000) }

    /// The memory that the job needs at most, known from the header alone.
    package var bytesNeeded: Int {
        let mayDecodeAgain =
            job.rendering == .scaling && (job.options.framing.mayTighten || job.answer.crops != .shapes)
        var bytes = header.decodedBytes(atScale: mayDecodeAgain ? .full : firstScale)
        if job.needsFaces {
            // The finest look may need the luma at another scale than the result does.
            let finest = scale(for: search.finestSize, from: header.size)
            if finest != firstScale { bytes += header.size(atScale: finest).area }
            // The working image, its pyramid (3.3 times its area), and 31 feature planes of floats, a cell for 64 pixels.
            bytes += search.finestSize.area * 10
        }
        if job.mayNeedAttention {
            // The small colour picture comes on top of whatever else is held; a PNG's is the whole one.
            bytes += attentionScale == firstScale ? header.size.area : header.decodedBytes(atScale: attentionScale)
        }
        switch job.rendering {
        case nil: break
        case .drawing:
            // The planes of the result, a copy of them to draw on, one of what was drawn, and the encoded file.
            bytes += DebugStage.size(for: header.size).area * 12
        case .cutting:
            // The coefficients, and the encoded file, whose buffer grows by doubling.
            bytes += (header.losslessCropping?.bytesNeeded ?? 0) + 3 * job.source.count
        case .scaling:
            for aspect in renderedAspects {
                bytes += min(largestOutput(aspect).area, mostResultPixels) * bytesPerResultPixel
            }
            // The encoded files of those that were made before.
            if job.answer.crops == .everyFace { bytes += mostPortraitPixels * 3 }
        }
        return bytes
    }

    /// The planes of the result, a conversion of them, and the encoded file; with bars the picture in it as well, and with
    /// transparent ones the alpha of all that, which libwebp holds twice more.
    private var bytesPerResultPixel: Int {
        switch job.options.framing.fit {
        case .cover: 8
        case .pad, .auto: job.options.background == .transparent ? 16 : 12
        }
    }

    /// The result that shows the whole source, with bars.
    private func wholeResult(_ aspect: AspectRatio?) -> (size: PixelSize, picture: PixelRect) {
        let frame = Framer.padded([], in: header.size, aspect: aspect, gravity: job.options.framing.gravity)
        return job.options.resultSize.resolved(for: frame, aspect: aspect)
    }

    private func largestOutput(_ aspect: AspectRatio?) -> PixelSize {
        if job.options.framing.fit == .pad { return wholeResult(aspect).size }
        let widest = aspect?.widestCrop(in: header.size) ?? header.size
        var candidates = [job.options.resultSize.resolved(for: widest, aspect: aspect)]
        if job.options.framing.gravity.needsFaces {
            // The whole image may become the result, when nobody is found in it.
            if job.options.framing.fallback == .original {
                candidates.append(job.options.resultSize.resolved(for: header.size, aspect: aspect))
            }
            // Heads from edge to edge may need all of it, and bars.
            if job.options.framing.fit == .auto, let aspect {
                let bars = Letterbox(around: header.size, aspect: aspect)
                candidates.append(job.options.resultSize.resolved(for: bars.size, aspect: aspect))
            }
        }
        return candidates.max { $0.area < $1.area } ?? widest
    }

    /// How much a result is scaled down at least after the decoder has reduced it.
    ///
    /// The decoder drops frequencies block by block, which leaves artefacts that scaling takes away: against Lanczos from
    /// the whole picture, photographs at 1/4 of their size had a mean SSIM of 0.984 without, 0.993 with 1.5 and 0.996 with
    /// 2 times as many pixels a side as the result.
    static let leastReduction = 1.5

    private func resultScale(for size: PixelSize, from region: PixelSize) -> DecodeScale {
        let wanted = PixelSize(
            width: Int((Double(size.width) * Self.leastReduction).rounded(.up)),
            height: Int((Double(size.height) * Self.leastReduction).rounded(.up))
        )
        return scale(for: wanted, from: region)
    }

    private func scale(for size: PixelSize, from region: PixelSize) -> DecodeScale {
        DecodeScale.smallest(of: header, atLeast: size, from: region)
    }

    private static let coarsest = DecodeScale(eighths: 1)
}
