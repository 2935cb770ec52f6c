import FoundationEssentials
import Geometry
import Imaging
import Motion

/// The crop of one frame as a line of JSON.
struct PlanLine: Codable {
    /// The number of the frame, counted from 0.
    let frame: Int
    /// The crop in pixels of the frame.
    let x, y, width, height: Double
    /// Whether the crop jumps here.
    let cut: Bool?
    /// The number of the shot, counted from 0.
    let shot: Int?
    /// The number of people in the frame.
    let faces: Int?
    /// `stack` or `wide`, if the output shows more than the crop.
    let layout: Layout?
    /// The second pane of `stack`, in pixels of the frame.
    let second: PlanRect?
    /// The fraction of the output for the first pane.
    let share: Double?

    init(_ planned: PlannedFrame, _ region: FractionalRect) {
        let rect = PlanRect(region)
        frame = planned.frame
        (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height)
        (cut, shot, faces) = (planned.isCut, planned.shot, planned.faces)
        switch planned.panes {
        case .one: (layout, second, share) = (nil, nil, nil)
        case .whole: (layout, second, share) = (.wide, nil, nil)
        case .two(let region, let part): (layout, second, share) = (.stack, PlanRect(region), PlanRect.rounded(part))
        }
    }

    var panes: Panes {
        switch layout {
        case .wide: .whole
        case .stack: second.map { .two($0.region, share: share ?? 0.5) } ?? .one
        default: .one
        }
    }

    var region: FractionalRect { rect.region }

    private var rect: PlanRect { PlanRect(x: x, y: y, width: width, height: height) }

    /// Reads the lines of a plan.
    ///
    /// - Throws: A ``ReframeFailure`` with the first invalid line.
    static func read(_ bytes: [UInt8], _ path: String) throws(ReframeFailure) -> [PlanLine] {
        var lines: [PlanLine] = []
        for (number, line) in bytes.split(separator: 0x0A).enumerated() {
            guard let parsed = try? JSONDecoder().decode(PlanLine.self, from: Data(line)), parsed.isValid,
                parsed.frame > lines.last?.frame ?? -1
            else {
                throw .plan(
                    path,
                    reason: "line \(number + 1) is not valid; expected frame, x, y, width and height, by frame"
                )
            }
            lines.append(parsed)
        }
        guard !lines.isEmpty else { throw .plan(path, reason: "no lines; expected one for each frame") }
        return lines
    }

    var isValid: Bool {
        frame >= 0 && frame < 1 << 24 && rect.isValid && second?.isValid ?? true
            && (layout != .stack || second != nil) && (0.05...0.95).contains(share ?? 0.5)
            && (shot.map { (0..<1 << 24).contains($0) } ?? true) && (faces.map { (0..<1 << 24).contains($0) } ?? true)
    }
}
