import Foundation
import Imaging
import TestPacing
import TestPrograms
import Testing

@Suite("Rejected calls", .limitedConcurrency)
struct RefusedCallTests {
    @Test func `all invalid options are reported at once`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "a.jpg")
        let wrong = [
            "aspect": "wide", "width": "0", "dpr": "9", "gravity": "up", "fallback": "none", "zoom": "2",
            "padding": "-1", "place": "middle", "format": "bmp", "quality": "101",
            "accuracy": "best", "detector": "cats", "workers": "no",
        ]
        let options = wrong.map { "--\($0.key)=\($0.value)" }
        let run = try await Headroom.run(["frame", "a.jpg", "-o", "out.jpg"] + options, in: folder)
        #expect(run.status == 64)
        #expect(run.errorLines.count == wrong.count)
        for (name, value) in wrong {
            #expect(run.errorLines.contains { $0.hasPrefix("Error: --\(name)=\(value) is not valid: expected ") })
        }
        #expect(try folder.files() == ["a.jpg"])
    }

    @Test(arguments: [
        (["a/x.jpg", "b/x.jpg"], "2 images require a folder: give --output FOLDER"),
        (["a/x.jpg", "b/x.jpg", "-o", "a/x.jpg"], "--output=a/x.jpg is a file; 2 images require a folder"),
        (["a/x.jpg", "b/x.jpg", "-o", "out"], "a/x.jpg and b/x.jpg would both be written to out/x.jpg"),
        (["a", "b", "-o", "out"], "a/x.jpg and b/x.jpg would both be written to out/x.jpg"),
        (
            ["a/x.jpg", "c/x.png", "-o", "out", "--format=png"],
            "a/x.jpg and c/x.png would both be written to out/x.png"
        ),
        (["a/x.jpg", "-o", "a/x.jpg"], "the output of a/x.jpg would replace the image a/x.jpg"),
        (["a/x.jpg", "-o", "link.jpg"], "the output of a/x.jpg would replace the image a/x.jpg"),
        (["a", "-o", "a"], "the output of a/x.jpg would replace the image a/x.jpg"),
        (["a", "-o", "./b/../a/"], "the output of a/x.jpg would replace the image a/x.jpg"),
        (["a/z.jpg", "b/y.jpg", "-o", "b"], "the output of b/y.jpg would replace the image b/y.jpg"),
        (["a/x.jpg", "c/x.png", "-o", "out"], nil),
        (["-", "a/x.jpg", "-o", "out"], "- is standard input, which contains one image: it must be the only input"),
        (["a/x.jpg", "--json", "-o", "out"], "--output is not allowed with --json; redirect the output"),
        (["a/x.jpg", "-o", "o.jpg", "--aspect=1:1,2:1"], "--aspect with several ratios requires --json."),
        (["a/x.jpg", "-o", "o.jpg", "--spill=0.5"], "--spill requires --chroma-key."),
        (["a/x.jpg", "-o", "o.jpg", "--watermark-position=top-left"], "--watermark-position requires --watermark."),
        (
            ["a/x.jpg", "-o", "o.jpg", "--quality=auto"],
            "--quality=auto is not valid: expected a whole number from 1 to 100, or source."
        ),
        (
            ["a/x.jpg", "-o", "o.jpg", "--format=bmp"],
            "--format=bmp is not valid: expected one of auto, source, jpeg, png, webp, gif, avif, debug."
        ),
        (["a/x.jpg", "-o", "o.jpg", "--format=json"], "--format=json is not valid: use --json for the plan."),
        (["a/x.jpg", "-o", ""], "--output requires the name of a file or folder"),
        (
            ["a/x.jpg", "-o", "out.tiff"],
            "--output=out.tiff: .tiff is not one of .jpg, .png, .webp, .gif, .avif; set --format to use another extension"
        ),
        (["c", "-o", "a/x.jpg"], "--output=a/x.jpg is a file; the images of a folder require a folder"),
        (["a/x.jpg", "-o", "out.tiff", "--format=png"], nil),
        (
            ["https://example.com/a b.jpg", "-o", "out.jpg"],
            "https://example.com/a b.jpg is a URL, but this command reads files; use a pipe, "
                + "curl -fsSL 'https://example.com/a b.jpg' | headroom frame -, or headroom batch with a list of addresses"
        ),
    ])
    func `nothing is written if one output would overwrite another file`(
        arguments: [String],
        expected: String?
    ) async throws {
        let folder = try Folder()
        let image = try Image.encoded()
        for name in ["a/x.jpg", "b/x.jpg", "b/y.jpg"] { try folder.write(image, to: name) }
        try folder.write(try Image.encoded(as: .png), to: "c/x.png")
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appending(path: "link.jpg").path,
            withDestinationPath: "a/x.jpg"
        )
        let before = try folder.files()
        let run = try await Headroom.run(["frame"] + arguments, in: folder)
        if let expected {
            #expect(run.status == 64)
            #expect(run.error == "Error: \(expected)\n")
            #expect(try folder.files() == before)
            #expect(try folder.read("a/x.jpg") == image)
        } else {
            #expect(run.status == 0)
        }
    }

    @Test func `a folder without images is reported`() async throws {
        let folder = try Folder()
        try folder.write(Array("text".utf8), to: "in/readme.txt")
        let run = try await Headroom.run(["faces", "in"], in: folder)
        #expect(run.status == 1)
        #expect(run.error == "Error: no images found in in\n")
    }

    @Test func `a missing detector file is reported`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "a.jpg")
        let run = try await Headroom.run(["faces", "a.jpg", "--detector", "cats=cats.svm"], in: folder)
        #expect(run.status == 1)
        #expect(run.error == "Error: cannot read the detector cats.svm: No such file or directory\n")
    }
}
