package import Geometry
package import Imaging
import SubjectDetection

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
