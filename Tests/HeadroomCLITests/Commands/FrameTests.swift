import Foundation
import Geometry
import Imaging
import Requests
import Subprocess
import TestPacing
import TestImages
import TestPrograms
import Testing

@Suite("headroom frame", .limitedConcurrency)
struct FrameTests {
    @Test func `a file is cropped into a file, and the face stays inside`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        let run = try await Headroom.run(["frame", "in.jpg", "--aspect", "1:1", "-o", "new/out.jpg"], in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(run.output.isEmpty)
        #expect(try folder.files() == ["in.jpg", "new/out.jpg"])
        let crop = try folder.read("new/out.jpg")
        #expect(try ImageHeader.size(of: crop) == PixelSize(width: 320, height: 320))
        let faces = try await Headroom.run(["faces", "-"], in: folder, input: crop)
        #expect(faces.lines.first == "standard input: 320×320, 1 face")
    }

    @Test func `people are positioned at the requested side, both in the output and in the plan`() async throws {
        struct Plan: Decodable {
            struct Rect: Decodable, Equatable { var x, y, width, height: Int }
            struct Face: Decodable {
                var head: Rect
                var kept: Bool
            }
            var crop: Rect
            var faces: [Face]

            /// The horizontal middle of the first head as a fraction of the crop's width.
            var middleOfFace: Double {
                (Double(faces[0].head.x - crop.x) + Double(faces[0].head.width) / 2) / Double(crop.width)
            }
        }
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        var plans: [String: Plan] = [:]
        for place in ["left", "center", "right"] {
            let options = ["in.jpg", "--aspect", "1:1", "--place", place]
            let run = try await Headroom.run(["frame", "--json"] + options, in: folder)
            let plan = try JSONDecoder().decode(Plan.self, from: Data(run.output))
            #expect(plan.faces.map(\.kept) == [true])
            plans[place] = plan
            #expect(try await Headroom.run(["frame", "-o", "\(place).jpg"] + options, in: folder).status == 0)
            let size = try ImageHeader.size(of: try folder.read("\(place).jpg"))
            #expect(size == PixelSize(width: plan.crop.width, height: plan.crop.height))
        }
        let left = try #require(plans["left"]).middleOfFace
        let center = try #require(plans["center"]).middleOfFace
        let right = try #require(plans["right"]).middleOfFace
        #expect(left < center - 0.05)
        // The person is near the image's right edge, so even a centred crop shows the person on the right.
        #expect(right >= center)
    }

    @Test func `standard input is cropped to standard output`() async throws {
        let run = try await Headroom.run(
            ["frame", "-", "--width", "120", "--height", "80", "--format", "png"],
            in: Folder(),
            input: try Image.encoded()
        )
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(OutputFormat.sniff(run.output) == .png)
        #expect(try ImageHeader.size(of: run.output) == PixelSize(width: 120, height: 80))
    }

    @Test func `a folder is cropped into a folder with the same structure and the matching extensions`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/a.jpg")
        try folder.write(try Image.encoded(), to: "in/deep/er/b.JPEG")
        try folder.write(try Image.encoded(as: .png), to: "in/deep/c.png")
        try folder.write(try Image.encoded(as: .png), to: "in/deep/not really.jpg")
        try folder.write(Array("notes".utf8), to: "in/notes.txt")
        try folder.write(Array("what some cameras leave".utf8), to: "in/.a.jpg")
        let run = try await Headroom.run(["frame", "in", "--aspect", "1:1", "-o", "out"], in: folder)
        #expect(run.status == 0)
        #expect(run.error == "4 images written\n")
        let results = try folder.files().filter { $0.hasPrefix("out/") }
        #expect(results == ["out/a.jpg", "out/deep/c.png", "out/deep/er/b.JPEG", "out/deep/not really.png"])
        let formats = try results.map { OutputFormat.sniff(try folder.read($0)) }
        #expect(formats == [.jpeg, .png, .jpeg, .png])

        let asPNG = try await Headroom.run(["frame", "in/", "--format", "png", "-o", "png/"], in: folder)
        #expect(asPNG.status == 0)
        let names = try folder.files().filter { $0.hasPrefix("png/") }
        #expect(names == ["png/a.png", "png/deep/c.png", "png/deep/er/b.png", "png/deep/not really.png"])
    }

    @Test func `a folder with one image is written into a folder`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/deep/a.jpg")
        let run = try await Headroom.run(["frame", "in", "--aspect", "1:1", "-o", "out"], in: folder)
        #expect(run.status == 0)
        #expect(try folder.files() == ["in/deep/a.jpg", "out/deep/a.jpg"])
    }

    @Test func `a named pipe is read`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        let run = try await Headroom.run(
            ["frame", "pipe", "--aspect", "1:1", "-o", "out.jpg"],
            after: "mkfifo pipe && { cat in.jpg > pipe & }",
            in: folder
        )
        #expect(run.status == 0 && run.error == "")
        #expect(try ImageHeader.size(of: try folder.read("out.jpg")) == PixelSize(width: 320, height: 320))
    }

    @Test func `a redaction without any head is reported`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "somebody.jpg")
        try folder.write(
            try ImageEncoder.encode(try TestImage.gradient(PixelSize(width: 300, height: 200)), as: .jpeg),
            to: "nobody.jpg"
        )
        for (name, reported) in [("somebody", false), ("nobody", true)] {
            let call = ["frame", "\(name).jpg", "--redact", "blur", "-o", "\(name)-out.jpg"]
            let run = try await Headroom.run(call, in: folder)
            #expect(run.status == 0)
            #expect(run.error == (reported ? "nobody.jpg: --redact covers no head: no matching head was found\n" : ""))
        }
        let areas = [
            "frame", "nobody.jpg", "--redact", "fill", "--redact-faces", "none", "--redact-areas", "0,0,0.5,0.5",
        ]
        #expect(try await Headroom.run(areas + ["-o", "areas.jpg"], in: folder).error == "")
    }

    @Test func `a chroma key that matches nothing is reported`() async throws {
        let folder = try Folder()
        let size = PixelSize(width: 60, height: 40)
        let images: [(name: String, image: PlanarImage, message: String)] = [
            ("screen", try TestImage.rgb(size) { x, _ in x < 50 ? (0, 177, 64) : (90, 90, 90) }, ""),
            (
                "grey", try TestImage.rgb(size) { _, _ in (90, 90, 90) },
                "grey.png: --chroma-key=auto makes nothing transparent: the borders have no colour that can be removed\n"
            ),
        ]
        for (name, image, message) in images {
            try folder.write(try ImageEncoder.encode(image, as: .png), to: "\(name).png")
            let call = ["frame", "\(name).png", "--chroma-key", "auto", "--gravity", "center", "-o", "\(name)-out.png"]
            let run = try await Headroom.run(call, in: folder)
            #expect(run.status == 0 && run.error == message)
        }
    }

    @Test func `options with old names work, and are warnings`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        let values = [
            "key": ["00ff00"], "mark": ["halo"], "markPlace": ["top"], "markWidth": ["0.5"], "markOpacity": ["0.5"],
            "markMargin": ["0.1"], "box": ["inside"], "lossless": [],
        ]
        #expect(Set(values.keys) == Set(DeprecatedName.parameters.map(\.old)))
        func option(_ name: String) -> String {
            "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
        }
        for name in DeprecatedName.parameters {
            let value = try #require(values[name.old])
            let isPart = name.old.hasPrefix("mark") && name.old != "mark"
            let call = ["frame", "in.jpg", "-o", "-"] + (isPart ? ["--watermark", "halo"] : [])
            let old = try await Headroom.run(call + [option(name.old)] + value, in: folder)
            let new = try await Headroom.run(call + [option(name.new)] + value, in: folder)
            #expect(old.status == 0 && old.output == new.output && new.error == "", "\(name.old): \(old.error)")
            #expect(old.error == "Warning: \(option(name.old)) is deprecated; use \(option(name.new))\n")
            let both = try await Headroom.run(
                call + [option(name.old)] + value + [option(name.new)] + value,
                in: folder
            )
            #expect(both.status == 64 && both.error.contains("is not allowed with \(name.new)"), "\(both.error)")
        }
        let still = try await Headroom.run(["frame", "in.jpg", "-o", "-", "--motion", "still"], in: folder)
        #expect(still.error == "Warning: --motion=still is deprecated; use --motion=fixed\n")
    }

    @Test func `the extension of the output file selects the format unless --format does`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        #expect(try await Headroom.run(["frame", "in.jpg", "-o", "a.png"], in: folder).status == 0)
        #expect(OutputFormat.sniff(try folder.read("a.png")) == .png)
        let given = try await Headroom.run(["frame", "in.jpg", "-o", "b.png", "--format", "jpeg"], in: folder)
        #expect(given.status == 0)
        #expect(OutputFormat.sniff(try folder.read("b.png")) == .jpeg)
    }

    @Test func `a JPEG is cropped losslessly, and other formats are rejected`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/a.jpg")
        try folder.write(try Image.encoded(as: .png), to: "in/b.png")
        let run = try await Headroom.run(
            ["frame", "in", "--aspect", "1:1", "--lossless-crop", "-o", "out"],
            in: folder
        )
        #expect(run.status != 0 && run.error.contains("b.png") && run.error.contains("JPEG"))
        #expect(try folder.files().filter { $0.hasPrefix("out/") } == ["out/a.jpg"])
        let (source, result) = (try folder.read("in/a.jpg"), try folder.read("out/a.jpg"))
        #expect(try ImageHeader.read(result).quantization == ImageHeader.read(source).quantization)
        let plan = try await Headroom.run(
            ["frame", "in/a.jpg", "--aspect", "1:1", "--lossless-crop", "--json"],
            in: folder
        )
        let size = try ImageHeader.size(of: result)
        #expect([size.width, size.height].allSatisfy { plan.lines.first?.contains("\($0)") == true })
        let scaled = try await Headroom.run(
            ["frame", "in/a.jpg", "--width", "9", "--lossless-crop", "-o", "-"],
            in: folder
        )
        #expect(scaled.status == 64 && scaled.error.contains("--lossless-crop=true is not allowed with width"))
    }

    @Test func `fit=pad adds bars and cuts nothing`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        let padded = ["frame", "in.jpg", "--fit", "pad", "--aspect", "1:2", "--width", "90"]
        for (background, name) in [("fff", "a.jpg"), ("blur", "b.webp"), ("transparent", "c.png")] {
            let run = try await Headroom.run(padded + ["--background", background, "-o", name], in: folder)
            #expect(run.status == 0)
            #expect(try ImageHeader.size(of: try folder.read(name)) == PixelSize(width: 90, height: 180))
        }
    }

    @Test func `images that fail do not stop the remaining images`() async throws {
        let folder = try Folder()
        let image = try Image.encoded()
        try folder.write(image, to: "good.jpg")
        try folder.write(Array("no image".utf8), to: "text.jpg")
        try folder.write(Array(image.prefix(image.count / 40)), to: "torn.jpg")
        try folder.write([], to: "empty.jpg")
        let inputs = ["text.jpg", "torn.jpg", "missing.jpg", "empty.jpg", "good.jpg"]
        let run = try await Headroom.run(["frame"] + inputs + ["--aspect", "1:1", "-o", "out"], in: folder)
        #expect(run.status == 1)
        #expect(run.errorLines.count == 5 && run.errorLines.last == "1 image written, 4 failed")
        for (line, name) in zip(run.errorLines.dropLast(), inputs) { #expect(line.hasPrefix("\(name): ")) }
        #expect(run.error.contains("missing.jpg: no such file or directory"))
        #expect(try folder.files().filter { $0.hasPrefix("out/") } == ["out/good.jpg"])
    }

    @Test func `endless input is rejected at the size limit`() async throws {
        let run = try await Headroom.run(["frame", "/dev/zero"], in: Folder())
        #expect(run.status == 1)
        #expect(run.error == "/dev/zero: larger than 256 MiB\n")
    }

    @Test func `a named pipe as output is written to and not replaced`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        #expect(mkfifo(folder.url.appending(path: "pipe").path, 0o600) == 0)
        async let read = Configuration.program("/bin/sh", ["-c", "cat pipe > copy.jpg"], in: folder.url).run()
        #expect(try await Headroom.run(["frame", "in.jpg", "-o", "pipe"], in: folder).status == 0)
        #expect(try await read.status == 0)
        #expect(OutputFormat.sniff(try folder.read("copy.jpg")) == .jpeg)
    }

    @Test func `plans are JSON Lines in the order of the images`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "a.jpg")
        try folder.write(try Image.encoded(as: .png, faces: []), to: "b.png")
        let run = try await Headroom.run(
            ["frame", "a.jpg", "b.png", "--aspect", "16:9,1:1,9:16", "--json"],
            in: folder
        )
        #expect(run.status == 0)
        #expect(run.error == "")
        let plans = try run.lines.map { try JSONDecoder().decode(Plan.self, from: Data($0.utf8)) }
        #expect(plans.map(\.file) == ["a.jpg", "b.png"])
        #expect(plans.map { $0.crops?.map(\.aspect) } == [["16:9", "1:1", "9:16"], ["16:9", "1:1", "9:16"]])
        #expect(plans.map(\.faces.count) == [1, 0])
        #expect(plans.map(\.source.width) == [480, 480])
        #expect(try folder.files() == ["a.jpg", "b.png"])
    }

    @Test func `lines are in the order of the images for any number of workers`() async throws {
        let folder = try Folder()
        let large = try Image.encoded(PixelSize(width: 1200, height: 900), as: .jpeg, faces: [])
        let small = try Image.encoded(PixelSize(width: 60, height: 40), as: .jpeg, faces: [])
        for number in 10..<26 { try folder.write(number % 4 == 0 ? large : small, to: "in/\(number).jpg") }
        let run = try await Headroom.run(["faces", "in", "--workers", "8"], in: folder)
        #expect(run.lines.compactMap { $0.split(separator: ":").first } == (10..<26).map { "in/\($0).jpg" })
    }

    @Test func `output to a closed standard output is an error, and changes no file`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(PixelSize(width: 60, height: 40), as: .png, faces: []), to: "a.png")
        let script = #""$0" faces a.png >&- 2> error; echo $? > status; "$0" faces a.png >&- 2>&-; echo $? >> status"#
        let executable = try Headroom.executable().path
        _ = try await Configuration.program("/bin/sh", ["-c", script, executable], in: folder.url).run()
        let error = String(decoding: try folder.read("error"), as: UTF8.self).lowercased()
        #expect(error.contains("standard output: bad file descriptor"), "\(error)")
        #expect(String(decoding: try folder.read("status"), as: UTF8.self) == "1\n1\n")
    }

    @Test func `a closed pipe ends the program without an error message`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(PixelSize(width: 60, height: 40), as: .png, faces: []), to: "a.png")
        for ignoring in ["", "trap '' PIPE; "] {
            // The reader has exited before anything is written, because the writer waits for its exit.
            let script = """
                \(ignoring)mkfifo gone; { read -r _ < gone; "$0" faces a.png a.png 2> error; echo $? > status; } \
                | { exec 0<&-; echo > gone; }; rm gone
                """
            let executable = try Headroom.executable().path
            _ = try await Configuration.program("/bin/sh", ["-c", script, executable], in: folder.url).run()
            #expect(try folder.read("error") == [])
            #expect(String(decoding: try folder.read("status"), as: UTF8.self) == "141\n")
        }
    }
}

/// The part of a JSON line that the tests use.
struct Plan: Decodable {
    struct Source: Decodable { var width: Int }
    struct Crop: Decodable { var aspect: String }
    struct Face: Decodable {}

    var file: String
    var source: Source
    var crops: [Crop]?
    var faces: [Face]
}
