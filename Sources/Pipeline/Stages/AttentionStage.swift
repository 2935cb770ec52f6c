import Framing
import Geometry
import Imaging

/// Finds where there is something to look at, for crops that no face decides.
struct AttentionStage {
    /// The upright source's size.
    let sourceSize: PixelSize

    /// The size at which the source is looked at.
    var workingSize: PixelSize { AttentionMap.workingSize(for: sourceSize) }

    /// What each column and row of the source holds.
    ///
    /// - Parameters:
    ///   - image: The upright source at any scale.
    ///   - doubts: What a search that found nobody saw; nil where people are expected in any case.
    /// - Returns: Weights, whatever the scale of `image`, at the same working size.
    /// - Throws: ``PipelineError/codec(_:)`` when there is no memory to scale it.
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
