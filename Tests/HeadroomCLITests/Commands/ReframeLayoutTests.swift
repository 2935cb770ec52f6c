import Foundation
import Geometry
import Imaging
import TestPacing
import TestPrograms
import Testing
import Video

@Suite("headroom reframe --layout", .limitedConcurrency)
struct ReframeLayoutTests {
    private static let size = PixelSize(width: 640, height: 180)
    /// The left edges of the faces, which are 80 pixels wide.
    private static let faces = [60, 500]
    /// The first frame of the second person's speech, where the first person stops.
    private static let change = 60

    /// A video with two faces at the sides, and with noise over all frames.
    ///
    /// The mouths open 4.5 times a second during speech.
    private static func talk(frames count: Int = 120) -> [UInt8] {
        let base = DrawnFace.luma(faces.map { DrawnFace(x: $0, y: 50, side: 80) }, size: size)
        let chroma = [UInt8](repeating: 128, count: size.area / 2)
        var state: UInt64 = 99
        var bytes = Array("YUV4MPEG2 W640 H180 F25:1 Ip A1:1 C420jpeg\n".utf8)
        for frame in 0..<count {
            var luma = base
            for (person, left) in faces.enumerated() {
                let speaks = (person == 0) == (frame < change)
                let phase = Double(frame) * 4.5 / 25 * 2 * .pi + Double(person)
                let open = speaks ? 0.5 - 0.5 * cos(phase) : 0.05
                drawMouth(left, open, in: &luma)
            }
            for index in luma.indices {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                luma[index] = UInt8(min(max(Int(luma[index]) + Int(state >> 61) - 4, 0), 255))
            }
            bytes += Array("FRAME\n".utf8) + luma + chroma
        }
        return bytes
    }

    /// Darkens the opening between the lips.
    private static func drawMouth(_ left: Int, _ open: Double, in luma: inout [UInt8]) {
        for y in 100..<128 {
            for x in left + 20..<left + 60 {
                let across = (Double(x - left) + 0.5 - 40) / 13
                let down = (Double(y - 50) + 0.5 - 62) / (1 + 8 * open)
                if across * across + down * down < 1 { luma[y * size.width + x] = 45 }
            }
        }
    }

    private static let source = talk()

    private func frames(_ bytes: [UInt8]) throws -> (size: PixelSize, frames: [[UInt8]]) {
        var position = 0
        var reader = try Y4MReader(
            ByteReader { buffer in
                let count = min(buffer.count, bytes.count - position)
                buffer.copyBytes(from: bytes[position..<position + count])
                position += count
                return count
            }
        )
        var frames: [[UInt8]] = []
        while let frame = try reader.next() {
            var samples: [UInt8] = []
            frame.append(to: &samples)
            frames.append(samples)
        }
        return (reader.header.size, frames)
    }

    private struct Plan: Decodable {
        struct Turn: Decodable { let person, first, last: Int }
        struct Shot: Decodable {
            let layout, reason: String
            let people: [Int]
        }
        struct Frame: Decodable {
            let frame: Int
            let x, width: Double
            let cut: Bool
            let layout: String?
        }
        struct Rect: Decodable { let x: Int }
        struct Sighting: Decodable {
            let head: Rect
            let lips: Double?
        }
        struct Person: Decodable {
            let person: Int
            let sightings: [Sighting]
        }
        let speech: [Turn]
        let shots: [Shot]
        let frames: [Frame]
        let people: [Person]
    }

    private func plan(_ folder: Folder, _ arguments: [String]) async throws -> Plan {
        try folder.write(Self.source, to: "in.y4m")
        let call = ["reframe", "in.y4m", "--plan", "plan.json"] + arguments
        let run = try await Headroom.run(call, in: folder)
        #expect(run.status == 0, "\(run.error)")
        let bytes = try folder.read("plan.json")
        #expect(try PlanSchema().violations(bytes) == [])
        return try JSONDecoder().decode(Plan.self, from: Data(bytes))
    }

    @Test func `the active speaker is detected, and the crop changes once, shortly after the speaker`() async throws {
        let folder = try Folder()
        let plan = try await plan(folder, ["--aspect", "9:16", "--layout", "hold"])
        let left = try #require(plan.people.first { $0.sightings[0].head.x < 320 }?.person)
        var right = 0
        for frame in 0..<120 {
            let said = plan.speech.first { ($0.first...$0.last).contains(frame) }?.person
            if said.map({ ($0 == left) == (frame < Self.change) }) == true { right += 1 }
        }
        #expect(right >= 102, "\(right) of 120 frames: \(plan.speech)")
        let cuts = plan.frames.filter(\.cut).map(\.frame)
        #expect(cuts.count == 1 && cuts.allSatisfy { (Self.change - 8...Self.change + 15).contains($0) }, "\(cuts)")
        // The plan and a direct run render the same frames.
        let direct = try await Headroom.run(
            ["reframe", "in.y4m", "--aspect", "9:16", "--layout", "hold", "-o", "direct.y4m"],
            in: folder
        )
        let planned = try await Headroom.run(
            ["reframe", "in.y4m", "--plan-from", "plan.json", "-o", "planned.y4m"],
            in: folder
        )
        #expect(direct.status == 0 && planned.status == 0, "\(planned.error)")
        #expect(try folder.read("direct.y4m") == folder.read("planned.y4m"))
    }

    @Test func `stack shows both people, wide shows the whole image, and auto reports a reason`() async throws {
        let folder = try Folder()
        let stacked = try await plan(folder, ["--aspect", "9:16", "--layout", "stack"])
        #expect(stacked.frames.allSatisfy { $0.layout == "stack" && !$0.cut })
        for (layout, name) in [("stack", "stack.y4m"), ("wide", "wide.y4m")] {
            let run = try await Headroom.run(
                ["reframe", "in.y4m", "--aspect", "9:16", "--width", "90", "--layout", layout, "-o", name],
                in: folder
            )
            #expect(run.status == 0, "\(run.error)")
            let result = try frames(try folder.read(name))
            #expect(result.size == PixelSize(width: 90, height: 160) && result.frames.count == 120)
        }
        // The whole image is 90×25 pixels in the centre; the background has no detail.
        let wide = try frames(try folder.read("wide.y4m")).frames[10]
        func contrast(_ rows: Range<Int>) -> Int {
            let part = wide[rows.lowerBound * 90..<rows.upperBound * 90]
            return Int(part.max() ?? 0) - Int(part.min() ?? 0)
        }
        #expect(contrast(68..<92) > 100 && contrast(0..<40) < 60)
        let auto = try await plan(folder, ["--aspect", "9:16", "--layout", "auto"])
        #expect(auto.shots.map(\.layout) == ["stack"] && auto.shots[0].reason.contains("both take part"))
    }

    @Test func `layout=hold works on a pipe with look-ahead`() async throws {
        let run = try await Headroom.run(
            ["reframe", "--aspect", "9:16", "--layout", "hold", "--plan", "-", "--look-ahead", "1"],
            in: Folder(),
            input: Self.source
        )
        #expect(run.status == 0, "\(run.error)")
        let lines = try run.output.split(separator: 0x0A).map {
            try JSONDecoder().decode(Plan.Frame.self, from: Data($0))
        }
        #expect(lines.count == 120)
        let cuts = lines.filter(\.cut).map(\.frame)
        #expect(cuts.count == 1 && cuts.allSatisfy { (Self.change - 10...Self.change + 25).contains($0) }, "\(cuts)")
    }

    @Test func `edits are applied, even if everything else in the plan is computed`() async throws {
        let folder = try Folder()
        let plan = try await plan(folder, ["--aspect", "9:16"])
        let shown = try #require(plan.frames.first)
        // Selects the person outside the crop by a position inside the head.
        let other = shown.x < 320 ? Self.faces[1] : Self.faces[0]
        let pick =
            #"{"version":1,"aspect":"9:16","edits":{"shots":[{"time":1,"people":[{"x":\#(other + 40),"y":90}]}]}}"#
        try folder.write(Array(pick.utf8), to: "edits.json")
        var run = try await Headroom.run(["reframe", "in.y4m", "--plan-from", "edits.json", "-o", "a.y4m"], in: folder)
        #expect(run.status == 0, "\(run.error)")
        let source = try frames(Self.source).frames[50]
        let width = try frames(try folder.read("a.y4m")).size.width
        let row = try frames(try folder.read("a.y4m")).frames[50][90 * width..<91 * width]
        #expect(
            (max(0, other - 60)...other).contains { row.elementsEqual(source[90 * 640 + $0..<90 * 640 + $0 + width]) }
        )

        var text = String(decoding: try folder.read("plan.json"), as: UTF8.self)
        text = #"{"edits":{"crops":[{"frame":50,"x":200,"y":0}]},"# + text.dropFirst()
        try folder.write(Array(text.utf8), to: "moved.json")
        #expect(try PlanSchema().violations(Array(text.utf8)) == [])
        run = try await Headroom.run(["reframe", "in.y4m", "--plan-from", "moved.json", "-o", "b.y4m"], in: folder)
        #expect(run.status == 0, "\(run.error)")
        let moved = try frames(try folder.read("b.y4m")).frames[50]
        #expect(moved[90 * width..<91 * width].elementsEqual(source[90 * 640 + 200..<90 * 640 + 200 + width]))
    }

    @Test func `people outside the video are skipped when a plan is applied`() async throws {
        let folder = try Folder()
        try folder.write(Array(Self.source.prefix(4 * (640 * 270 + 6) + 43)), to: "in.y4m")
        let far = #"{"x":-100000,"y":90000,"width":131072,"height":1}"#
        let sighting = #"{"frame":0,"face":\#(far),"head":\#(far),"reliability":1,"tolerance":65536,"sure":true}"#
        let text = #"""
            {"version":1,"source":{"width":640,"height":180,"fps":25,"frames":4},"aspect":"9:16",
            "frames":[{"frame":0,"x":-50,"y":999999,"width":999999,"height":1}],
            "shots":[{"shot":0,"first":0,"last":3,"layout":"follow","people":[1]}],
            "people":[{"person":1,"shot":0,"sightings":[\#(sighting)]}],
            "edits":{"shots":[{"frame":0,"layout":"hold","people":[{"person":1}]}],"crops":[{"frame":0,"x":-999999}]}}
            """#
        try folder.write(Array(text.utf8), to: "plan.json")
        let run = try await Headroom.run(
            ["reframe", "in.y4m", "--plan-from", "plan.json", "-o", "out.y4m"],
            in: folder
        )
        #expect(run.status == 0, "\(run.error)")
        #expect(try frames(try folder.read("out.y4m")).frames.count == 4)
    }

    @Test func `a person in a plan can be kept visible by number`() async throws {
        let folder = try Folder()
        let plan = try await plan(folder, ["--aspect", "32:9"])
        let left = try #require(plan.people.first { $0.sightings[0].head.x < 320 }?.person)
        let arguments = ["reframe", "in.y4m", "--redact", "fill", "-o", "out.y4m"]
        for more in [["--plan-from", "plan.json"], ["--aspect", "32:9"]] {
            let run = try await Headroom.run(arguments + more + ["--redact-except", "person:\(left)"], in: folder)
            #expect(run.status == 0, "\(run.error)")
            let (result, source) = (try frames(try folder.read("out.y4m")).frames, try frames(Self.source).frames)
            for frame in [10, 50, 110] {
                let rows = stride(from: 60, to: 120, by: 6)
                #expect(rows.allSatisfy { result[frame][$0 * 640 + 540] == 128 }, "frame \(frame)")
                #expect(
                    rows.allSatisfy { result[frame][$0 * 640 + 100] == source[frame][$0 * 640 + 100] },
                    "frame \(frame)"
                )
            }
        }
        let unknown = try await Headroom.run(
            arguments + ["--plan-from", "plan.json", "--redact-except", "person:9"],
            in: folder
        )
        #expect(
            unknown.status == 1 && unknown.error.contains("person:9: the plan contains persons"),
            "\(unknown.error)"
        )
    }

    @Test(arguments: [
        ("{\"version\":2}", "version 2"), ("{\"version\":1}", "has no aspect"),
        ("{\"version\":1,\"frames\":3}", "frames"), ("{\"version\":1,\"frames\":[]}", "source is missing"),
        (
            "{\"version\":1,\"source\":{\"width\":9,\"height\":9,\"fps\":25,\"frames\":1},\"aspect\":\"1:1\"}",
            "is for 9×9"
        ),
        ("{\"version\":1,\"edits\":{\"crops\":[{\"x\":1}]}}", "either frame or time"),
        ("{\"version\":1,\"edits\":{\"crops\":[{\"frame\":1,\"time\":1,\"x\":1}]}}", "either frame or time"),
        ("{\"version\":1,\"edits\":{\"shots\":[{\"time\":1e99,\"layout\":\"hold\"}]}}", "edits.shots.0"),
        ("{\"version\":1,\"edits\":{\"shots\":[{\"time\":1,\"people\":[{\"x\":1}]}]}}", "expected person, or x and y"),
        (
            "{\"version\":1,\"shots\":[{\"shot\":0,\"first\":5,\"last\":4,\"layout\":\"hold\",\"people\":[]}]}",
            "shot 0 is not valid"
        ), ("[1]", "line 1 is not valid"), ("", "no lines"),
    ])
    func `an invalid plan is rejected with its problem`(text: String, expected: String) async throws {
        let folder = try Folder()
        try folder.write(Array(Self.source.prefix(2 * (640 * 270 + 6) + 60)), to: "in.y4m")
        try folder.write(Array(text.utf8), to: "plan.json")
        let run = try await Headroom.run(["reframe", "in.y4m", "--plan-from", "plan.json"], in: folder)
        #expect(run.status == 1 && run.error.contains(expected), "\(run.error)")
    }

    @Test(arguments: [
        (["--layout", "tile"], "one of follow, hold, stack, wide, auto"),
        (["--layout", "stack", "--look-ahead", "1"], "--look-ahead"),
        (["--layout", "auto"], "expected a file"),
        (["--layout", "wide", "--format", "ffmpeg"], "--format ffmpeg is not allowed"),
        (["--screen", "0,0,0.5,0.5"], "--layout stack"),
        (["--layout", "stack", "--screen", "0,0,2,1"], "within the frame"),
        (["--plan", "a.json", "--look-ahead", "1"], "--look-ahead"), (["--plan", "a.json"], "expected a file"),
        (["--redact", "fill", "--redact-except", "person:0"], "person:N"),
        (["--redact", "fill", "--redact-except", "person:1"], "expected a file"),
    ])
    func `options that cannot be combined are rejected`(arguments: [String], expected: String) async throws {
        let header = Array("YUV4MPEG2 W320 H180 F25:1\n".utf8)
        let run = try await Headroom.run(["reframe", "--aspect", "9:16"] + arguments, in: Folder(), input: header)
        #expect([1, 64].contains(run.status) && run.error.contains(expected), "\(run.error)")
    }
}
