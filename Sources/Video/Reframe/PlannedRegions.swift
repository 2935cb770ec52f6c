import Geometry
import Motion

/// The frames of a plan from a file.
///
/// Missing frames are interpolated linearly between their neighbours; before a cut or a change of layout, they repeat
/// the previous frame.
struct PlannedRegions {
    private let lines: [PlanLine]
    private let size: PixelSize
    private var position = 0

    init(_ lines: [PlanLine], in size: PixelSize) { (self.lines, self.size) = (lines, size) }

    /// The crop and panes of a frame; numbers must ascend from call to call.
    mutating func frame(_ number: Int) -> PlannedFrame {
        while position + 1 < lines.count, lines[position + 1].frame <= number { position += 1 }
        let here = lines[position]
        let next = position + 1 < lines.count ? lines[position + 1] : nil
        var planned = PlannedFrame(
            frame: number,
            crop: here.region.clamped(to: size),
            panes: here.panes.clamped(to: size),
            isCut: here.frame == number && here.cut == true,
            shot: here.shot ?? 0,
            faces: here.faces ?? 0
        )
        guard number > here.frame, let next, next.cut != true, next.layout == here.layout else { return planned }
        let share = Double(number - here.frame) / Double(next.frame - here.frame)
        planned.crop = here.region.mixed(with: next.region, share: share).clamped(to: size)
        if case .two(let from, let part) = here.panes, case .two(let to, _) = next.panes {
            planned.panes = .two(from.mixed(with: to, share: share).clamped(to: size), share: part)
        }
        return planned
    }

    mutating func all() -> [PlannedFrame] { (0...(lines.last?.frame ?? 0)).map { frame($0) } }
}
