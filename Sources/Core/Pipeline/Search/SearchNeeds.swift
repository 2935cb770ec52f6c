import FaceDetection
package import Geometry
package import Imaging

/// What a search needs of a job, known from the source's header: scales and memory.
package protocol SearchNeeds: Sendable {
    /// The side of the smallest face that the detector of luma finds, in pixels of its input.
    var smallestDetectableSide: Int { get }

    /// The size at which the source, in its own shape, is decoded for the first pass.
    func firstSize(of task: SearchTask) -> PixelSize

    /// Memory of the search for framing in bytes.
    ///
    /// - Parameters:
    ///   - task: The search.
    ///   - header: The header of the source.
    ///   - scale: The scale at which the job decodes the source first, which serves the search too.
    /// - Returns: The most bytes that it holds beside the image at that scale.
    func searchBytes(of task: SearchTask, in header: ImageHeader, at scale: DecodeScale) -> Int

    /// Memory of the passes of a redaction in bytes, as far as the search for framing has not reserved it.
    ///
    /// - Parameters:
    ///   - redaction: The passes of the redaction.
    ///   - framing: Those of the search for framing.
    /// - Returns: The bytes beside those of the search for framing.
    func redactionBytes(of redaction: SearchPlan, beside framing: SearchPlan) -> Int
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

    package func firstSize(of task: SearchTask) -> PixelSize { task.plan.passes[0].workingSize }

    package func searchBytes(of task: SearchTask, in header: ImageHeader, at scale: DecodeScale) -> Int {
        // The finest pass may need the luma at another scale than the result.
        let size = task.plan.finestSize
        let finest = DecodeScale.smallest(of: header, atLeast: size, from: header.size)
        return (finest == scale ? 0 : header.size(atScale: finest).area) + passBytes(size)
    }

    package func redactionBytes(of redaction: SearchPlan, beside framing: SearchPlan) -> Int {
        max(0, passBytes(redaction.finestSize) - passBytes(framing.finestSize))
    }
}

/// The needs of a ``NetworkSearch``.
package struct NetworkNeeds: SearchNeeds {
    package let smallestDetectableSide: Int

    /// The needs of a network beside a detector whose smallest face has a side of `smallestDetectableSide` pixels of
    /// its input.
    package init(smallestDetectableSide: Int) { self.smallestDetectableSide = smallestDetectableSide }

    /// The size for all passes: the source is decoded once for them.
    package func firstSize(of task: SearchTask) -> PixelSize {
        SearchTask.searchedSize(
            of: task.size,
            networkSides: task.networkSides,
            closeUp: task.closeUp,
            secondOpinion(on: task.size)
        )
    }

    package func searchBytes(of task: SearchTask, in header: ImageHeader, at scale: DecodeScale) -> Int {
        // The image at the scale of the search, its luma, and the inputs of the network, one after the other.
        let own = DecodeScale.smallest(of: header, atLeast: firstSize(of: task), from: header.size)
        let image = own == scale ? 0 : header.decodedBytes(atScale: own)
        let whole = FaceNetwork.inputSize(of: task.size, longSide: task.networkSides[0]).area
        let part = task.closeUp.map { FaceNetwork.inputSize(of: $0.size).area } ?? 0
        return image + header.size(atScale: own).area + max(whole, part) * 6
            + passBytes(secondOpinion(on: task.size).workingSize)
    }

    /// The search for framing has no such passes.
    package func redactionBytes(of redaction: SearchPlan, beside framing: SearchPlan) -> Int {
        passBytes(redaction.finestSize)
    }

    private func secondOpinion(on size: PixelSize) -> SearchPlan.Pass {
        SearchTask.secondOpinion(on: size, smallestDetectableSide: smallestDetectableSide)
    }
}
