import Foundation
import Geometry
import Imaging
import TestPacing
import TestPrograms
import Testing
import Video

@Suite("headroom reframe with MJPEG", .limitedConcurrency)
struct ReframeMJPEGTests {
    private struct Line: Decodable {
        let x, width: Double
        let faces: Int
    }

    /// Frames of 320×180 pixels with a face at `x` in each frame.
    private func frames(_ places: [Int], width: Int = 320) throws -> [[UInt8]] {
        try places.map { place in
            let size = PixelSize(width: width, height: 180)
            let samples = DrawnFace.luma([DrawnFace(x: place, y: 50, side: 80)], size: size)
            let plane = try Plane(size) { x, y in samples[y * width + x] }
            return try ImageEncoder.encode(PlanarImage(size: size, colorModel: .gray, planes: [plane]), as: .jpeg)
        }
    }

    private func split(_ bytes: [UInt8]) throws -> [MJPEGSplitter.Frame] {
        var splitter = MJPEGSplitter()
        splitter.append(bytes)
        var frames: [MJPEGSplitter.Frame] = []
        while let frame = try splitter.next() { frames.append(frame) }
        return frames
    }

    @Test func `the crop of a file follows a moving face`() async throws {
        let folder = try Folder()
        let places = (0..<30).map { 20 + $0 * 4 }
        try folder.write(try frames(places).flatMap { $0 }, to: "in.mjpeg")
        let run = try await Headroom.run(["reframe", "in.mjpeg", "--aspect", "9:16", "-o", "out.mjpeg"], in: folder)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.error == "")
        let result = try split(try folder.read("out.mjpeg"))
        #expect(result.count == 30)
        #expect(result.allSatisfy { $0.size == PixelSize(width: 101, height: 180) })
        let planned = try await Headroom.run(["reframe", "in.mjpeg", "--aspect", "9:16", "--plan", "-"], in: folder)
        let lines = try planned.output.split(separator: 0x0A).map {
            try JSONDecoder().decode(Line.self, from: Data($0))
        }
        #expect(lines.count == 30)
        for (line, place) in zip(lines, places).prefix(26) {
            #expect(line.x <= Double(place) + 4 && line.x + line.width >= Double(place + 76) && line.faces == 1)
        }
    }

    @Test(arguments: [["--isolation", "process"], ["--isolation", "thread"]])
    func `a camera's multipart stream in a pipe is read in a single pass`(isolation: [String]) async throws {
        let header = Array("--myboundary\r\nContent-Type: image/jpeg\r\nContent-Length: 5\r\n\r\n".utf8)
        let parts: [UInt8] = try frames([Int](repeating: 100, count: 12)).flatMap { header + $0 + [13, 10] }
        let run = try await Headroom.run(
            ["reframe", "--aspect", "1:1", "--width", "90", "--look-ahead", "0.2", "--quality", "50"] + isolation,
            in: Folder(),
            input: parts
        )
        #expect(run.status == 0, "\(run.error)")
        let result = try split(run.output)
        #expect(result.count == 12)
        #expect(result.allSatisfy { $0.size == PixelSize(width: 90, height: 90) })
    }

    @Test func `damaged frames and frames of a different size are skipped and counted`() async throws {
        let folder = try Folder()
        var frames = try frames([100, 100, 100, 100])
        let other = try self.frames([100], width: 200)[0]
        frames[1] = Array(frames[1].prefix(frames[1].count / 2))
        try folder.write(frames[0] + frames[1] + frames[2] + other + frames[3], to: "in.mjpeg")
        let run = try await Headroom.run(["reframe", "in.mjpeg", "--aspect", "9:16"], in: folder)
        #expect(run.status == 0)
        #expect(run.error.contains("2 frames were skipped"), "\(run.error)")
        #expect(try split(run.output).count == 3)
    }

    @Test(arguments: [
        (["--aspect", "9:16"], [UInt8]("RIFF".utf8), "MJPEG"),
        (["--aspect", "9:16"], [UInt8](repeating: 0x2D, count: 70_000), "65536 bytes that are not part of a frame"),
        (["--aspect", "9:16", "--format", "mjpeg"], [UInt8]("YUV4MPEG2 W2 H2\n".utf8), "--format=mjpeg"),
        (["--aspect", "9:16", "--quality", "101"], [UInt8]("YUV4MPEG2 W2 H2\n".utf8), "--quality=101"),
    ])
    func `an invalid value is rejected with the expected values`(
        arguments: [String],
        input: [UInt8],
        expected: String
    ) async throws {
        let run = try await Headroom.run(["reframe"] + arguments, in: Folder(), input: input)
        #expect([1, 64].contains(run.status))
        #expect(run.error.contains(expected), "\(run.error)")
    }
}
