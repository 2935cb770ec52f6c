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

extension DetectedSubject {
    /// The space between a face of the network and the edge of its head, above and on each side, as fractions of the
    /// head's height and width.
    private static let (aboveFace, besideFace) = (0.31, 0.13)
    /// The minimum position of a body's edge if the frame cuts the body, as a fraction of the frame's side.
    private static let cutEdge = 0.97

    /// Returns a person with an estimated head, converted from a detection with the subject's score.
    ///
    /// The result is nil if the subject is not a person, the score is low, the head is not visible, or the frame cuts the
    /// body below and at one side.
    func person(in size: PixelSize) -> FramePerson? {
        guard kind == .person, let head = WeighedSubject(self, in: size)?.head else { return nil }
        let isCut = box.y + box.height >= Self.cutEdge * Double(size.height)
        // The centre of such a body is not below its head.
        let isCutAside = min(box.x, Double(size.width) - box.x - box.width) <= (1 - Self.cutEdge) * Double(size.width)
        guard !isCut || !isCutAside else { return nil }
        let (width, height) = (Double(head.width), Double(head.height))
        let left = head.x + Int((Self.besideFace * width).rounded())
        let top = head.y + Int((Self.aboveFace * height).rounded())
        let right = head.maxX - Int((Self.besideFace * width).rounded())
        guard right > left, head.maxY > top else { return nil }
        let subject = Subject(
            face: PixelRect(x: left, y: top, width: right - left, height: head.maxY - top),
            head: head,
            reliability: min(Subject.certain, max(1, Int((score * Double(Subject.certain)).rounded())))
        )
        return FramePerson(subject: subject, isCut: isCut)
    }
}
