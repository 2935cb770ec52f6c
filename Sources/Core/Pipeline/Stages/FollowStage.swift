import FaceDetection
import Framing
import Geometry
import Imaging
import Motion

/// Adds a path to each crop that cuts a head in any searched frame, if the crop may follow people.
struct FollowStage: FrameStage {
    func run(_ work: inout FrameWork, _ draft: inout FrameDraft) throws(PipelineError) {
        let (job, plan) = (work.job, draft.plan)
        guard job.mayFollow, let animationStage = work.animationStage,
            job.rendering == nil || work.animatedResult(plan) != nil
        else { return }
        let movable = plan.crops.indices.filter { plan.crops[$0].decision == .faces && !plan.crops[$0].hasBars }
        guard !movable.isEmpty else { return }
        let start = ContinuousClock.now
        defer { work.times.detect += .now - start }
        let (task, spent) = (work.decodePlan.faces, work.searchedPixels)
        guard let people = try animationStage.people(task, spent: spent, with: &work.search) else { return }
        for index in movable where people.areCut(by: plan.crops[index].rect) {
            draft.plan.crops[index].path = people.path(
                of: plan.crops[index],
                in: work.header.size,
                framing: job.options.framing
            )
        }
    }
}

extension FrameJob {
    /// Whether the options allow a crop that moves.
    var mayFollow: Bool {
        options.motion == .follow && options.framing.gravity == .faces && options.framing.focal.isEmpty
            && options.framing.fit == .cover && options.framing.zoom == 0 && options.region == nil
            && options.trim == nil && options.redaction == nil && options.stickers.isEmpty && !options.isLossless
            && needsFaces
    }
}

extension AnimationStage {
    /// The time between searched frames, in milliseconds; in this time, people move by less than the size of a head.
    private static let searchInterval = 200

    /// The maximum number of people in a frame that a path uses, largest first; the time grows with the square of this
    /// number.
    private static let maxPeople = 32

    /// Searches for people in frames that may start a shot, in a frame every fifth of a second, and in the last frame.
    ///
    /// - Parameters:
    ///   - task: The passes. The search uses the finest pass that needs at most ``maxSearchedPixels`` for all frames
    ///     together.
    ///   - spent: The input pixels of the job's other searches.
    ///   - search: The search of the worker.
    /// - Returns: The people; nil if there are too many frames to search.
    /// - Throws: ``PipelineError``.
    fileprivate func people(
        _ task: SearchTask,
        spent: Int,
        with search: inout any FaceSearch
    ) throws(PipelineError) -> PeopleInFrames? {
        let share = max(0, Self.maxSearchedPixels - spent) / max(1, animation.frames)
        let fps = min(max(1000 * Double(animation.frames) / Double(max(1, animation.duration)), 1), 100)
        var shots = ShotDetector(fps: fps)
        var people = PeopleInFrames()
        var due = 0
        let stream = try frames()
        while let frame = try next(of: stream) {
            let thumbnail = try thumbnail(of: frame.image)
            let mayBeCut = shots.add(thumbnail)
            people.shots += shots.starts()
            // The last frame is searched as well, because the motion after the last search is unknown.
            if mayBeCut || people.duration >= due || people.frames == animation.frames - 1 {
                due = people.duration + Self.searchInterval
                guard let found = try search.faces(in: frame.image, atMost: share, task) else { return nil }
                let sightings = found.prefix(Self.maxPeople).map { FaceSighting($0.subject) }
                people.samples.append(FaceSample(frame: people.frames, faces: sightings))
            }
            people.add(frame.milliseconds)
        }
        people.shots += shots.starts(isLast: true)
        return people
    }

    /// Returns a small image of a frame: luma, and red and blue instead of chroma, because they change as much as
    /// chroma.
    private func thumbnail(of image: PlanarImage) throws(PipelineError) -> Thumbnail {
        let size = PixelSize(width: Thumbnail.width, height: Thumbnail.height)
        return try codec { () throws(CodecError) in
            let luma = try image.luma()
            var samples: [UInt8] = []
            for plane in [luma, image.planes.first ?? luma, image.planes.last ?? luma] {
                let whole = FractionalRect(PixelRect(plane.size))
                samples += try Resampler.resample(plane, region: whole, to: size, filter: .linear).compactSamples
            }
            return Thumbnail(samples)
        }
    }
}

/// The people of an animation over time.
struct PeopleInFrames {
    /// The first frames of shots.
    var shots: [Int] = []
    /// The people in the searched frames.
    var samples: [FaceSample] = []
    /// The start times of the frames, in milliseconds.
    private var starts: [Int] = []
    /// The end time of the last frame, in milliseconds.
    private(set) var duration = 0

    /// The number of frames.
    var frames: Int { starts.count }

    /// Adds a frame with its duration in milliseconds.
    mutating func add(_ milliseconds: Int) {
        starts.append(duration)
        duration += milliseconds
    }

    /// Whether the fixed crop cuts a head in any searched frame.
    func areCut(by crop: PixelRect) -> Bool {
        samples.contains { sample in sample.faces.contains { !crop.contains($0.subject.head) } }
    }

    /// Returns the crops of all frames, with the size of `crop`, in pixels of the upright source; nil if they do not
    /// move.
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

    /// The duration of the planner's frames in milliseconds; unlike the frames of an animation, they are equally long.
    ///
    /// This is the duration of the shortest frame of the animation, but at least a quarter of the mean duration. The
    /// planner therefore computes at most four crops per frame of the animation on average.
    private var tick: Int {
        let shortest = zip(starts, starts.dropFirst()).map { $1 - $0 }.min() ?? duration
        return max(1, shortest, duration / (4 * max(1, frames)))
    }

    /// Returns a rectangle of whole pixels inside the image, with the same centre as `crop` if possible.
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
