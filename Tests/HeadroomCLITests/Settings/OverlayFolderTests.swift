import Foundation
import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import TestPrograms
import Testing

/// The folder of stickers for `--overlays`.
@Suite("--overlays", .limitedConcurrency)
struct OverlayFolderTests {
    private static func image(_ red: UInt8) throws -> [UInt8] {
        try ImageEncoder.encode(try TestImage.rgb(PixelSize(width: 40, height: 10)) { _, _ in (red, 0, 255) }, as: .png)
    }

    private static let description = Array(#"{"anchor": "eyes", "width": 2, "unit": "eyes"}"#.utf8)

    @Test func `a sticker from the folder is drawn, still or animated`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        try folder.write(Self.description, to: "overlays/bar/overlay.json")
        try folder.write(try Self.image(0), to: "overlays/bar/1.png")
        func frame(_ output: String, _ names: String) async throws -> [UInt8] {
            let options = ["--overlays", "overlays", "--overlay", names, "-o", output]
            let run = try await Headroom.run(["frame", "in.jpg"] + options, in: folder)
            #expect(run.status == 0 && run.error == "", "\(run.error)")
            return try folder.read(output)
        }
        let plain = try await frame("a.png", "bar")
        let image = try ImageDecoder.decode(plain, header: try ImageHeader.read(plain))
        let blue = (0..<image.size.height).reduce(0) { sum, y in
            sum
                + (0..<image.size.width).count {
                    image.planes[2][x: $0, y: y] > 240 && image.planes[0][x: $0, y: y] < 20
                }
        }
        #expect(blue > 100)
        try folder.write(try Self.image(255), to: "overlays/bar/2.png")
        #expect(try ImageHeader.read(try await frame("a.webp", "bar")).animation?.frames == 2)
        #expect(try ImageHeader.read(try await frame("b.webp", "bar,halo")).animation?.frames == 41)
        #expect(try ImageHeader.read(try await frame("b.jpg", "bar,halo,hat,moustache")).animation == nil)
    }

    @Test func `all problems of all stickers are reported`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        try folder.write(Array(#"{"anchor": "nose", "width": 0}"#.utf8), to: "overlays/a/overlay.json")
        try folder.write(Self.description, to: "overlays/empty/overlay.json")
        try folder.write(Self.description, to: "overlays/text/overlay.json")
        try folder.write(Array("text".utf8), to: "overlays/text/1.png")
        try folder.write(try Self.image(0), to: "overlays/bare/1.png")
        try folder.write(try Self.image(0), to: "overlays/Upper Case/1.png")
        let problems = [
            "a: anchor is nose", "a: width is 0", "empty: there is no PNG", "text: 1.png: expected a PNG",
            "bare: overlay.json cannot be read", "Upper Case: expected a name",
        ]
        for command in [["frame", "in.jpg", "-o", "out.png"], ["serve", "--port", "0"]] {
            let run = try await Headroom.run(command + ["--overlays", "overlays"], in: folder)
            #expect(run.status != 0)
            for problem in problems { #expect(run.error.contains(problem), "\(problem) in \(run.error)") }
        }
        let unknown = try await Headroom.run(["frame", "in.jpg", "--overlay", "crown", "-o", "out.png"], in: folder)
        #expect(unknown.status != 0 && unknown.error.contains("glasses, halo, hat, moustache"))
        let none = try await Headroom.run(["frame", "in.jpg", "--overlays", "gone", "-o", "out.png"], in: folder)
        #expect(none.status != 0 && none.error.contains("cannot be read as a folder"))
    }

    @Test func `anything but a regular file is rejected and does not block`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "in.jpg")
        try folder.write(Self.description, to: "overlays/one/overlay.json")
        try folder.write(try Self.image(0), to: "overlays/one/1.png")
        let options = ["--port", "0", "--isolation", "thread", "--overlays", "overlays"]
        let service = try await RunningService(options, in: folder)
        for file in ["overlay.json", "1.png"] {
            let whole = try folder.read("overlays/one/\(file)")
            let path = folder.url.appending(path: "overlays/one/\(file)").path
            for kind in ["folder", "device", "pipe"] {
                #expect(remove(path) == 0)
                switch kind {
                case "folder": #expect(mkdir(path, 0o700) == 0)
                case "device": #expect(symlink("/dev/zero", path) == 0)
                default: #expect(mkfifo(path, 0o600) == 0)
                }
                service.send(signal: SIGHUP)
                let line = try #require(await service.line(containing: "settings not reloaded"))
                #expect(line.contains("one: \(file) cannot be read: not a regular file"), "\(line)")
            }
            // Startup and the command line reject it too.
            let frame = ["frame", "in.jpg", "-o", "out.png", "--overlay", "one", "--overlays", "overlays"]
            for command in [["serve"] + options, frame] {
                let run = try await Headroom.run(command, in: folder)
                #expect(run.status != 0 && run.error.contains("not a regular file"))
            }
            #expect(remove(path) == 0)
            try folder.write(whole, to: "overlays/one/\(file)")
        }
        service.send(signal: SIGHUP)
        #expect(await service.line(containing: "settings reloaded") != nil)
        service.send(signal: SIGTERM)
        #expect(try await service.status() == 0)
    }

    @Test func `SIGHUP reloads the folder, and an invalid folder has no effect`() async throws {
        let folder = try Folder()
        try folder.write(Self.description, to: "overlays/one/overlay.json")
        try folder.write(try Self.image(0), to: "overlays/one/1.png")
        let service = try await RunningService(["--port", "0", "--overlays", "overlays"], in: folder)
        let image = try Image.encoded()
        func status(_ name: String) async throws -> Int {
            let client = try TestClient(port: service.port)
            let target = "/frame?accuracy=low&width=100&overlay=\(name)"
            try await client.send("POST", target, headers: [("Connection", "close")], body: image)
            return try await client.reply().status
        }
        #expect(try await status("one") == 200)
        #expect(try await status("two") == 400)
        try folder.write(try Self.image(9), to: "overlays/two/1.png")
        service.send(signal: SIGHUP)
        let line = try #require(await service.line(containing: "settings not reloaded"))
        #expect(line.contains("two: overlay.json cannot be read"))
        #expect(try await status("one") == 200)
        try folder.write(Self.description, to: "overlays/two/overlay.json")
        service.send(signal: SIGHUP)
        #expect(await service.line(containing: "settings reloaded") != nil)
        #expect(try await status("two") == 200)
        withExtendedLifetime(service) {}
    }
}
