import Geometry

/// Plans the crops of a live picture: each frame's crop is known when `lookAhead` more frames have come.
package struct LivePlanner {
    /// The spring's frequency in Hz without look-ahead.
    static let fastest = 0.8
    /// With look-ahead, slower springs follow as closely; this is the slowest.
    static let slowest = 0.45
    /// The frequency while a held head is out of the crop.
    static let urgent = 2.0

    /// A frame whose crop is not known yet.
    private struct Decided {
        let frame: Int
        /// Since the frame before.
        let seconds: Double
        let shot: Int
        let isCut: Bool
        let faces: Int
        let people: HeldPeople?
        /// The middle and the width of the crop to approach.
        let target: (x: Double, y: Double, width: Double)
    }

    /// The frames between a frame's arrival and its crop.
    package let lookAhead: Int
    private let request: MotionRequest
    private let widest: SlidingCrop
    private var shots: ShotDetector
    private var choice: LiveChoice
    private struct Arrived {
        let frame: Int
        /// The frame's number if frames came at the rate of the request.
        let tick: Int
        let seconds: Double
        let thumbnail: Thumbnail
        let sample: FaceSample?
    }

    private var arrived: [Arrived] = []
    private var seconds = 0.0
    private var cuts: Set<Int> = []
    private var next = 0
    private var shot = 0
    private var decided: [Decided] = []
    private var across: DeadZone?
    private var down: DeadZone?
    private var width: Double
    private var springs: (x: Spring, y: Spring, width: Spring)?
    private var pendingCut = false
    private var still: FaceSample?

    /// A planner at the first frame.
    ///
    /// - Parameters:
    ///   - request: The picture and the shape.
    ///   - lookAhead: Frames between a frame's arrival and its crop, 0 or more.
    package init(_ request: MotionRequest, lookAhead: Int) {
        self.request = request
        self.lookAhead = max(0, lookAhead)
        widest = request.widest
        width = widest.width
        choice = LiveChoice(request)
        shots = ShotDetector(fps: request.fps, mostDelay: min(self.lookAhead, ShotDetector.flash))
    }

    /// Adds the next frame.
    ///
    /// - Parameters:
    ///   - thumbnail: The small picture of the frame.
    ///   - sample: The detections, if the frame was searched; its number is not used.
    ///   - seconds: The time since the frame before, 0 or more; nil for that of the request's rate.
    /// - Returns: The frames whose crops are known now, at most one.
    package mutating func add(
        _ thumbnail: Thumbnail,
        sample: FaceSample?,
        seconds: Double? = nil
    ) -> [PlannedFrame] {
        shots.add(thumbnail)
        cuts.formUnion(shots.starts())
        let passed = seconds ?? 1 / request.fps
        if next > 0 { self.seconds += passed }
        let tick = seconds == nil ? next : Int((self.seconds * request.fps).rounded())
        var sample = sample
        sample?.frame = tick
        arrived.append(Arrived(frame: next, tick: tick, seconds: passed, thumbnail: thumbnail, sample: sample))
        next += 1
        if arrived.count > shots.delay { decide() }
        return decided.count > lookAhead - shots.delay ? [move()] : []
    }

    /// The crops of the frames that are left, after the last frame.
    package mutating func finish() -> [PlannedFrame] {
        cuts.formUnion(shots.starts(isLast: true))
        while !arrived.isEmpty { decide() }
        let left = decided.count
        return (0..<left).map { _ in move() }
    }

    /// Decides what the oldest undecided frame asks of the crop.
    private mutating func decide() {
        let first = arrived.removeFirst()
        let (frame, thumbnail, sample) = (first.frame, first.thumbnail, first.sample)
        var isCut = false
        if cuts.remove(frame) != nil, frame > 0 { pendingCut = true }
        if pendingCut, let sample {
            // A picture without contrast is a flash, or black: the next one shows whether the scene is another.
            let isBlank = thumbnail.contrast < ShotDetector.leastContrast
            if choice.isContinued(by: sample) {
                pendingCut = false
            } else if !isBlank {
                pendingCut = false
                isCut = true
            }
        }
        if isCut {
            choice.cut(at: first.tick)
            (across, down) = (nil, nil)
            shot += 1
        }
        if let sample, sample.attention != nil || sample.faces.isEmpty { still = sample }
        let people = pendingCut ? nil : choice.add(first.tick, sample)
        if let people { follow(people) } else { rest() }
        let target = (
            across?.target ?? Double(request.size.width) / 2, down?.target ?? Double(request.size.height) / 2, width
        )
        decided.append(
            Decided(
                frame: frame,
                seconds: first.seconds,
                shot: shot,
                isCut: isCut,
                faces: choice.faces,
                people: people,
                target: target
            )
        )
    }

    private mutating func follow(_ people: HeldPeople) {
        let aim = people.aim
        if across == nil || abs(aim.width - width) > 0.1 * width { width = aim.width }
        let height = width * widest.height / widest.width
        let (x, y) = (aim.x + aim.width / 2, aim.y + aim.height / 2)
        var (zoneX, zoneY) = (across ?? DeadZone(at: x), down ?? DeadZone(at: y))
        zoneX.update(aim: x, required: people.required?.span(.across), length: width, current: springs?.x.value ?? x)
        zoneY.update(aim: y, required: people.required?.span(.down), length: height, current: springs?.y.value ?? y)
        (across, down) = (zoneX, zoneY)
    }

    /// A frame without people: the crop stays, or begins a shot at its still place.
    private mutating func rest() {
        guard across == nil, !pendingCut else { return }
        let crop = StillCrop.crop(of: still.map { [$0] } ?? [], request: request, widest: widest)
        width = crop.width
        (across, down) = (DeadZone(at: crop.x + crop.width / 2), DeadZone(at: crop.y + crop.height / 2))
    }

    /// Moves the crop to the oldest decided frame.
    private mutating func move() -> PlannedFrame {
        let now = decided[0]
        let ahead = decided.last { $0.shot == now.shot } ?? now
        decided.removeFirst()
        let target = ahead.target
        var (x, y, width) = springs ?? (Spring(at: target.x), Spring(at: target.y), Spring(at: target.width))
        if now.isCut {
            (x, y, width) = (Spring(at: target.x), Spring(at: target.y), Spring(at: target.width))
        } else if springs != nil {
            let seconds = now.seconds
            let frequency = isOut(now.people, x: x.value, y: y.value, width: width.value) ? Self.urgent : calm
            x.step(to: target.x, frequency: frequency, seconds: seconds)
            y.step(to: target.y, frequency: frequency, seconds: seconds)
            width.step(to: target.width, frequency: calm, seconds: seconds)
        }
        springs = (x, y, width)
        return PlannedFrame(
            frame: now.frame,
            crop: crop(x: x.value, y: y.value, width: width.value),
            isCut: now.isCut,
            shot: now.shot,
            faces: now.faces
        )
    }

    /// The frequency whose lag the look-ahead makes up for.
    private var calm: Double {
        let lead = Double(lookAhead - shots.delay) / request.fps
        return lead > 0 ? min(Self.fastest, max(Self.slowest, 1 / (Double.pi * lead))) : Self.fastest
    }

    private func isOut(_ people: HeldPeople?, x: Double, y: Double, width: Double) -> Bool {
        guard let required = people?.required else { return false }
        let crop = crop(x: x, y: y, width: width)
        return required.x < crop.x - 1 || required.x + required.width > crop.x + crop.width + 1
            || required.y < crop.y - 1 || required.y + required.height > crop.y + crop.height + 1
    }

    private func crop(x: Double, y: Double, width: Double) -> FractionalRect {
        let width = min(width, widest.width)
        let height = width * widest.height / widest.width
        return FractionalRect(x: x - width / 2, y: y - height / 2, width: width, height: height)
            .clamped(to: request.size)
    }
}
