internal import Framing

/// Where all windows that saw one object put it, each weighed by how far it is above the threshold.
///
/// A detector that slides a window over cells of 8 pixels, in a pyramid whose levels differ by a fifth, can place a box no
/// finer than that. Its many overlapping windows together can: their mean is nearer to the true face than the surest of
/// them is, and their poses tell how far a head is turned.
public struct Consensus: Codable, Sendable, Hashable {
    /// The sum of the windows' weights.
    public var weight: Double
    /// The middle, in pixels of the image that was given.
    public var centreX: Double
    /// The middle, in pixels of the image that was given.
    public var centreY: Double
    /// The width and height in pixels of the image that was given, as the root of the area.
    public var side: Double
    /// What share of the weight says that the head is turned so; windows without a pose are in none.
    public var poses: [Pose: Double]

    /// Windows share this of their union with an object's box when they are taken to have seen that object.
    ///
    /// From 0.3 to 0.5 made no difference to crops of photographs.
    package static let leastOverlap = 0.3

    /// A consensus with the given mean, in pixels of the image that was given, and a positive weight.
    public init(weight: Double, centreX: Double, centreY: Double, side: Double, poses: [Pose: Double]) {
        self.weight = weight
        self.centreX = centreX
        self.centreY = centreY
        self.side = side
        self.poses = poses
    }

    private init(_ window: Detection, weight: Double) {
        self.init(
            weight: weight,
            centreX: Double(window.box.x) + Double(window.box.width) / 2,
            centreY: Double(window.box.y) + Double(window.box.height) / 2,
            side: Double(window.box.area).squareRoot(),
            poses: window.pose.map { [$0: 1] } ?? [:]
        )
    }

    /// This and another consensus about the same object, in the same pixels.
    package func merged(with other: Consensus) -> Consensus {
        let sum = weight + other.weight
        func mean(_ one: Double, _ two: Double) -> Double { (one * weight + two * other.weight) / sum }
        var poses: [Pose: Double] = [:]
        for pose in Pose.allCases {
            let share = mean(self.poses[pose] ?? 0, other.poses[pose] ?? 0)
            if share > 0 { poses[pose] = share }
        }
        return Consensus(
            weight: sum,
            centreX: mean(centreX, other.centreX),
            centreY: mean(centreY, other.centreY),
            side: mean(side, other.side),
            poses: poses
        )
    }

    /// Gives every object the consensus of those windows that overlap it more than any other object.
    ///
    /// - Parameters:
    ///   - windows: All windows above the threshold.
    ///   - objects: Those that were chosen of them.
    ///   - threshold: A window at it weighs nothing.
    static func gather(from windows: [Detection], into objects: inout [Detection], threshold: Double) {
        for window in windows where window.confidence > threshold {
            var best: Int?
            var bestOverlap = leastOverlap
            for index in objects.indices {
                let overlap = window.box.overlap(with: objects[index].box)
                if overlap > bestOverlap {
                    best = index
                    bestOverlap = overlap
                }
            }
            guard let best else { continue }
            let voice = Consensus(window, weight: window.confidence - threshold)
            objects[best].consensus = objects[best].consensus?.merged(with: voice) ?? voice
        }
    }
}
