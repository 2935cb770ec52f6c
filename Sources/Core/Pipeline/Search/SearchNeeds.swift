import FaceDetection
package import Geometry
package import Imaging
import SubjectDetection

/// The scales and the memory that a search needs, derived from the source's header.
package protocol SearchNeeds: Sendable {
    /// The side of the smallest face that the luma detector finds, in pixels of its input.
    var smallestDetectableSide: Int { get }

    /// Returns the size of the decoded source for the first pass, with the source's aspect ratio.
    func firstSize(of task: SearchTask) -> PixelSize

    /// Returns the memory of the search for framing, in bytes.
    ///
    /// - Parameters:
    ///   - task: The search.
    ///   - header: The header of the source.
    ///   - scale: The scale of the job's first decode, which the search uses too.
    /// - Returns: The maximum number of bytes in addition to the image at that scale.
    func searchBytes(of task: SearchTask, in header: ImageHeader, at scale: DecodeScale) -> Int

    /// Returns the memory for redaction passes that the search for framing has not already reserved, in bytes.
    ///
    /// - Parameters:
    ///   - redaction: The passes of the redaction.
    ///   - framing: The passes of the search for framing.
    /// - Returns: The bytes in addition to the memory of the search for framing.
    func redactionBytes(of redaction: SearchPlan, beside framing: SearchPlan) -> Int
}

extension SearchNeeds {
    /// Returns the memory of one pass of a detector, in bytes.
    ///
    /// It consists of a working image, its pyramid (3.3 times its area), and 31 feature planes of floats, with one cell
    /// per 64 pixels.
    func passBytes(_ size: PixelSize) -> Int { size.area * 10 }
}

/// The needs of a ``PyramidSearch``.
package struct PyramidNeeds: SearchNeeds {
    package let smallestDetectableSide: Int

    /// Creates the needs of a detector; `smallestDetectableSide` is the side of its smallest face in pixels of its
    /// input.
    package init(smallestDetectableSide: Int) { self.smallestDetectableSide = smallestDetectableSide }

    package func firstSize(of task: SearchTask) -> PixelSize { task.plan.passes[0].workingSize }

    package func searchBytes(of task: SearchTask, in header: ImageHeader, at scale: DecodeScale) -> Int {
        // The finest pass may need luma at another scale than the result.
        let size = task.plan.finestSize
        let finest = DecodeScale.smallest(of: header, atLeast: size, from: header.size)
        // Subjects are searched in colours, which may need another scale than the result.
        let input = SubjectNetwork.inputSize(of: header.size)
        let colors = DecodeScale.smallest(of: header, atLeast: input, from: header.size)
        let subjects =
            (SubjectNetwork.isAvailable && colors != scale ? header.decodedBytes(atScale: colors) : 0)
            + SubjectSearch.bytes(for: header.size)
        return (finest == scale ? 0 : header.size(atScale: finest).area) + passBytes(size) + subjects
    }

    package func redactionBytes(of redaction: SearchPlan, beside framing: SearchPlan) -> Int {
        max(0, passBytes(redaction.finestSize) - passBytes(framing.finestSize))
    }
}

/// The needs of a ``NetworkSearch``.
package struct NetworkNeeds: SearchNeeds {
    package let smallestDetectableSide: Int

    /// Creates the needs of a network with a second detector.
    ///
    /// `smallestDetectableSide` is the side of the detector's smallest face in pixels of its input.
    package init(smallestDetectableSide: Int) { self.smallestDetectableSide = smallestDetectableSide }

    /// Returns the size for all passes, because the source is decoded once for all of them.
    package func firstSize(of task: SearchTask) -> PixelSize {
        SearchTask.searchedSize(
            of: task.size,
            networkSides: task.networkSides,
            closeUp: task.closeUp,
            secondOpinion(on: task.size)
        )
    }

    package func searchBytes(of task: SearchTask, in header: ImageHeader, at scale: DecodeScale) -> Int {
        // The image at the scale of the search, its luma, and one of the network's inputs, because only one input is in
        // memory at a time.
        let own = DecodeScale.smallest(of: header, atLeast: firstSize(of: task), from: header.size)
        let image = own == scale ? 0 : header.decodedBytes(atScale: own)
        let side = max(task.networkSides[0], task.decidingSide ?? 0)
        let whole = FaceNetwork.inputSize(of: task.size, longSide: side).area
        let part = task.closeUp.map { FaceNetwork.inputSize(of: $0.size).area } ?? 0
        return image + header.size(atScale: own).area + max(whole, part) * 6
            + passBytes(secondOpinion(on: task.size).workingSize) + SubjectSearch.bytes(for: header.size)
    }

    /// Returns the memory of all passes for redaction; the search for framing runs none of these passes.
    package func redactionBytes(of redaction: SearchPlan, beside framing: SearchPlan) -> Int {
        passBytes(redaction.finestSize)
    }

    private func secondOpinion(on size: PixelSize) -> SearchPlan.Pass {
        SearchTask.secondOpinion(on: size, smallestDetectableSide: smallestDetectableSide)
    }
}
