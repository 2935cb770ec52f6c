package import Framing
import Geometry
import SubjectDetection

/// The result of a search for people, animals and things.
package struct SubjectFindings: Codable, Sendable {
    /// The subjects in pixels of the upright image, the highest scores first.
    package var subjects: [DetectedSubject]
    /// The time of the search.
    package var duration: Duration

    /// Creates the result from subjects and the duration of their search, without validation.
    package init(subjects: [DetectedSubject], duration: Duration) {
        (self.subjects, self.duration) = (subjects, duration)
    }

    /// The maximum number of subjects, over all searched frames of an animation.
    package static let maximumCount = DetectionResult.maxFrames * SubjectNetwork.maximumCount

    /// The minimum score of a person that justifies a face search in rotated copies of the image.
    ///
    /// The network finds a person with at least this score in all 144 photographs with faces, and in 97 % of their
    /// rotated copies.
    private static let likelyPerson = 0.1

    /// Whether a person may be in the image.
    var mayContainPerson: Bool {
        subjects.contains { $0.kind == .person && $0.score >= Self.likelyPerson }
    }

    /// The minimum intersection over union of the boxes of one subject in two frames.
    private static let sameSubject = 0.3

    /// Merges the subjects of several frames of an animation into one list.
    ///
    /// A subject in several frames has the mean of its boxes. Its score is the mean over all frames, so a subject in
    /// only one frame has a lower score than a subject in all frames.
    static func merged(_ frames: [SubjectFindings]) -> SubjectFindings {
        var groups: [[DetectedSubject]] = []
        for subject in frames.flatMap(\.subjects) {
            let group = groups.firstIndex {
                $0[0].kind == subject.kind && $0[0].box.overlap(with: subject.box) >= sameSubject
            }
            if let group { groups[group].append(subject) } else { groups.append([subject]) }
        }
        let subjects = groups.map { group in
            func mean(_ value: (FractionalRect) -> Double) -> Double {
                group.reduce(0) { $0 + value($1.box) } / Double(group.count)
            }
            let (x, y) = (mean(\.x), mean(\.y))
            return DetectedSubject(
                group[0].kind,
                box: FractionalRect(x: x, y: y, width: mean(\.width), height: mean(\.height)),
                score: min(1, group.reduce(0) { $0 + $1.score } / Double(frames.count))
            )
        }
        return SubjectFindings(
            subjects: subjects.sorted { ($0.score, $1.box.x) > ($1.score, $0.box.x) },
            duration: frames.reduce(.zero) { $0 + $1.duration }
        )
    }
}

extension FractionalRect {
    /// Returns the intersection over union of two rectangles; 0 if they do not intersect.
    fileprivate func overlap(with other: FractionalRect) -> Double {
        let across = min(x + width, other.x + other.width) - max(x, other.x)
        let down = min(y + height, other.y + other.height) - max(y, other.y)
        guard across > 0, down > 0 else { return 0 }
        return across * down / (width * height + other.width * other.height - across * down)
    }
}
