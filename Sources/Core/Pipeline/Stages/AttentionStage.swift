package import Framing
package import Geometry
package import Imaging

/// Computes the attention profile of a source, for crops that are not placed by faces.
package struct AttentionStage {
    /// The size of the upright source, in pixels.
    let sourceSize: PixelSize
    /// The analysed part of the source.
    let area: PixelRect

    /// Creates the analysis of a part of a source.
    ///
    /// - Parameters:
    ///   - sourceSize: The size of the upright source, in pixels.
    ///   - area: The analysed part, in pixels of the upright source.
    package init(sourceSize: PixelSize, area: PixelRect) {
        self.sourceSize = sourceSize
        self.area = area
    }

    /// The size of the scaled part for the analysis.
    var workingSize: PixelSize { AttentionImage.workingSize(for: area.size) }

    /// Returns the attention profile of the part: weights at ``workingSize``.
    ///
    /// The source may be decoded at any scale.
    ///
    /// The profile expects people if `doubtfulFaces` is nil, or if it contains a plausible face; a search has then
    /// found no certain face.
    ///
    /// - Throws: ``PipelineError/codec(_:)`` if memory is exhausted.
    package func profile(
        of image: PlanarImage,
        doubtfulFaces: FacePlausibility?
    ) throws(PipelineError) -> AttentionProfile {
        let small = try codec(
            Resampler.resample(image, region: region(in: image.size), to: workingSize, model: .ycbcr(.none))
        )
        let working = AttentionImage(
            luma: small.planes[0].compactSamples,
            blue: small.planes[1].compactSamples,
            red: small.planes[2].compactSamples,
            size: small.size
        )
        let expectsPeople = doubtfulFaces?.isAnyPlausible(in: working) ?? true
        return AttentionMap(working, expecting: expectsPeople ? .people : .things).profile
    }

    /// Returns the part in pixels of the source decoded at another scale, where the whole source has `size`.
    private func region(in size: PixelSize) -> FractionalRect {
        area == PixelRect(sourceSize)
            ? FractionalRect(PixelRect(size)) : RenderStage.region(of: area, in: size, source: sourceSize)
    }
}
