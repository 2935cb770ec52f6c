import Geometry

/// The weighted mean of all windows that detected one object; weights are scores above the threshold.
///
/// A detector that moves a window over cells of 8 pixels, in a pyramid whose levels differ by a fifth, cannot place a
/// single box more precisely. The mean of its overlapping windows is closer to the true face than the best window, and
/// their poses indicate the rotation of the head.
public struct Consensus: Codable, Sendable, Hashable {
    /// The sum of the windows' weights.
    public var weight: Double
    /// The centre, in pixels of the detector's input image.
    public var centreX: Double
    /// The centre, in pixels of the detector's input image.
    public var centreY: Double
    /// The geometric mean of width and height, in pixels of the detector's input image.
    public var side: Double
    /// The fraction of the weight for each pose; windows without a pose do not count for any pose.
    public var poses: [Pose: Double]

    /// The minimum intersection over union of a window and an object's box for the window to count.
    ///
    /// Values from 0.3 to 0.5 made no difference to crops of photographs.
    package static let minOverlap = 0.3

    /// Creates a weighted mean of windows.
    ///
    /// - Parameters:
    ///   - weight: The sum of the windows' scores above the threshold; positive.
    ///   - centreX: Pixels of the detector's input image, from the left.
    ///   - centreY: Pixels of the detector's input image, from the top.
    ///   - side: The geometric mean of width and height, in the same pixels.
    ///   - poses: The fraction of the weight for each pose; windows without a pose do not count for any pose.
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

    /// Combines two consensuses about the same object, in the same pixels.
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

    /// Sets the consensus of every object from the windows that overlap it more than any other object.
    ///
    /// Objects are chosen windows; a score equal to the threshold has the weight 0.
    static func gather(from windows: [Detection], into objects: inout [Detection], threshold: Double) {
        for window in windows where window.confidence > threshold {
            var best: Int?
            var bestOverlap = minOverlap
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
