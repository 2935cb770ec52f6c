import Framing
import Geometry
import Imaging

/// Computes the attention profile of a source, for crops that are not placed by faces.
struct AttentionStage {
    /// The size of the upright source, in pixels.
    let sourceSize: PixelSize

    /// The size at which the source is analysed.
    var workingSize: PixelSize { AttentionImage.workingSize(for: sourceSize) }

    /// The attention profile of the source.
    ///
    /// - Parameters:
    ///   - image: The upright source at any scale.
    ///   - doubtfulFaces: The detections below the threshold of a search that found no face; nil if people are expected
    ///     in any case.
    /// - Returns: Weights at ``workingSize``, whatever the scale of `image`.
    /// - Throws: ``PipelineError/codec(_:)`` when there is no memory to scale it.
    func profile(of image: PlanarImage, doubtfulFaces: FacePlausibility?) throws(PipelineError) -> AttentionProfile {
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
        let working = AttentionImage(
            luma: Self.samples(of: small.planes[0]),
            blue: Self.samples(of: small.planes[1]),
            red: Self.samples(of: small.planes[2]),
            size: small.size
        )
        let expectsPeople = doubtfulFaces?.isAnyPlausible(in: working) ?? true
        return AttentionMap(working, expecting: expectsPeople ? .people : .things).profile
    }

    /// The samples of a plane, row by row without padding.
    private static func samples(of plane: Plane) -> [UInt8] {
        plane.withUnsafeSamples { samples in
            (0..<plane.size.height).flatMap { y in
                samples[(y * plane.bytesPerRow)..<(y * plane.bytesPerRow + plane.size.width)]
            }
        }
    }
}
