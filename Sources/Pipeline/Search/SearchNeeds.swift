import FaceDetection
import Geometry
package import Imaging

/// What a search needs of a job, known from the source's header: scales and memory.
package protocol SearchNeeds: Sendable {
    /// The side of the smallest face that the detector of luma finds, in pixels of its input.
    var smallestDetectableSide: Int { get }

    /// The scale at which the source is decoded for the first pass.
    func firstScale(of plan: DecodePlan) -> DecodeScale

    /// Memory of the search for framing in bytes.
    func searchBytes(of plan: DecodePlan) -> Int

    /// Memory of the passes of a redaction in bytes, as far as the search for framing has not reserved it.
    func redactionBytes(of plan: DecodePlan) -> Int
}

extension SearchNeeds {
    /// Memory of one pass of a detector in bytes: a working image, its pyramid (3.3 times its area), and 31 feature
    /// planes of floats, one cell for 64 pixels.
    func passBytes(_ size: PixelSize) -> Int { size.area * 10 }
}

/// The needs of a ``PyramidSearch``.
package struct PyramidNeeds: SearchNeeds {
    package let smallestDetectableSide: Int

    /// The needs of a detector whose smallest face has a side of `smallestDetectableSide` pixels of its input.
    package init(smallestDetectableSide: Int) { self.smallestDetectableSide = smallestDetectableSide }

    package func firstScale(of plan: DecodePlan) -> DecodeScale {
        plan.scale(for: plan.search.passes[0].workingSize, from: plan.header.size)
    }

    package func searchBytes(of plan: DecodePlan) -> Int {
        // The finest pass may need the luma at another scale than the result.
        let size = plan.search.finestSize
        let finest = plan.scale(for: size, from: plan.header.size)
        let luma = finest == plan.firstScale ? 0 : plan.header.size(atScale: finest).area
        return luma + passBytes(size)
    }

    package func redactionBytes(of plan: DecodePlan) -> Int {
        max(0, passBytes(plan.redactionSearch.finestSize) - passBytes(plan.search.finestSize))
    }
}

/// The needs of a ``NetworkSearch``.
package struct NetworkNeeds: SearchNeeds {
    package let smallestDetectableSide: Int

    /// The needs of a network beside a detector whose smallest face has a side of `smallestDetectableSide` pixels of
    /// its input.
    package init(smallestDetectableSide: Int) { self.smallestDetectableSide = smallestDetectableSide }

    /// The scale of all passes: the source is decoded once for them.
    package func firstScale(of plan: DecodePlan) -> DecodeScale {
        let searched = SearchTask.searchedSize(
            of: plan.header.size,
            networkSides: plan.networkSides,
            closeUp: plan.closeUp,
            plan.secondOpinion
        )
        return plan.scale(for: searched, from: plan.header.size)
    }

    package func searchBytes(of plan: DecodePlan) -> Int {
        // The picture at the scale of the search, its luma, and the inputs of the network, one after the other.
        let scale = firstScale(of: plan)
        let picture = scale == plan.firstScale ? 0 : plan.header.decodedBytes(atScale: scale)
        let whole = FaceNetwork.inputSize(of: plan.header.size, longSide: plan.networkSides[0]).area
        let part = plan.closeUp.map { FaceNetwork.inputSize(of: $0.size).area } ?? 0
        return picture + plan.header.size(atScale: scale).area + max(whole, part) * 6
            + passBytes(plan.secondOpinion.workingSize)
    }

    /// The search for framing has no such passes.
    package func redactionBytes(of plan: DecodePlan) -> Int { passBytes(plan.redactionSearch.finestSize) }
}
