import UntrustedText
import FoundationEssentials
import Imaging
package import Pipeline

/// The description of a sticker: the file `overlay.json` in its folder.
package struct StickerDescription: Sendable {
    /// The problems of an invalid description, one sentence each.
    package struct Malformed: Error, Sendable {
        package let problems: [String]
    }

    /// The names of the images, in the order of the frames; nil for all images in the folder.
    package private(set) var frames: [String]?
    private let members: Members

    /// The maximum width and offset, in units.
    private static let maxUnits = 20.0
    /// The maximum duration of a frame, in milliseconds.
    private static let maxDelay = 10_000
    /// The maximum size of a description, in bytes.
    package static let maxBytes = 64 << 10

    private struct Members: Decodable {
        var anchor: String
        var width: Double
        var unit: String?
        var offset: [Double]?
        var stands: Bool?
        var z: String?
        var delay: Int?
        var frames: [String]?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case anchor, width, unit, offset, stands, z, delay, frames
        }
    }

    /// A member whose value is ignored.
    private struct Unread: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Parses the bytes of a file.
    ///
    /// Throws all problems together.
    package init(_ json: [UInt8]) throws(Malformed) {
        guard json.count <= Self.maxBytes else {
            throw Malformed(problems: ["overlay.json is larger than \(Self.maxBytes >> 10) KiB"])
        }
        let (data, decoder) = (Data(json), JSONDecoder())
        let known = Members.CodingKeys.allCases.map(\.rawValue)
        var problems: [String] = []
        if let all = try? decoder.decode([String: Unread].self, from: data) {
            for name in all.keys.sorted() where !known.contains(name) {
                problems.append("\(name.prefix(40)) is unknown: expected \(known.joined(separator: ", "))")
            }
        }
        do {
            members = try decoder.decode(Members.self, from: data)
        } catch {
            let form =
                "expected an object with anchor (a word) and width (a number), and optionally unit, offset (two "
                + "numbers), stands, z, delay (whole milliseconds) and frames (file names)"
            throw Malformed(problems: problems + ["overlay.json is not valid: \(form)"])
        }
        frames = members.frames
        problems += Self.problems(of: members)
        if !problems.isEmpty { throw Malformed(problems: problems) }
    }

    private static func problems(of members: Members) -> [String] {
        var problems: [String] = []
        func check<Word: RawRepresentable & CaseIterable>(_ name: String, _ text: String?, _: Word.Type)
        where Word.RawValue == String {
            guard let text, Word(rawValue: text) == nil else { return }
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            problems.append("\(name) is \(text.prefix(40)): expected one of \(words)")
        }
        check("anchor", members.anchor, Sticker.Anchor.self)
        check("unit", members.unit, Sticker.Unit.self)
        check("z", members.z, Sticker.Depth.self)
        if !(0.01...maxUnits).contains(members.width) {
            problems.append("width is \(members.width): expected 0.01 to \(maxUnits)")
        }
        if let offset = members.offset,
            offset.count != 2 || !offset.allSatisfy({ (-maxUnits...maxUnits).contains($0) })
        {
            problems.append("offset is not valid: expected two numbers from -\(maxUnits) to \(maxUnits)")
        }
        if let delay = members.delay, !(10...maxDelay).contains(delay) {
            problems.append("delay is \(delay): expected 10 to \(maxDelay)")
        }
        if members.stands == true, [Sticker.Anchor.eyes, .mouth].map(\.rawValue).contains(members.anchor) {
            problems.append("stands=true requires the anchor head or face")
        }
        if let frames = members.frames, !(1...Sticker.maxFrames).contains(frames.count) {
            problems.append("frames contains \(frames.count) names: expected 1 to \(Sticker.maxFrames)")
        }
        for name in members.frames ?? [] where name.isEmpty || name.bytes.hasPrefix(".") || name.bytes.contains("/") {
            problems.append("frames contains \(name.prefix(40)): expected the name of a file in the same folder")
        }
        return problems
    }

    /// Creates the sticker for this description.
    ///
    /// - Parameters:
    ///   - name: The name in requests.
    ///   - files: The bytes of the sticker's frames, in order; they are not decoded here.
    /// - Returns: Nil if the anchor is unknown, which cannot happen after parsing.
    package func sticker(name: String, files: [[UInt8]]) -> Sticker? {
        guard let anchor = Sticker.Anchor(rawValue: members.anchor) else { return nil }
        var sticker = Sticker(
            name: name,
            content: .files(files),
            anchor: anchor,
            width: members.width,
            unit: members.unit.flatMap(Sticker.Unit.init) ?? .face
        )
        if let offset = members.offset, offset.count == 2 { (sticker.x, sticker.y) = (offset[0], offset[1]) }
        sticker.stands = members.stands ?? false
        sticker.depth = members.z.flatMap(Sticker.Depth.init) ?? .front
        sticker.delay = members.delay
        return sticker
    }
}
