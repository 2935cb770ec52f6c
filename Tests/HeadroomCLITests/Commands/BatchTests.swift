import Foundation
import Geometry
import Imaging
import TestPacing
import TestPrograms
import Testing

@Suite("headroom batch", .limitedConcurrency)
struct BatchTests {
    @Test func `a folder is cropped, and a second run skips all images`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/a.jpg")
        try folder.write(try Image.encoded(as: .png), to: "in/b/c.png")
        let call = ["batch", "in", "--aspect", "1:1", "--output", "out/"]
        let run = try await Headroom.run(call, in: folder)
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(run.error.contains(#""done":2,"failed":0,"failedBefore":0,"final":true"#))
        #expect(try folder.files() == ["in/a.jpg", "in/b/c.png", "out/a.jpg", "out/b/c.png", "out/results.jsonl"])
        #expect(try ImageHeader.size(of: try folder.read("out/b/c.png")) == PixelSize(width: 320, height: 320))
        let frame = try await Headroom.run(["frame", "in/a.jpg", "--aspect", "1:1", "-o", "frame.jpg"], in: folder)
        #expect(frame.status == 0)
        #expect(try folder.read("frame.jpg") == (try folder.read("out/a.jpg")))
        let again = try await Headroom.run(call, in: folder)
        #expect(again.status == 0)
        #expect(again.error.contains(#""done":0,"failed":0,"failedBefore":0,"final":true"#))
        let other = try await Headroom.run(call + ["--width", "9"], in: folder)
        #expect(other.status == 1)
        #expect(other.error.contains("--restart"))
    }

    @Test func `failures determine the exit status`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/a.jpg")
        try folder.write(Array("no image".utf8), to: "in/b.jpg")
        let call = ["batch", "in", "--output", "out", "--failures", "failed.jsonl"]
        let first = try await Headroom.run(call, in: folder)
        #expect(first.status == 1)
        #expect(first.error.contains("in/b.jpg: The image format is not supported"))
        #expect(first.error.contains("1 failed; out/results.jsonl lists the reasons"))
        #expect(try await Headroom.run(call + ["--max-failures", "50%", "--restart"], in: folder).status == 0)
        // A resumed run counts earlier failures and reports them separately.
        let second = try await Headroom.run(call, in: folder)
        #expect(second.status == 1)
        #expect(second.error.contains(#""done":0,"failed":0,"failedBefore":1,"final":true"#))
        #expect(
            second.error.contains(
                "1 failed in earlier runs (use --retry-failed to try them again); out/results.jsonl lists the reasons"
            )
        )
        #expect(try await Headroom.run(call + ["--max-failures", "50%"], in: folder).status == 0)
        let list = String(decoding: try folder.read("failed.jsonl"), as: UTF8.self)
        #expect(list.contains(#""file":"in/b.jpg""#))
    }

    @Test func `a dry run lists jobs and writes nothing`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/a.jpg")
        try folder.write(try Image.encoded(), to: "in/a.png")
        let call = ["batch", "in", "--aspect", "16:9,1:1", "--format", "webp", "--output", "out", "--dry-run"]
        let run = try await Headroom.run(call, in: folder)
        #expect(run.status == 0)
        #expect(run.lines.first == "a\tin/a.jpg\ta-16x9.webp a-1x1.webp")
        #expect(run.lines.last?.hasPrefix("refused\tin/a.png\tduplicate-key") == true)
        #expect(run.errorLines.last?.hasPrefix("1 to do, 0 already done, 1 rejected") == true)
        #expect(try folder.files() == ["in/a.jpg", "in/a.png"])
    }

    @Test func `no row of a list can control the terminal in a dry run`() async throws {
        let folder = try Folder()
        let rows = Array("a\u{1B}[2J.jpg\nb\u{9B}31m\u{202E}.jpg\n\"c\".jpg\n".utf8)
        let call = ["batch", "-", "--from", "txt", "--format", "png", "--output", "out", "--dry-run"]
        let run = try await Headroom.run(call, in: folder, input: rows)
        #expect(run.lines.count == 3)
        #expect(run.lines.first?.contains(#"The key a\u001b[2J is not valid"#) == true)
        let escaped = #"b\u009b31m\u202e"#
        #expect(run.lines.dropFirst().first == "\(escaped)\t\(escaped).jpg\t\(escaped).png")
        #expect(run.lines.last == "\"c\"\t\"c\".jpg\t\"c\".png")
    }

    @Test func `rows can come from standard input, and plans need no output folder`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "a.jpg")
        let rows = Array("{\"file\": \"a.jpg\", \"key\": \"x\", \"aspect\": \"2:1\"}\n".utf8)
        let call = ["batch", "-", "--from", "jsonl", "--plans", "--results", "plans.jsonl"]
        let run = try await Headroom.run(call, in: folder, input: rows)
        #expect(run.status == 0)
        #expect(try folder.files() == ["a.jpg", "plans.jsonl"])
        #expect(String(decoding: try folder.read("plans.jsonl"), as: UTF8.self).contains(#""aspect":"2:1""#))
    }

    @Test(arguments: [
        ["batch", "in"], ["batch", "in", "--plans"], ["batch", "in", "--output", "out", "--order", "x"],
        ["batch", "in", "--output", "out", "--name", "x"], ["batch", "in", "--output", "out", "--max-failures", "x"],
        ["batch", "in", "--output", "out", "--from", "x"], ["batch", "in", "--output", "out", "--retries", "99"],
        ["batch", "in", "--output", "out", "--aspect", "x"], ["batch", "-", "--output", "out"],
        ["batch", "in", "--plans", "--results", "r", "--output", "out"],
    ])
    func `an invalid call exits with status 64`(arguments: [String]) async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in/a.jpg")
        let run = try await Headroom.run(arguments, in: folder)
        #expect(run.status == 64)
        #expect(run.error.hasPrefix("Error: "))
    }

    /// Threads that list the bucket must not use libraries after their state is destroyed.
    @Test func `a run that is rejected while its inputs are listed exits with status 64`() async throws {
        let folder = try Folder()
        let arguments = [
            "batch", "s3://crops/in/", "--s3-buckets", "crops", "--s3-endpoint", "http://127.0.0.1:1",
            "--aspect", "1:1", "--output", "s3://others/out", "--results", "d.jsonl",
        ]
        let keys = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
        for _ in 0..<20 {
            let run = try await Headroom.run(arguments, in: folder, environment: keys)
            #expect(run.status == 64)
            #expect(run.errorLines == ["Error: s3://others/out/: others is not an allowed bucket"])
        }
    }
}
