import FaceDetection
import Framing
import Geometry

/// The passes of a ``NetworkSearch`` over an image, derived from the search task.
///
/// docs/contributing/framing-research.md contains the measurements.
struct NetworkPasses {
    /// The size of the upright source.
    let size: PixelSize
    /// The sizes of the network's inputs for the whole image, one for each pass, in descending order; at least one.
    let inputs: [PixelSize]
    /// The size of the input of a finer pass that runs if the other passes find an uncertain face; nil if another pass
    /// is already as fine.
    let decidingInput: PixelSize?
    /// The part of the source that gets a separate pass; nil for none.
    let closeUp: PixelRect?
    /// The pass of the other detector, for the second opinion and for rotated images.
    let secondOpinion: SearchPlan.Pass
    /// Whether the second opinion is limited to uncertain faces of the network.
    let confirmsOnlyUncertain: Bool

    /// The smallest face of the second opinion, as a fraction of the image's short side.
    ///
    /// dlib's window has 80 pixels, and the image is scaled to a short side of 480.
    private static let smallestOfSecondOpinion = 1.0 / 6

    /// The minimum enlargement of a part in a separate pass, relative to the pass over the whole image.
    private static let minGain = 1.25

    /// Derives the passes of a task.
    ///
    /// - Parameters:
    ///   - task: The search.
    ///   - smallestDetectableSide: The side of the smallest face that the other detector finds, in pixels of its input.
    init(_ task: SearchTask, smallestDetectableSide: Int) {
        let size = task.size
        self.size = size
        let sides = Self.sides(for: task)
        inputs = sides.map { FaceNetwork.inputSize(of: size, longSide: $0) }
        decidingInput = sides[0] < FaceNetwork.longSide ? FaceNetwork.inputSize(of: size) : nil
        closeUp = task.region.flatMap { Self.closeUp(of: $0, in: size) }
        secondOpinion =
            SearchPlan(
                for: size,
                smallestFace: Self.smallestOfSecondOpinion,
                smallestDetectableSide: smallestDetectableSide
            ).passes[0]
        confirmsOnlyUncertain = task.accuracy == .low
    }

    /// Returns the long sides of the network's inputs in pixels, in descending order; at least one.
    ///
    /// If the usual passes would miss the smallest face, a finer pass comes first.
    private static func sides(for task: SearchTask) -> [Int] {
        var sides = task.accuracy == .low ? [FaceNetwork.fastLongSide] : [FaceNetwork.longSide]
        // A coarser pass finds larger faces, and averaging the boxes of both passes makes them more exact.
        if task.accuracy == .high, task.refinesBoxes { sides.append(FaceNetwork.fastLongSide) }
        guard let smallestFace = task.smallestFace else { return sides }
        let side = FaceNetwork.smallestFace * Double(task.size.longSide) / smallestFace
        let finest = Int(min(side, Double(FaceNetwork.maxLongSide)).rounded())
        return finest > sides[0] ? [finest] + sides : sides
    }

    /// Returns `area` if it gets a separate network pass; nil if that pass would enlarge it by less than ``minGain``.
    private static func closeUp(of area: PixelRect, in size: PixelSize) -> PixelRect? {
        let (part, whole) = (FaceNetwork.inputSize(of: area.size), FaceNetwork.inputSize(of: size))
        let gain = Double(part.width) / Double(area.width) / (Double(whole.width) / Double(size.width))
        return gain >= minGain ? area : nil
    }

    /// The size of the source when it is decoded once for all passes, with the source's aspect ratio.
    ///
    /// This is the maximum size that any pass needs.
    var searchedSize: PixelSize {
        let sizes = [inputs[0], secondOpinion.workingSize] + [closeUp.map(wholeSize)].compactMap(\.self)
        return sizes.max { $0.width < $1.width } ?? secondOpinion.workingSize
    }

    /// The area of the largest of the network's inputs, in pixels.
    var maxInputArea: Int {
        let part = closeUp.map { FaceNetwork.inputSize(of: $0.size).area } ?? 0
        return max(decidingInput?.area ?? 0, inputs[0].area, part)
    }

    /// Returns the size of the whole source at the scale that a pass over a part needs.
    private func wholeSize(for part: PixelRect) -> PixelSize {
        let input = FaceNetwork.inputSize(of: part.size)
        let scale = min(1, Double(input.width) / Double(part.width))
        return size.scaled(by: scale, .up)
    }
}
