import Framing
import Geometry
import Motion

/// The people of an animation over time.
struct PeopleInFrames {
    /// The first frames of shots.
    var shots: [Int] = []
    /// The people in the frames that were searched.
    var samples: [FaceSample] = []
    /// The times at which the frames begin, in milliseconds.
    private var starts: [Int] = []
    /// The time at which the last frame ends, in milliseconds.
    private(set) var duration = 0

    /// The number of frames.
    var frames: Int { starts.count }

    /// Adds a frame with its duration in milliseconds.
    mutating func add(_ milliseconds: Int) {
        starts.append(duration)
        duration += milliseconds
    }

    /// Whether some head in some searched frame is not inside a crop for all frames.
    func areCut(by crop: PixelRect) -> Bool {
        samples.contains { sample in sample.faces.contains { !crop.contains($0.subject.head) } }
    }

    /// The crops of all frames, of the size of `crop`, in pixels of the upright source; nil if they do not move.
    func path(of crop: FramePlan.Crop, in size: PixelSize, framing: FramingRequest) -> [PixelRect]? {
        guard let aspect = crop.aspect ?? AspectRatio(Double(size.width), Double(size.height)) else { return nil }
        let tick = self.tick
        let ticks = starts.map { $0 / tick }
        var timed: [FaceSample] = []
        for sample in samples where timed.last?.frame != ticks[sample.frame] {
            timed.append(FaceSample(frame: ticks[sample.frame], faces: sample.faces))
        }
        let planned = ClipPlanner.plan(
            MotionRequest(size: size, fps: 1000 / Double(tick), aspect: aspect, framing: framing),
            frameCount: duration / tick + 1,
            shots: shots.map { ticks[$0] },
            samples: timed
        )
        let rects = ticks.map { place(planned[$0].crop, crop.rect.size, in: size) }
        guard let first = rects.first, rects.contains(where: { $0 != first }) else { return nil }
        return rects
    }

    /// The frames of the planner are equally long, those of an animation are not: the time in milliseconds for which the
    /// planner has a crop.
    ///
    /// It is the shortest time from one frame to the next, but no less than a quarter of the mean one, so that the
    /// planner has at most four crops for each frame.
    private var tick: Int {
        let shortest = zip(starts, starts.dropFirst()).map { $1 - $0 }.min() ?? duration
        return max(1, shortest, duration / (4 * max(1, frames)))
    }

    /// A rectangle of whole pixels with the middle of `crop`, inside the picture.
    private func place(_ crop: FractionalRect, _ side: PixelSize, in size: PixelSize) -> PixelRect {
        func start(_ middle: Double, _ length: Int, _ whole: Int) -> Int {
            let start = (middle - Double(length) / 2).rounded()
            return Int(min(max(start, 0), Double(max(0, whole - length))))
        }
        return PixelRect(
            x: start(crop.x + crop.width / 2, side.width, size.width),
            y: start(crop.y + crop.height / 2, side.height, size.height),
            width: side.width,
            height: side.height
        )
    }
}
