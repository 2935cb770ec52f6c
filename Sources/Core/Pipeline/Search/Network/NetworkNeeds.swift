package import Geometry
package import Imaging

/// The needs of a ``NetworkSearch``.
package struct NetworkNeeds: SearchNeeds {
    package let smallestDetectableSide: Int

    /// Creates the needs of a network with a second detector.
    ///
    /// `smallestDetectableSide` is the side of the detector's smallest face in pixels of its input.
    package init(smallestDetectableSide: Int) { self.smallestDetectableSide = smallestDetectableSide }

    /// Returns the size for all passes, because the source is decoded once for all of them.
    package func firstSize(of task: SearchTask) -> PixelSize { passes(of: task).searchedSize }

    package func searchBytes(of task: SearchTask, in header: ImageHeader, at scale: DecodeScale) -> Int {
        let passes = passes(of: task)
        // The image at the scale of the search, its luma, and one of the network's inputs, because only one input is in
        // memory at a time.
        let own = DecodeScale.smallest(of: header, atLeast: passes.searchedSize, from: header.size)
        let image = own == scale ? 0 : header.decodedBytes(atScale: own)
        return image + header.size(atScale: own).area + passes.maxInputArea * 6
            + passBytes(passes.secondOpinion.workingSize) + SubjectSearch.bytes(for: header.size)
    }

    /// Returns the memory of all passes for redaction; the search for framing runs none of these passes.
    package func redactionBytes(of redaction: SearchPlan, beside framing: SearchPlan) -> Int {
        passBytes(redaction.finestSize)
    }

    private func passes(of task: SearchTask) -> NetworkPasses {
        NetworkPasses(task, smallestDetectableSide: smallestDetectableSide)
    }
}
