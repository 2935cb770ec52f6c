import Framing
import Geometry
import Motion

/// Plans two panes: two people, or a screen and a person.
///
/// The panes are above one another or, in a wide result, side by side. Each pane keeps its size throughout a shot and
/// moves as smoothly as a single crop.
struct StackPlanner {
    /// The height of a head, as a fraction of the pane's height.
    private static let headOfPane = 0.42
    /// The height above the centre of the head, as a fraction of the pane's height.
    private static let headPlace = 0.44
    /// The minimum height of the part that a pane shows, as a fraction of the image's short side.
    ///
    /// A smaller part would be blurred.
    private static let minPart = 0.3
    /// The minimum space next to a head in a pane, in widths of the head.
    private static let room = 0.35
    /// The minimum and the maximum fraction of the result for a screen.
    private static let screenShare = 0.28...0.62

    let request: MotionRequest
    let frames: Range<Int>
    let shot: ShotTracks

    /// Whether panes are side by side.
    var isWide: Bool { request.aspect.value >= 1 }

    /// Returns the aspect ratio of a pane that covers a fraction of the result.
    func aspect(ofShare share: Double) -> Double {
        isWide ? request.aspect.value * share : request.aspect.value / share
    }

    /// Plans the panes of two people, ordered from the left or from the top.
    func plan(_ one: Int, _ other: Int) -> (frames: [ShotFrame], people: [Int]) {
        let (here, there) = (middle(of: one), middle(of: other))
        let isFirst = abs(here.x - there.x) >= abs(here.y - there.y) ? here.x <= there.x : here.y <= there.y
        let people = isFirst ? [one, other] : [other, one]
        let first = pane(of: people[0], beside: people[1], share: 0.5)
        let second = pane(of: people[1], beside: people[0], share: 0.5)
        return (planned(first, second, share: 0.5), people)
    }

    private func planned(_ first: [FractionalRect], _ second: [FractionalRect], share: Double) -> [ShotFrame] {
        zip(frames, zip(first, second)).map { frame, parts in
            ShotFrame(crop: parts.0, panes: .two(parts.1, share: share), faces: shot.present(in: frame).count)
        }
    }

    /// Plans the panes of a screen, which comes first, and of a person.
    func plan(screen: FractionalRect, _ person: Int) -> [ShotFrame] {
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

    /// Returns the parts of the image around a person.
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
            // The pane excludes the other person, who is in the other pane, if enough space around the head remains.
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
            // A head fits within the pane, with some space; a larger head is centred.
            let spare = max(0, min(0.15 * (end - start), (length - (end - start)) / 2))
            let (low, high) = (inside(end + spare - length), inside(start - spare))
            var demand = SmoothPath.Demand(aim: inside(place(head)))
            demand.held = min(low, high)...max(low, high)
            return demand
        }
        return SmoothPath(unit: unit, room: room < 1e-6 ? 0 : room, fps: request.fps).places(demands)
    }

    /// Returns the median centre of a person's head.
    private func middle(of person: Int) -> (x: Double, y: Double) {
        let points = shot.tracks[person].points.filter { frames.contains($0.frame) }
        let heads = (points.isEmpty ? shot.tracks[person].points : points).map(\.head)
        return (heads.map { $0.x + $0.width / 2 }.median, heads.map { $0.y + $0.height / 2 }.median)
    }
}
