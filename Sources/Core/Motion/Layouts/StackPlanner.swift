import Framing
import Geometry

/// Plans two panes above one another, or side by side in a wide result: two people, or a screen and a person.
///
/// Each pane keeps its size throughout a shot, and moves as little as a single crop.
struct StackPlanner {
    /// The share of a pane's height that a head takes.
    private static let headOfPane = 0.42
    /// The share of the pane's height above the middle of the head.
    private static let headPlace = 0.44
    /// The least height of the part that a pane shows, as a share of the picture's short side: a smaller one is
    /// blurred.
    private static let minPart = 0.3
    /// The room beside a head, in widths of the head, that a pane has at least.
    private static let room = 0.35
    /// The least and the greatest share of the result that a screen takes.
    private static let screenShare = 0.28...0.62

    let request: MotionRequest
    let frames: Range<Int>
    let shot: ShotTracks

    /// Whether panes are side by side.
    var isWide: Bool { request.aspect.value >= 1 }

    /// The shape of a pane that takes a share of the result.
    func aspect(ofShare share: Double) -> Double {
        isWide ? request.aspect.value * share : request.aspect.value / share
    }

    /// The panes of two people, with the people in their order: from the left or from the top.
    func plan(_ one: Int, _ other: Int) -> (frames: [ShotPlan.Frame], people: [Int]) {
        let (here, there) = (middle(of: one), middle(of: other))
        let isFirst = abs(here.x - there.x) >= abs(here.y - there.y) ? here.x <= there.x : here.y <= there.y
        let people = isFirst ? [one, other] : [other, one]
        let first = pane(of: people[0], beside: people[1], share: 0.5)
        let second = pane(of: people[1], beside: people[0], share: 0.5)
        return (planned(first, second, share: 0.5), people)
    }

    private func planned(_ first: [FractionalRect], _ second: [FractionalRect], share: Double) -> [ShotPlan.Frame] {
        zip(frames, zip(first, second)).map { frame, parts in
            ShotPlan.Frame(crop: parts.0, panes: .two(parts.1, share: share), faces: shot.present(in: frame).count)
        }
    }

    /// The panes of a screen, which comes first, and of a person.
    func plan(screen: FractionalRect, _ person: Int) -> [ShotPlan.Frame] {
        let own = screen.width / screen.height
        let wanted = isWide ? own / request.aspect.value : request.aspect.value / own
        let share = min(max(wanted, Self.screenShare.lowerBound), Self.screenShare.upperBound)
        let shape = aspect(ofShare: share)
        let width = min(screen.width, screen.height * shape)
        let height = width / shape
        let part = FractionalRect(
            x: screen.x + (screen.width - width) / 2,
            y: screen.y + (screen.height - height) / 2,
            width: width,
            height: height
        ).clamped(to: request.size)
        let pane = pane(of: person, beside: nil, share: 1 - share)
        return planned(pane.map { _ in part }, pane, share: share)
    }

    /// The parts of the image around a person.
    private func pane(of person: Int, beside other: Int?, share: Double) -> [FractionalRect] {
        let shape = aspect(ofShare: share)
        let seen = frames.clamped(to: shot.lifetime(person))
        let step = max(1, Int(request.fps / 5))
        let heads = stride(from: seen.lowerBound, to: seen.upperBound, by: step).map {
            shot.subject(person, at: $0).head
        }
        let tall = heads.map(\.height).sorted()
        let head = tall.isEmpty ? Double(request.size.height) : tall[tall.count * 9 / 10]
        let broad = heads.map(\.width).max() ?? head
        var height = head / Self.headOfPane
        if let other {
            // The pane is narrow enough to leave out the other person, who has a pane too, if the head still has room.
            let gap = abs(middle(of: person).x - middle(of: other).x)
            let width = 2 * (gap - broad / 2)
            if width > broad * (1 + 2 * Self.room) { height = min(height, width / shape) }
        }
        height = max(height, broad * (1 + 2 * Self.room) / shape, head * 1.2)
        height = max(height, Self.minPart * Double(min(request.size.width, request.size.height)))
        let (across, down) = (Double(request.size.width), Double(request.size.height))
        height = min(height, down, across / shape)
        let width = height * shape
        let xs = line(person, .across, length: width, side: across, unit: width) { head in
            head.x + head.width / 2 - width / 2
        }
        let ys = line(person, .down, length: height, side: down, unit: width) { head in
            head.y + head.height / 2 - Self.headPlace * height
        }
        return zip(xs, ys).map { FractionalRect(x: $0, y: $1, width: width, height: height) }
    }

    private func line(
        _ person: Int,
        _ axis: Axis,
        length: Double,
        side: Double,
        unit: Double,
        place: (FractionalRect) -> Double
    ) -> [Double] {
        let room = max(0, side - length)
        func inside(_ value: Double) -> Double { min(max(value, 0), room) }
        let demands = frames.map { frame -> SmoothPath.Demand in
            guard shot.lifetime(person).contains(frame) else { return SmoothPath.Demand() }
            let head = shot.subject(person, at: frame).head
            let (start, end) = head.span(axis)
            // Within the pane, with some room; a head beyond it is centred.
            let spare = max(0, min(0.15 * (end - start), (length - (end - start)) / 2))
            let (low, high) = (inside(end + spare - length), inside(start - spare))
            var demand = SmoothPath.Demand(aim: inside(place(head)))
            demand.held = min(low, high)...max(low, high)
            return demand
        }
        return SmoothPath(unit: unit, room: room < 1e-6 ? 0 : room, fps: request.fps).places(demands)
    }

    /// The median of the middles of a head.
    private func middle(of person: Int) -> (x: Double, y: Double) {
        let points = shot.tracks[person].points.filter { frames.contains($0.frame) }
        let heads = (points.isEmpty ? shot.tracks[person].points : points).map(\.head)
        return (heads.map { $0.x + $0.width / 2 }.median, heads.map { $0.y + $0.height / 2 }.median)
    }
}
