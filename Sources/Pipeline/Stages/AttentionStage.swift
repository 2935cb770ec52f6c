import Framing
import Geometry
import Imaging

/// Computes the attention profile of a source, for crops that are not placed by faces.
struct AttentionStage {
    /// The size of the upright source, in pixels.
    let sourceSize: PixelSize
    /// The part of the source that is analysed.
    let area: PixelRect

    /// The size at which the part is analysed.
    var workingSize: PixelSize { AttentionImage.workingSize(for: area.size) }

    /// The attention profile of the part.
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
                region: region(in: image.size),
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

    /// The part in pixels of the source at another scale.
    private func region(in size: PixelSize) -> FractionalRect {
        if area == PixelRect(sourceSize) { return FractionalRect(PixelRect(size)) }
        return RenderStage.region(of: area, in: size, source: sourceSize)
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
