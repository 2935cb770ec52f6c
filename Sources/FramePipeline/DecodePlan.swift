package import Framing
package import ImageCodec

/// Chooses the scale at which a source is decoded: the smallest that serves the detector and the result.
package struct DecodePlan: Sendable {
    let job: FrameJob
    let header: ImageHeader
    let smallestDetectableSide: Int

    /// A plan for a job whose source has the given header, and a detector that finds objects of at least that side.
    package init(job: FrameJob, header: ImageHeader, smallestDetectableSide: Int) {
        self.job = job
        self.header = header
        self.smallestDetectableSide = smallestDetectableSide
    }

    /// The scales that are worth having.
    ///
    /// libjpeg-turbo halves while it decodes, almost for free. The scales between (3/8, 5/8, …) have no SIMD code there
    /// and cost more than the next power of two, so they are left out.
    private static let cheapScales = [1, 2, 4].map { DecodeScale(eighths: $0) }

    /// The size at which the detector looks.
    package var workingSize: PixelSize {
        WorkingSize(for: header.size, accuracy: job.accuracy, smallestDetectableSide: smallestDetectableSide).size
    }

    /// The scale that serves the detector, and the result as far as it is known before the faces are.
    package var firstScale: DecodeScale {
        var share = job.needsFaces ? Self.share(for: workingSize, from: header.size) : 0
        if job.showsWholePicture {
            share = max(share, Self.share(for: DebugStage.size(for: header.size), from: header.size))
        } else if job.imageOutput != nil {
            for aspect in renderedAspects {
                let widest = aspect?.widestCrop(in: header.size) ?? header.size
                let output = job.resultSize.resolved(for: widest, aspect: aspect)
                share = max(share, Self.share(for: output, from: widest))
            }
        }
        return scale(atLeast: share)
    }

    /// The scale that serves a crop once it is known.
    package func scale(for crop: FramePlan.Crop) -> DecodeScale {
        scale(atLeast: Self.share(for: crop.output, from: crop.rect.size))
    }

    /// The shapes of which images are made.
    private var renderedAspects: [AspectRatio?] {
        if case .crops = job.answer { job.aspects } else { [job.aspects[0]] }
    }

    /// The most pixels that the pictures of all faces may have together, so that their files have a known size.
    ///
    /// Faces side by side share the source's pixels among them; more than twice as many is padding over padding.
    package var mostPortraitPixels: Int { max(2 * header.size.area, 4_000_000) }

    /// The memory that the job needs at most, known from the header alone.
    package var bytesNeeded: Int {
        let mayDecodeAgain = job.rendersCrop && (job.framing.zoom > 0 || job.faceIndex != nil || job.wantsPortraits)
        var bytes = header.decodedBytes(atScale: mayDecodeAgain ? .full : firstScale)
        // The working image, its pyramid (3.3 times its area), and 31 feature planes of floats, one cell for 64 pixels.
        if job.needsFaces { bytes += workingSize.area * 10 }
        if job.showsWholePicture {
            // The planes of the result, a copy of them to draw on, one of what was drawn, and the encoded file.
            bytes += DebugStage.size(for: header.size).area * 12
        } else if job.imageOutput != nil {
            // The planes of the result, a conversion of them, and the encoded file.
            for aspect in renderedAspects { bytes += largestOutput(aspect).area * 8 }
            // The encoded files of those that were made before.
            if job.wantsPortraits { bytes += mostPortraitPixels * 3 }
        }
        return bytes
    }

    private func largestOutput(_ aspect: AspectRatio?) -> PixelSize {
        let widest = aspect?.widestCrop(in: header.size) ?? header.size
        let output = job.resultSize.resolved(for: widest, aspect: aspect)
        guard job.framing.gravity.needsFaces, job.framing.fallback == .original else { return output }
        // The whole image may become the result, when nobody is found in it.
        let whole = job.resultSize.resolved(for: header.size, aspect: aspect)
        return whole.area > output.area ? whole : output
    }

    /// The smallest scale at which the decoded image has at least `share` of the source's pixels on each side.
    private func scale(atLeast share: Double) -> DecodeScale {
        guard header.format == .jpeg else { return .full }
        return Self.cheapScales.first { Double($0.eighths) / 8 >= share } ?? .full
    }

    /// The share of the source's sides that a size needs when it shows `region`.
    private static func share(for size: PixelSize, from region: PixelSize) -> Double {
        max(Double(size.width) / Double(region.width), Double(size.height) / Double(region.height))
    }
}
