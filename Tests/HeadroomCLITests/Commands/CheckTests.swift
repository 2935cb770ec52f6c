import Foundation
import Imaging
import TestPacing
import TestPrograms
import Testing

@Suite("headroom check", .limitedConcurrency)
struct CheckTests {
    private struct Report: Decodable {
        struct Crop: Decodable { var aspect: String, cut: [Int] }
        struct Image: Decodable { var file: String, faces: [Face], crops: [Crop] }
        struct Face: Decodable { var uncertain: Bool }
        var summary: [String: Int]
        var images: [Image]
    }

    /// Two faces; a tall crop contains at most one of them.
    private static let pair = [DrawnFace(x: 30, y: 110, side: 100), DrawnFace(x: 340, y: 110, side: 100)]

    @Test func `a check without cut heads exits with status 0 and prints a summary`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/a.jpg")
        try folder.write(try Image.encoded(as: .png, faces: []), to: "in/b.png")
        let run = try await Headroom.run(["check", "in", "--aspect", "16:9,1:1"], in: folder)
        #expect(run.status == 0)
        #expect(
            run.lines == [
                "in/b.png: no face", "2 images, 1 face, 4 crops, 0 that cut a head, 1 without a face",
            ]
        )
    }

    @Test func `place applies to every crop and cuts no head`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "a.jpg")
        for place in ["left", "right", "thirds"] {
            let run = try await Headroom.run(["check", "a.jpg", "--place", place], in: folder)
            #expect(run.lines == ["1 image, 1 face, 3 crops, 0 that cut a head, 0 without a face"])
        }
        let wrong = try await Headroom.run(["check", "a.jpg", "--place", "middle"], in: folder)
        #expect(wrong.status == 64)
    }

    @Test func `a cut head is reported and exits with status 1`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(faces: Self.pair), to: "pair.jpg")
        let run = try await Headroom.run(["check", "pair.jpg", "--aspect", "3:2,9:16"], in: folder)
        #expect(run.status == 1)
        #expect(
            run.lines == [
                "pair.jpg: 9:16 cuts 1 of 2 heads", "1 image, 2 faces, 2 crops, 1 that cut a head, 0 without a face",
            ]
        )
    }

    @Test func `the report is one JSON document`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(faces: Self.pair), to: "pair.jpg")
        let run = try await Headroom.run(["check", "pair.jpg", "--json"], in: folder)
        #expect(run.status == 1)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output))
        #expect(report.summary["cutCrops"] == report.images[0].crops.count { !$0.cut.isEmpty })
        #expect(report.images[0].crops.map(\.aspect) == ["16:9", "1:1", "9:16"])
        #expect(report.images[0].crops[0].cut == [])
        #expect(report.images[0].crops[2].cut.count == 1)
        #expect(report.images[0].faces.map(\.uncertain) == [false, false])
    }

    @Test func `an unreadable image sets exit status 2, and the other images are checked`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(faces: Self.pair), to: "pair.jpg")
        try folder.write(Array("text".utf8), to: "text.jpg")
        let run = try await Headroom.run(["check", "pair.jpg", "text.jpg", "none.jpg"], in: folder)
        #expect(run.status == 2)
        #expect(run.errorLines.count == 2)
        #expect(run.lines.last?.hasSuffix("2 not readable") == true)
        try folder.write([], to: "empty/a.txt")
        let empty = try await Headroom.run(["check", "empty"], in: folder)
        #expect(empty.status == 2)
        #expect(empty.error.hasPrefix("Error: no images found in empty"))
        let unwritable = try await Headroom.run(["check", "pair.jpg", "--output", "text.jpg/sheet.html"], in: folder)
        #expect(unwritable.status == 2)
    }

    @Test func `invalid arguments exit with status 64`() async throws {
        let run = try await Headroom.run(["check", "a.jpg", "--aspect", "wide", "--zoom", "2"], in: Folder())
        #expect(run.status == 64)
        #expect(run.errorLines.count == 2)
    }

    @Test func `the sheet shows every image and crop, with escaped names`() async throws {
        let folder = try Folder()
        let name = "<script>alert('&\"')</script>.jpg".replacing("/", with: "_")
        try folder.write(try Image.encoded(faces: Self.pair), to: name)
        try folder.write(try Image.encoded(as: .png, faces: []), to: "none.png")
        let run = try await Headroom.run(
            ["check", name, "none.png", "--aspect", "3:2,9:16", "-o", "out/sheet.html"],
            in: folder
        )
        #expect(run.status == 1)
        let html = String(decoding: try folder.read("out/sheet.html"), as: UTF8.self)
        #expect(html.hasPrefix("<!doctype html>"))
        #expect(html.contains("<h2>&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;_script&gt;.jpg</h2>"))
        #expect(!html.contains("<script"))
        #expect(html.components(separatedBy: "src=\"data:image/jpeg;base64,/9j/").count == 1 + 6)
        #expect(html.components(separatedBy: "<figure class=\"cut\">").count == 1 + 1)
        #expect(html.contains("<b>9:16: 1 of 2, faces</b>"))
        #expect(html.contains("<i class=\"cut\" style=\"left:"))
        // The sheet loads nothing from the network.
        #expect(!html.contains("http:") && !html.contains("https:"))
    }

    @Test func `drawings of a crop can be written, and non-image formats are rejected`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "a.jpg")
        let drawn = try await Headroom.run(
            ["frame", "a.jpg", "--aspect", "1:1", "--format", "debug", "-o", "drawn.png"],
            in: folder
        )
        #expect(drawn.status == 0)
        #expect(try folder.files().contains("drawn.png"))
        let refused = try await Headroom.run(["frame", "a.jpg", "--format", "zip"], in: folder)
        #expect(refused.status == 64)
    }
}
