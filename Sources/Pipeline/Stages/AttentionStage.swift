import Framing
import Geometry
import Imaging

/// Computes the attention profile of a source, for crops that are not placed by faces.
struct AttentionStage {
    /// The size of the upright source, in pixels.
    let sourceSize: PixelSize

    /// The size at which attention is computed, in pixels.
    var workingSize: PixelSize { AttentionMap.workingSize(for: sourceSize) }

    /// The attention of each column and row of the source.
    ///
    /// - Parameters:
    ///   - image: The upright source at any scale.
    ///   - doubts: The doubtful detections of a search without faces; nil if people are likely in any case.
    /// - Returns: The profile; all scales of `image` are reduced to the same working size.
    /// - Throws: ``PipelineError/codec(_:)`` if memory for the reduced image is not available.
    func profile(of image: PlanarImage, doubts: FacePlausibility?) throws(PipelineError) -> AttentionProfile {
        let small: PlanarImage
        do {
            small = try Resampler.resample(
                image,
                region: ResampleRegion(PixelRect(image.size)),
                to: workingSize,
                model: .ycbcr(.none)
            )
        } catch {
            throw .codec(error)
        }
        let planes = small.planes
        return planes[0].withUnsafeSamples { luma in
            planes[1].withUnsafeSamples { blue in
                planes[2].withUnsafeSamples { red in
                    let rest = doubts?.remains(
                        luma: luma.span,
                        blue: blue.span,
                        red: red.span,
                        size: small.size,
                        bytesPerRow: planes[0].bytesPerRow
                    )
                    return AttentionMap(
                        luma: luma.span,
                        blue: blue.span,
                        red: red.span,
                        size: small.size,
                        bytesPerRow: planes[0].bytesPerRow,
                        expecting: rest ?? true ? .people : .things
                    ).profile
                }
            }
        }
    }
}
