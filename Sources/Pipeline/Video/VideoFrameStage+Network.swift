import FaceDetection
import Geometry
import Imaging

/// The search of a detector with a network, which looks at the colours of a frame.
///
/// HOG has no second opinion here: on moving pictures it changed no crop.
extension VideoFrameStage {
    /// The long side of the picture at which the network looks for small faces, in pixels: with 640 pixels it finds 85 % of
    /// the faces of 12 to 16 pixels of a frame of that size, with these as well 99 %.
    private static let fineLongSide = 1280.0
    /// The largest enlargement for it.
    private static let mostEnlargement = 2.0
    /// The side in this picture of the smallest face that is searched, in pixels.
    private static let smallestSide = 14.4
    /// The least confidence of a face that only the coarser look sees, a score of 0.8.
    private static let leastOfCoarserLook = 0.129

    /// The sizes at which the network looks at a frame, the larger first.
    static func networkInputs(for size: PixelSize, smallestFace: Double) -> [PixelSize] {
        let wanted = smallestSide / (smallestFace * Double(size.shortSide)) * Double(size.longSide)
        let most = min(fineLongSide, mostEnlargement * Double(size.longSide))
        let coarse = FaceNetwork.inputSize(of: size)
        let fine = FaceNetwork.inputSize(of: size, longSide: Int(min(wanted, most)))
        return fine.longSide > coarse.longSide ? [fine, coarse] : [coarse]
    }

    /// Searches all of a frame with the network.
    ///
    /// - Returns: Detections from ``doubtful`` on, in pixels of the frame, and those of all looks.
    /// - Throws: ``PipelineError``.
    func faces(
        in frame: RawFrame,
        _ network: FaceNetwork
    ) throws(PipelineError) -> (sure: [Face], doubtful: [Face], all: [Face]) {
        var (sure, doubtful, all): ([Face], [Face], [Face]) = ([], [], [])
        for (index, input) in Self.networkInputs(for: size, smallestFace: smallestFace).enumerated() {
            let found = try Self.faces(in: frame, PixelRect(size), scaledTo: input, network)
            let least = index == 0 ? 0 : Self.leastOfCoarserLook
            for face in Duplicates.merged(found.filter({ $0.confidence > 0 }), in: size).kept {
                if let same = sure.firstIndex(where: { Duplicates.isSame($0.box, face.box) }) {
                    sure[same].average(with: face, in: size)
                } else if face.confidence > least {
                    sure.append(face)
                }
            }
            doubtful += found.filter { $0.confidence <= 0 && $0.confidence >= Self.doubtful }
            all += found
        }
        return (sure, doubtful, all)
    }

    /// What the network finds in a part of a frame.
    ///
    /// - Parameters:
    ///   - frame: A frame.
    ///   - region: The part, within it.
    ///   - input: The size at which the network looks.
    ///   - network: The network.
    /// - Returns: Faces from ``RedactedHead/leastContinued`` on, in pixels of the frame.
    /// - Throws: ``PipelineError``.
    static func faces(
        in frame: RawFrame,
        _ region: PixelRect,
        scaledTo input: PixelSize,
        _ network: FaceNetwork
    ) throws(PipelineError) -> [Face] {
        let planes: [Plane]
        do {
            planes = try frame.colors(in: region, scaledTo: input)
        } catch {
            throw .codec(error)
        }
        let detections: [Detection]
        do {
            detections = try FaceSearch.views(planes) { red, green, blue in
                try network.detect(red: red, green: green, blue: blue, threshold: RedactedHead.leastContinued)
            }
        } catch {
            throw .detector("yunet: \(error)")
        }
        return detections.compactMap { Face($0.placed(region, input, in: frame.size), in: frame.size) }
    }
}
