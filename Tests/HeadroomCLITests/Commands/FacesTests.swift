import Foundation
import Geometry
import Imaging
import TestPacing
import TestPrograms
import Testing

@Suite("headroom faces", .limitedConcurrency)
struct FacesTests {
    @Test func `faces are printed as lines of text`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "one.jpg")
        try folder.write(try Image.encoded(as: .png, faces: []), to: "none.png")
        let run = try await Headroom.run(["faces", "one.jpg", "none.png"], in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(run.lines.count == 3)
        #expect(run.lines[0] == "one.jpg: 480×320, 1 face")
        let face = try #require(
            run.lines[1].wholeMatch(
                of: /\s\s1: ([0-9]+)×([0-9]+) at ([0-9]+),([0-9]+), confidence (?:0\.[0-9][0-9]|1\.00), frontal/
            )
        )
        #expect(abs((Int(face.1) ?? 0) - Image.face.box.width) < 30)
        #expect(abs((Int(face.3) ?? 0) - Image.face.box.x) < 30)
        #expect(abs((Int(face.4) ?? 0) - Image.face.box.y) < 30)
        #expect(run.lines[2] == "none.png: 480×320, no face")
    }

    @Test func `faces are printed as JSON Lines`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/one.jpg")
        try folder.write(Array("text".utf8), to: "in/two.jpg")
        try folder.write(try Image.encoded(as: .png, faces: []), to: "in/z.png")
        let run = try await Headroom.run(["faces", "in", "--json", "--accuracy", "low"], in: folder)
        #expect(run.status == 1)
        #expect(run.errorLines.count == 1)
        #expect(run.error.hasPrefix("in/two.jpg: "))
        let documents = try run.lines.map { try JSONDecoder().decode(Plan.self, from: Data($0.utf8)) }
        #expect(documents.map(\.file) == ["in/one.jpg", "in/z.png"])
        #expect(documents.map(\.faces.count) == [1, 0])
        #expect(documents.allSatisfy { $0.crops == nil })
    }

    @Test func `focal points are printed as CSV and as JSON Lines`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/one.jpg")
        try folder.write(try Image.encoded(as: .png, faces: []), to: "in/a \"z\".png")
        let table = try await Headroom.run(["faces", "in", "--focus", "--accuracy", "low"], in: folder)
        #expect(table.status == 0)
        let rows = table.text.components(separatedBy: "\r\n")
        #expect(rows.count == 4 && rows[0] == "file,faces,x,y" && rows[3].isEmpty)
        #expect(rows[1] == "\"in/a \"\"z\"\".png\",0,0.5,0.5")
        let fields = rows[2].split(separator: ",")
        #expect(fields[0] == "\"in/one.jpg\"" && fields[1] == "1")
        let (x, y) = (try #require(Double(fields[2])), try #require(Double(fields[3])))
        let box = Image.face.box
        #expect(abs(x * 480 - Double(box.x) - Double(box.width) / 2) < 20)
        #expect(y * 320 < Double(box.y) + Double(box.height) / 2)
        struct Line: Decodable {
            struct Point: Decodable { var x, y: Double }
            var file: String
            var faces: Int
            var focus: Point
            var imgproxy: String
        }
        let lines = try await Headroom.run(["faces", "in", "--focus", "--json", "--accuracy", "low"], in: folder)
        let documents = try lines.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(documents.map(\.faces) == [0, 1] && documents[1].file == "in/one.jpg")
        #expect(documents[1].focus.x == x && documents[1].imgproxy == "g:fp:\(fields[2]):\(fields[3])")
    }

    @Test func `a link to a folder is followed`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(as: .png, faces: []), to: "in/deep/a.png")
        let link = folder.url.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "in")
        let run = try await Headroom.run(["faces", "link"], in: folder)
        #expect(run.text == "link/deep/a.png: 480×320, no face\n")
    }

    @Test func `a full disk is reported only once`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(as: .png, faces: []), to: "a.png")
        let run = try await Headroom.run(["faces", "a.png", "a.png"], after: "exec >/dev/full", in: folder)
        #expect(run.status == 1)
        #expect(run.error == "Error: standard output: no space left on device\n")
    }

    @Test func `a file of focal points is extended and keeps points that a user has set`() async throws {
        let folder = try Folder()
        for name in ["a", "b"] { try folder.write(try Image.encoded(), to: "in/\(name).jpg") }
        let call = ["faces", "in", "--focus", "--accuracy", "low", "--output", "points.jsonl"]
        let first = try await Headroom.run(call, in: folder)
        #expect(first.status == 0 && first.output.isEmpty)
        #expect(first.errorLines == ["2 points found, 0 kept (0 set by hand)"])
        func lines() throws -> [String] {
            String(decoding: try folder.read("points.jsonl"), as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let found = try lines()
        #expect(found.count == 2 && found.allSatisfy { $0.contains(#""by":"headroom""#) })
        let mine = #"{"file":"in/a.jpg","focus":{"x":0.1,"y":0.2},"note":"the dog"}"#
        try folder.write(Array("\(mine)\n\(found[1])\n".utf8), to: "points.jsonl")
        try folder.write(try Image.encoded(), to: "in/c.jpg")
        for (options, message) in [
            ([], "1 points found, 2 kept (1 set by hand)"),
            (["--again"], "2 points found, 1 kept (1 set by hand)"),
            ([], "0 points found, 3 kept (1 set by hand)"),
        ] {
            let run = try await Headroom.run(call + options, in: folder)
            #expect(run.status == 0 && run.errorLines == [message])
            let all = try lines()
            #expect(all.count == 3 && all[0] == mine && all[1] == found[1])
        }
        try folder.write(Array("{}\n".utf8), to: "points.jsonl")
        let wrong = try await Headroom.run(call, in: folder)
        #expect(wrong.status == 1)
        #expect(wrong.error == "Error: points.jsonl:1: expected a line of JSON with the member file\n")
        #expect(try lines() == ["{}"])
        #expect(try await Headroom.run(["faces", "in", "--output", "x"], in: folder).status == 64)
    }

    @Test func `an image that fails does not affect the points of other images`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/a.jpg")
        try folder.write(Array("no image".utf8), to: "in/b.jpg")
        let call = ["faces", "in", "--focus", "--accuracy", "low", "--output", "points.jsonl"]
        let run = try await Headroom.run(call, in: folder)
        #expect(run.status == 1 && run.error.contains("in/b.jpg: "))
        #expect(String(decoding: try folder.read("points.jsonl"), as: UTF8.self).contains("in/a.jpg"))
    }
}
