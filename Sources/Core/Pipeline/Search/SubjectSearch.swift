import FaceDetection
import Framing
import Geometry
import Imaging
import SubjectDetection

/// A worker's search for people, animals and things with the subject network.
///
/// It runs if no face is certain. If it finds people, rotated copies are also searched for faces. If no face is found,
/// its subjects determine the crop.
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
        return SubjectFindings(subjects: try subjects(in: planes, size: size), duration: .now - start)
    }

    /// Finds the people of a video frame, including people whose face is not visible.
    ///
    /// - Parameter frame: A frame.
    /// - Returns: The people with their estimated heads; people whose head is outside the frame are not included.
    /// - Throws: ``PipelineError``.
    func people(in frame: RawFrame) throws(PipelineError) -> [FramePerson] {
        let input = SubjectNetwork.inputSize(of: frame.size)
        let planes = try codec(frame.colors(in: PixelRect(frame.size), scaledTo: input))
        return try subjects(in: planes, size: frame.size).compactMap { $0.person(in: frame.size) }
    }

    private func subjects(in planes: [Plane], size: PixelSize) throws(PipelineError) -> [DetectedSubject] {
        try detecting("subjects") {
            try planes.withColorViews { red, green, blue in
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
