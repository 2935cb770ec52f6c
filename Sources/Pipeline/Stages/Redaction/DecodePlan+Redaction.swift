import Geometry
import Imaging

extension DecodePlan {
    /// The passes of the search for heads to redact, which never are coarser than those of ``Accuracy/high``.
    package var redactionSearch: SearchPlan {
        let smallest = Accuracy.high.smallestFace
        return SearchPlan(
            for: header.size,
            smallestFace: min(job.options.smallestFace ?? smallest, smallest),
            smallestDetectableSide: smallestDetectableSide
        )
    }

    /// The search for heads to redact.
    var redactionFaces: FaceSearch {
        FaceSearch(plan: redactionSearch, size: header.size, smallestFace: nil, looksTurned: true)
    }

    /// Memory for redaction in bytes: for the passes of its search as far as they are finer, for the views of a picture with
    /// alpha, of which those of two frames are compared, and for a copy of the pixels.
    var redactionBytes: Int {
        let finest = redactionSearch.finestSize
        // With a network, the search of the crop has no such passes.
        let passes = (hasNetwork ? finest.area : max(0, finest.area - search.finestSize.area)) * 10
        let luma = header.size(atScale: scale(for: finest, from: header.size)).area
        let views = header.hasAlpha || header.format == .gif ? header.size.area * (animation == nil ? 4 : 12) : 0
        return passes + luma + views + header.decodedBytes(atScale: .full)
    }
}
