import Foundation
import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import TestPrograms
import Testing

/// `Examples/BrightSpot`: the program with a custom detector.
@Suite("A program that adds a detector", .limitedConcurrency)
struct AddedDetectorTests {
    /// A dark image of 480×320 pixels with a white square of 12 pixels around (362, 102).
    private func image() throws -> [UInt8] {
        let image = try TestImage.rgb(PixelSize(width: 480, height: 320)) { x, y in
            abs(x - 362) <= 6 && abs(y - 102) <= 6 ? (255, 255, 255) : (40, 60, 80)
        }
        return try ImageEncoder.encode(image, as: .png)
    }

    private func faces(_ arguments: [String] = [], program: String = "bright-spot") async throws -> ProgramRun {
        let folder = try Folder()
        try folder.write(try image(), to: "spot.png")
        return try await Headroom.run(["faces", "spot.png"] + arguments, program: program, in: folder)
    }

    @Test func `the added detector is the default`() async throws {
        let run = try await faces()
        #expect(run.error == "")
        #expect(run.lines.first == "spot.png: 480×320, 1 face")
        let box = try #require(run.lines.last?.firstMatch(of: /: ([0-9]+)×([0-9]+) at ([0-9]+),([0-9]+),/))
        let (x, y) = ((Int(box.3) ?? 0) + (Int(box.1) ?? 0) / 2, (Int(box.4) ?? 0) + (Int(box.2) ?? 0) / 2)
        #expect(abs(x - 362) < 12 && abs(y - 102) < 12, "\(x), \(y)")
    }

    @Test(arguments: ["yunet+hog", "yunet", "hog", "dlib"])
    func `built-in detectors can be chosen`(name: String) async throws {
        #expect(try await faces(["--detector", name]).text == "spot.png: 480×320, no face\n")
    }

    @Test func `the added detector is listed in help`() async throws {
        #expect(try await faces(["--detector", "bright-spot"]).lines.first == "spot.png: 480×320, 1 face")
        let run = try await faces(["--detector", "cats"])
        #expect(run.status == 64)
        #expect(
            run.error
                == "Error: --detector=cats is not valid: expected bright-spot, yunet+hog, yunet, hog, dlib, or NAME=FILE.svm.\n"
        )
        let help = try await Headroom.run(["serve", "--help"], program: "bright-spot", in: Folder())
        #expect(help.text.contains("bright-spot, yunet+hog, yunet"))
        #expect(help.text.contains("(default: bright-spot)"))
    }

    @Test func `the program without the added detector rejects its name`() async throws {
        let run = try await faces(["--detector", "bright-spot"], program: "headroom")
        #expect(
            run.error
                == "Error: --detector=bright-spot is not valid: expected yunet+hog, yunet, hog, dlib, or NAME=FILE.svm.\n"
        )
    }

    @Test(arguments: ["process", "thread"])
    func `the service with the added detector uses it`(isolation: String) async throws {
        let arguments = ["--port", "0", "--workers", "1", "--isolation", isolation]
        let service = try await RunningService(arguments, program: "bright-spot", in: Folder())
        let client = try TestClient(port: service.port)
        try await client.send("POST", "/faces", headers: [("Connection", "close")], body: try image())
        let response = try await client.reply()
        #expect(response.status == 200)
        let text = response.text
        #expect(text.contains(#""name":"bright-spot""#), "\(text)")
        #expect(text.contains(#""confidence":0.9977"#), "\(text)")
        #expect(text.contains(#""score":1"#), "\(text)")
    }

    @Test(arguments: ["Package.swift", "Sources/BrightSpot/BrightSpot.swift"])
    func `the page about detectors contains the example's files`(path: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = try String(contentsOf: root.appending(path: "docs/detectors.md"), encoding: .utf8)
        let file = try String(contentsOf: root.appending(path: "Examples/BrightSpot/\(path)"), encoding: .utf8)
        #expect(page.contains("```swift\n\(file)```\n"))
    }

    @Test func `doctor does not expect the added detector to find a drawn face`() async throws {
        let run = try await Headroom.run(["doctor", "--port", "0"], program: "bright-spot", in: Folder())
        #expect(run.text.contains("The custom detector runs"), "\(run.text)")
    }
}
