#if Video
import Geometry
import FoundationEssentials
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
    /// - Throws: A ``CommandFailure`` with the first invalid line.
    static func read(_ bytes: [UInt8], _ path: String) throws(CommandFailure) -> [PlanLine] {
        var lines: [PlanLine] = []
        for (number, line) in bytes.split(separator: 0x0A).enumerated() {
            guard let parsed = try? JSONDecoder().decode(PlanLine.self, from: Data(line)), parsed.isValid,
                parsed.frame > lines.last?.frame ?? -1
            else {
                throw CommandFailure(
                    "\(path): line \(number + 1) is not valid; expected frame, x, y, width and height, by frame"
                )
            }
            lines.append(parsed)
        }
        guard !lines.isEmpty else { throw CommandFailure("\(path): no lines; expected one for each frame") }
        return lines
    }

    var isValid: Bool {
        frame >= 0 && frame < 1 << 24 && rect.isValid && second?.isValid ?? true
            && (layout != .stack || second != nil) && (0.05...0.95).contains(share ?? 0.5)
            && (shot.map { (0..<1 << 24).contains($0) } ?? true) && (faces.map { (0..<1 << 24).contains($0) } ?? true)
    }
}

/// A rectangle in pixels of the source.
struct PlanRect: Codable, Hashable {
    let x, y, width, height: Double

    static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    var region: FractionalRect { FractionalRect(x: x, y: y, width: width, height: height) }

    var isValid: Bool { width >= 1 && height >= 1 && [x, y, width, height].allSatisfy { abs($0) < 1e6 } }
}

extension PlanRect {
    init(_ region: FractionalRect) {
        (x, y) = (Self.rounded(region.x), Self.rounded(region.y))
        (width, height) = (Self.rounded(region.width), Self.rounded(region.height))
    }
}

extension Encodable {
    /// The value as one line of JSON, including its line feed.
    ///
    /// - Throws: An error for a number that is not finite.
    var planBytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self)) + [0x0A]
        }
    }
}

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
        planned.crop = here.region.mixed(next.region, share).clamped(to: size)
        if case .two(let from, let part) = here.panes, case .two(let to, _) = next.panes {
            planned.panes = .two(from.mixed(to, share).clamped(to: size), share: part)
        }
        return planned
    }

    mutating func all() -> [PlannedFrame] { (0...(lines.last?.frame ?? 0)).map { frame($0) } }
}

extension Panes {
    /// The panes with numbers rounded to thousandths, as in a plan.
    var rounded: Panes {
        guard case .two(let second, let share) = self else { return self }
        return .two(PlanRect(second).region, share: PlanRect.rounded(share))
    }

    fileprivate func clamped(to size: PixelSize) -> Panes {
        guard case .two(let second, let share) = self else { return self }
        return .two(second.clamped(to: size), share: share)
    }
}

extension FractionalRect {
    /// The rectangle at a fraction of the way to another rectangle.
    fileprivate func mixed(_ other: FractionalRect, _ share: Double) -> FractionalRect {
        func mix(_ one: Double, _ two: Double) -> Double { one + share * (two - one) }
        return FractionalRect(
            x: mix(x, other.x),
            y: mix(y, other.y),
            width: mix(width, other.width),
            height: mix(height, other.height)
        )
    }
}
#endif
