import FaceDetection
import Framing
import Geometry
import Imaging
import SubjectDetection

/// The search for people, animals and things with the subject network, for one worker.
///
/// It runs if no face is certain. Its people decide whether rotated copies are searched for faces, and its subjects
/// determine the crop if no face is found.
struct SubjectSearch {
    private let network: SubjectNetwork

    /// Creates the search of one worker; nil if the program was built without the network.
    ///
    /// - Throws: ``DetectionError``.
    init?() throws {
        guard SubjectNetwork.isAvailable else { return nil }
        network = try SubjectNetwork()
    }

    /// Returns the memory of a search in bytes: the network's input and its working memory.
    static func bytes(for size: PixelSize) -> Int {
        guard SubjectNetwork.isAvailable else { return 0 }
        let input = SubjectNetwork.inputSize(of: size)
        return SubjectNetwork.memory(for: input) + 6 * input.area
    }

    /// Finds the subjects of an image, the highest scores first.
    ///
    /// - Parameters:
    ///   - colors: The whole image without alpha, at any scale.
    ///   - size: The size of the upright image; the subjects are in its pixels.
    /// - Returns: The subjects with a score of at least ``SubjectNetwork/lowestThreshold``, and the time of the search.
    /// - Throws: ``PipelineError``.
    func subjects(in colors: PlanarImage, size: PixelSize) throws(PipelineError) -> SubjectFindings {
        let start = ContinuousClock.now
        let planes = try codec(
            colors.networkInput(FractionalRect(PixelRect(colors.size)), to: SubjectNetwork.inputSize(of: size))
        )
        let found = try detecting("subjects") {
            try planes[0].withView { red in
                try planes[planes.count / 2].withView { green in
                    try planes[planes.count - 1].withView { blue in
                        try network.detect(
                            red: red,
                            green: green,
                            blue: blue,
                            threshold: SubjectNetwork.lowestThreshold,
                            in: size
                        )
                    }
                }
            }
        }
        return SubjectFindings(subjects: found, duration: .now - start)
    }
}
