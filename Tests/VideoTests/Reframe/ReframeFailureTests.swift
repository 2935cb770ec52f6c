import FaceDetection
import Testing
import Video
import Workers

@Suite struct ReframeFailureTests {
    /// A program whose functions fail, and that counts no frames.
    private struct FailingHost: ReframeHost {
        struct Failure: Error {}

        struct NoProgress: ReframeProgress {
            mutating func advance() {}
            func finish() {}
        }

        func model() throws -> FaceDetectorModel { throw Failure() }
        func jpegDecoder() throws -> WorkerService { throw Failure() }
        func plan(at path: String) throws -> [UInt8] { throw Failure() }
        func write(_ bytes: [UInt8]) throws { throw Failure() }
        func progress(_ work: ReframeWork, of count: Int?) -> any ReframeProgress { NoProgress() }
    }

    private func run(_ path: String) async throws {
        var request = ReframeRequest()
        request.path = path
        try await ReframeRun(request, FailingHost()).run()
    }

    @Test(
        arguments: [
            (ReframeFailure.file("a.y4m", reason: "no such file or directory"), "a.y4m: no such file or directory"),
            (.program("ffprobe", reason: "permission denied"), "ffprobe: permission denied"),
            (.video("a.mp4", reason: "contains no video"), "a.mp4: contains no video"),
            (
                .endedProgram("ffmpeg", file: "a.mp4", status: 1, message: "Invalid data"),
                "a.mp4: ffmpeg ended with status 1: Invalid data"
            ),
            (
                .endedProgram("ffmpeg", file: "a.mp4", status: 256 + 9, message: ""),
                "a.mp4: ffmpeg was ended by signal 9"
            ),
            (.unsearchedFrame(7), "frame 7 was not searched"),
        ] as [(ReframeFailure, String)]
    )
    func `a failure starts with its file or program`(failure: ReframeFailure, text: String) {
        #expect("\(failure)" == text)
    }

    @Test func `a missing program is named with the way to install it`() {
        let text = "\(ReframeFailure.missingProgram("ffprobe"))"
        #expect(text.hasPrefix("ffprobe is not installed") && text.contains("apt-get install ffmpeg"))
    }

    @Test func `a missing file is a failure with its path`() async {
        let path = "/nonexistent/video.mp4"
        await #expect(throws: ReframeFailure.file(path, reason: "no such file or directory")) {
            try await run(path)
        }
    }

    @Test func `an error of the host is rethrown`() async {
        // A video without the beginning of Y4M is decoded as MJPEG, by a worker of the host.
        await #expect(throws: FailingHost.Failure.self) { try await run("/dev/null") }
    }
}
