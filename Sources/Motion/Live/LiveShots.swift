import Framing
import Geometry

/// Assigns the frames of a live picture to shots.
struct LiveShots {
    /// A frame, with the shot that it belongs to.
    struct Frame {
        let number: Int
        /// The frame's number if frames came at the rate of the request.
        let tick: Int
        /// Since the frame before.
        let seconds: Double
        var sample: FaceSample?
        var shot = 0
        var isCut = false
        /// Whether a cut may be here, which no search has confirmed yet.
        var isDoubtful = false

        /// The detections, unless they may be those of another shot.
        var certainSample: FaceSample? { isDoubtful ? nil : sample }
    }

    /// Seconds after which a face that is at the place of an earlier one is no sign of the same shot.
    static let memory = 0.7
    /// The most distance of a face from its place before, in sides of the face.
    private static let reach = 0.4

    /// Frames between a frame's arrival and its shot.
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
        detector = ShotDetector(fps: fps, mostDelay: min(lookAhead, ShotDetector.flash))
        delay = detector.delay
        memory = max(1, Int(Self.memory * fps))
    }

    /// Adds the next frame, and returns the one whose shot is known now.
    mutating func add(_ frame: Frame, _ thumbnail: Thumbnail) -> Frame? {
        detector.add(thumbnail)
        cuts.formUnion(detector.starts())
        arrived.append((frame, thumbnail))
        return arrived.count > delay ? decide() : nil
    }

    /// Returns the frames that are left, after the last one.
    mutating func finish() -> [Frame] {
        cuts.formUnion(detector.starts(isLast: true))
        return (0..<arrived.count).map { _ in decide() }
    }

    private mutating func decide() -> Frame {
        var (frame, thumbnail) = arrived.removeFirst()
        if cuts.remove(frame.number) != nil, frame.number > 0 { isDoubtful = true }
        if let sample = frame.sample {
            if isDoubtful {
                // A picture without contrast is a flash, or black: the next one shows whether the scene is another.
                let isBlank = thumbnail.contrast < ShotDetector.leastContrast
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

    /// Whether most faces after an apparent cut are where faces were before it, as after a flash.
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
