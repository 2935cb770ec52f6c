import Geometry
import Foundation
import Imaging
import Motion

/// The crop of one frame as a line of JSON.
struct PlanLine: Codable {
    /// The number of the frame, counted from 0.
    let frame: Int
    /// The crop in pixels of the frame.
    let x: Double
    let y: Double
    let width: Double
    let height: Double
    /// Whether the crop jumps here.
    let cut: Bool?
    /// The number of the shot, counted from 0.
    let shot: Int?
    /// The number of people in the frame.
    let faces: Int?

    init(_ planned: PlannedFrame, _ region: FractionalRect) {
        func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        frame = planned.frame
        (x, y, width, height) = (rounded(region.x), rounded(region.y), rounded(region.width), rounded(region.height))
        (cut, shot, faces) = (planned.isCut, planned.shot, planned.faces)
    }

    /// The line with its line feed.
    var line: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return Array(try encoder.encode(self)) + [0x0A]
        }
    }

    /// The region of the frame.
    var region: FractionalRect { FractionalRect(x: x, y: y, width: width, height: height) }

    /// Reads the plan of a file.
    ///
    /// - Throws: A ``CommandFailure`` that names the first line that is not valid.
    static func read(_ path: String) throws(CommandFailure) -> [PlanLine] {
        let bytes = try LocalFile.read(path)
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

    private var isValid: Bool {
        frame >= 0 && width >= 1 && height >= 1 && [x, y, width, height].allSatisfy { abs($0) < 1e6 }
    }
}

/// The regions of a plan that was read: frames left out lie on a line between their neighbours, except before a cut.
struct PlannedRegions {
    private let lines: [PlanLine]
    private var position = 0

    init(_ lines: [PlanLine]) { self.lines = lines }

    /// The region of a frame; frames must be asked for in their order.
    mutating func region(_ frame: Int) -> FractionalRect {
        while position + 1 < lines.count, lines[position + 1].frame <= frame { position += 1 }
        let here = lines[position]
        guard frame > here.frame, position + 1 < lines.count, lines[position + 1].cut != true else {
            return here.region
        }
        let next = lines[position + 1]
        let share = Double(frame - here.frame) / Double(next.frame - here.frame)
        func mix(_ one: Double, _ two: Double) -> Double { one + share * (two - one) }
        return FractionalRect(
            x: mix(here.x, next.x),
            y: mix(here.y, next.y),
            width: mix(here.width, next.width),
            height: mix(here.height, next.height)
        )
    }
}
