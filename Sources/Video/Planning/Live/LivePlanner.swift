import Framing
import Geometry
import Glibc
package import Motion

/// Plans the crops of a live image; the crop of a frame is available `lookAhead` frames after its arrival.
///
/// After every search, the next crops are planned again with the planner of clips. They continue the past crops, and
/// the people of the last search are assumed to stay for ``expected`` seconds.
package struct LivePlanner {
    /// The planned time beyond the last frame that has arrived, in seconds.
    static let expected = 1.5
    /// The retention time of search results, in seconds.
    static let memory = 3.0
    /// The natural frequency, in Hz, of the spring that smooths the crop's size.
    private static let zoom = 0.8

    /// The time between a frame's arrival and its crop, in frames at the request's rate.
    package let lookAhead: Int
    private let request: MotionRequest
    private let planner: ShotPlanner
    private var shots: LiveShots
    private var next = 0
    private var seconds = 0.0
    /// Frames whose crops are not known yet.
    private var waiting: [LiveShots.Frame] = []
    /// The searched frames of the shown shot, by tick.
    private var samples: [FaceSample] = []
    /// The planned crops, one for each tick, beginning with `start`.
    private var plan: (start: Int, crops: [LiveFloor.Crop])?
    /// The state of the layout ``Layout/hold``.
    private var floor = LiveFloor()
    /// The tick of the last search in the plan; -1 for none.
    private var planned = -1
    private var width: Spring?

    /// Creates a planner at the first frame.
    ///
    /// - Parameters:
    ///   - request: The image and the aspect ratio.
    ///   - lookAhead: The time between a frame's arrival and its crop, in frames at the request's rate, 0 or more.
    package init(_ request: MotionRequest, lookAhead: Int) {
        self.request = request
        self.lookAhead = max(0, lookAhead)
        planner = ShotPlanner(request: request)
        shots = LiveShots(fps: request.fps, lookAhead: self.lookAhead)
    }

    /// Adds the next frame.
    ///
    /// - Parameters:
    ///   - thumbnail: The small image of the frame.
    ///   - sample: The detections, if the frame was searched; the frame number in it is not used.
    ///   - seconds: The time since the previous frame, 0 or more; nil for the frame interval of the request.
    /// - Returns: The frames whose crops are now known: at most one, or several if frames arrive more slowly than at
    ///   the request's rate.
    package mutating func add(_ thumbnail: Thumbnail, sample: FaceSample?, seconds: Double? = nil) -> [PlannedFrame] {
        let passed = seconds ?? 1 / request.fps
        if next > 0 { self.seconds += passed }
        let tick = seconds == nil ? next : Int((self.seconds * request.fps).rounded())
        var sample = sample
        sample?.frame = tick
        let frame = LiveShots.Frame(number: next, tick: tick, seconds: passed, sample: sample)
        next += 1
        if let known = shots.add(frame, thumbnail) { waiting.append(known) }
        var planned: [PlannedFrame] = []
        while let oldest = waiting.first, tick - oldest.tick >= lookAhead { planned.append(move()) }
        return planned
    }

    /// Returns the crops of the remaining frames, after the last frame.
    package mutating func finish() -> [PlannedFrame] {
        waiting += shots.finish()
        return (0..<waiting.count).map { _ in move() }
    }

    /// Removes the oldest waiting frame and returns its crop.
    private mutating func move() -> PlannedFrame {
        let now = waiting[0]
        if now.isCut {
            floor = LiveFloor()
            samples = []
            plan = nil
            planned = -1
            width = nil
        }
        let shot = waiting.prefix { $0.shot == now.shot }
        let newest = shot.last { $0.certainSample != nil }?.tick ?? -1
        if plan == nil || newest > planned { replan(shot) }
        waiting.removeFirst()
        if let sample = now.certainSample { samples.append(sample) }
        if request.layout == .wide { return whole(now) }
        let known = crop(at: now.tick) ?? LiveFloor.Crop(crop: FractionalRect(PixelRect(request.size)), faces: 0)
        let changes = floor.show(known, after: now.seconds)
        if changes { width = nil }
        return PlannedFrame(
            frame: now.number,
            crop: resized(known.crop, after: now.seconds),
            isCut: now.isCut || changes,
            shot: now.shot,
            faces: known.faces
        )
    }

    /// Returns the whole image as the crop of a frame.
    private func whole(_ frame: LiveShots.Frame) -> PlannedFrame {
        PlannedFrame(
            frame: frame.number,
            crop: FractionalRect(PixelRect(request.size)),
            panes: .whole,
            isCut: frame.isCut,
            shot: frame.shot,
            faces: frame.certainSample.map { $0.faces.count(where: \.isSure) } ?? 0
        )
    }

    /// Plans the waiting frames of a shot, and ``expected`` seconds after them.
    private mutating func replan(_ shot: ArraySlice<LiveShots.Frame>) {
        guard let first = shot.first, let last = shot.last else { return }
        let memory = Int(Self.memory * request.fps)
        samples.removeAll { $0.frame < first.tick - memory }
        let known = samples + shot.compactMap(\.certainSample)
        let isWhole = shot.count < waiting.count
        let end = last.tick + 1 + (isWhole ? 0 : Int(Self.expected * request.fps))
        // The next plan continues the crops shown last.
        let shown = (1...3).reversed().compactMap { crop(at: first.tick - $0) }
        let frames = first.tick..<end
        let crops =
            request.layout == .hold
            ? floor.crops(frames, samples: known, known: isWhole ? nil : last.tick, after: shown, planner)
            : planner.plan(frames, samples: known, known: isWhole ? nil : last.tick, after: shown.map(\.crop))
                .map { LiveFloor.Crop(crop: $0.crop, faces: $0.faces) }
        plan = (first.tick - shown.count, shown + crops)
        planned = known.last?.frame ?? planned
    }

    /// Returns the planned crop at a tick; after the end of the plan, its last crop.
    private func crop(at tick: Int) -> LiveFloor.Crop? {
        guard let plan, tick >= plan.start, let last = plan.crops.last else { return nil }
        let index = tick - plan.start
        return index < plan.crops.count ? plan.crops[index] : last
    }

    /// Returns the crop with the same centre, and with its size smoothed over time.
    private mutating func resized(_ crop: FractionalRect, after seconds: Double) -> FractionalRect {
        var spring = width ?? Spring(at: crop.width)
        if width != nil { spring.step(to: crop.width, frequency: Self.zoom, seconds: seconds) }
        width = spring
        let across = min(spring.value, request.widest.width)
        let down = crop.height * across / crop.width
        return FractionalRect(
            x: crop.x + (crop.width - across) / 2,
            y: crop.y + (crop.height - down) / 2,
            width: across,
            height: down
        )
        .clamped(to: request.size)
    }
}

/// A critically damped spring, which approaches a target with continuous velocity and without overshoot.
private struct Spring {
    private(set) var value: Double
    private var velocity = 0.0

    init(at value: Double) { self.value = value }

    /// Moves towards a fixed target for `seconds`; the solution is exact.
    ///
    /// `frequency` is the natural frequency in Hz; the value lags a moving target by 1 / (π · `frequency`).
    mutating func step(to target: Double, frequency: Double, seconds: Double) {
        let omega = 2 * Double.pi * frequency
        let distance = value - target
        let decay = exp(-omega * seconds)
        let impulse = (velocity + omega * distance) * seconds
        value = target + (distance + impulse) * decay
        velocity = (velocity - omega * impulse) * decay
    }
}

/// Assigns the frames of a live image to shots.
struct LiveShots {
    /// A frame and its shot.
    struct Frame {
        let number: Int
        /// The time of the frame, in frames at the request's rate.
        let tick: Int
        /// The time since the previous frame, in seconds.
        let seconds: Double
        var sample: FaceSample?
        var shot = 0
        var isCut = false
        /// Whether the frame may follow a cut that no search has confirmed yet.
        var isDoubtful = false

        /// The detections; nil if they may belong to another shot.
        var certainSample: FaceSample? { isDoubtful ? nil : sample }
    }

    /// The maximum age in seconds of an earlier face that can show, by its place, that the shot continues.
    static let memory = 0.7
    /// The maximum distance of a face from its previous place, in sides of the face.
    private static let reach = 0.4

    /// The number of frames that must follow a frame to determine its shot.
    let delay: Int
    private let memory: Int
    private var detector: ShotDetector
    private var arrived: [(frame: Frame, thumbnail: Thumbnail)] = []
    private var cuts: Set<Int> = []
    private var shot = 0
    private var isDoubtful = false
    /// The searched frames of the last ``memory`` seconds.
    private var recent: [FaceSample] = []

    init(fps: Double, lookAhead: Int) {
        detector = ShotDetector(fps: fps, maxDelay: min(lookAhead, ShotDetector.flash))
        delay = detector.delay
        memory = max(1, Int(Self.memory * fps))
    }

    /// Adds the next frame and returns the frame whose shot is now known; nil if no shot is known yet.
    mutating func add(_ frame: Frame, _ thumbnail: Thumbnail) -> Frame? {
        detector.add(thumbnail)
        cuts.formUnion(detector.starts())
        arrived.append((frame, thumbnail))
        return arrived.count > delay ? decide() : nil
    }

    /// Returns the remaining frames, after the last one.
    mutating func finish() -> [Frame] {
        cuts.formUnion(detector.starts(isLast: true))
        return (0..<arrived.count).map { _ in decide() }
    }

    private mutating func decide() -> Frame {
        var (frame, thumbnail) = arrived.removeFirst()
        if cuts.remove(frame.number) != nil, frame.number > 0 { isDoubtful = true }
        if let sample = frame.sample {
            if isDoubtful {
                // An image without contrast is black or a flash, so only the next search shows whether the scene has
                // changed.
                let isBlank = thumbnail.contrast < ShotDetector.minContrast
                if isContinued(by: sample) {
                    isDoubtful = false
                } else if !isBlank {
                    isDoubtful = false
                    frame.isCut = true
                    shot += 1
                    recent = []
                }
            }
            recent = recent.filter { sample.frame - $0.frame <= memory } + [sample]
        }
        frame.shot = shot
        frame.isDoubtful = isDoubtful
        return frame
    }

    /// Whether most faces after an apparent cut are at the same places as earlier faces, for example after a flash.
    private func isContinued(by sample: FaceSample) -> Bool {
        let sure = sample.faces.filter(\.isSure)
        let known = recent.filter { sample.frame - $0.frame <= memory }.flatMap(\.faces)
        let matched = sure.filter { face in
            known.contains { other in
                Tracker.distance(FractionalRect(other.subject.face), FractionalRect(face.subject.face))
                    .map { $0 < Self.reach } ?? false
            }
        }
        return !sure.isEmpty && 2 * matched.count > sure.count
    }
}
