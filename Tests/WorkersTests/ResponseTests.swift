import CDlibFixtures
import FaceDetection
import Foundation
import Framing
import Geometry
import HeadroomAPI
import Imaging
import Pipeline
import Requests
import TestPacing
import TestImages
import Testing
import Workers

/// The results of worker processes equal the results of threads.
@Suite(.limitedConcurrency) struct ResponseTests {
    private static let processes = Result { try FaultyService(["standard"], workers: 2, memory: 128 << 20).service }
    private static let threads = Result {
        try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: PoolConfiguration(workers: 2, queueLimit: 64, maxBytesInFlight: 128 << 20)
        )
    }
    private static let drawing = DrawnImage(
        width: 640,
        height: 400,
        faces: [DrawnFace(x: 60, y: 150, side: 90), DrawnFace(x: 440, y: 140, side: 130)]
    )

    private static func source(_ format: OutputFormat) throws -> [UInt8] {
        switch format {
        case .jpeg: try drawing.jpeg()
        case .png: try drawing.png()
        case .webp, .gif:
            try ImageEncoder.encode(
                try ImageDecoder.decode(try drawing.png(), header: ImageHeader.read(try drawing.png()), scale: .full),
                as: format
            )
        #if AVIF
        case .avif:
            try ImageEncoder.encode(
                try ImageDecoder.decode(try drawing.png(), header: ImageHeader.read(try drawing.png()), scale: .full),
                as: .avif
            )
        #endif
        }
    }

    private func compare(_ job: FrameJob, at location: SourceLocation = #_sourceLocation) async throws {
        let (there, here) = (try await Self.processes.get().run(job), try await Self.threads.get().run(job))
        #expect(there.image?.bytes == here.image?.bytes, sourceLocation: location)
        #expect(there.image?.size == here.image?.size, sourceLocation: location)
        #expect(there.images.map(\.bytes) == here.images.map(\.bytes), sourceLocation: location)
        #expect(there.plan.crops.map(\.rect) == here.plan.crops.map(\.rect), sourceLocation: location)
        #expect(there.plan.crops.map(\.aspect) == here.plan.crops.map(\.aspect), sourceLocation: location)
        #expect(there.plan.crops.map(\.decision) == here.plan.crops.map(\.decision), sourceLocation: location)
        #expect(there.plan.faces.map(\.head) == here.plan.faces.map(\.head), sourceLocation: location)
        #expect(there.plan.faces.map(\.confidence) == here.plan.faces.map(\.confidence), sourceLocation: location)
        #expect(there.plan.faces.map(\.pose) == here.plan.faces.map(\.pose), sourceLocation: location)
        #expect(
            there.plan.detector?.passes.map(\.found) == here.plan.detector?.passes.map(\.found),
            sourceLocation: location
        )
    }

    /// Files in read-only formats.
    private static var codedFiles: [[UInt8]] {
        var files = InputFormat.allCases.compactMap(\.sample)
        #if AVIF
        files += CodedFile.avif.map(\.bytes)
        #endif
        #if HEIC
        files += CodedFile.heic.map(\.bytes)
        #endif
        #if JPEGXL
        files += CodedFile.jpegxl.map(\.bytes)
        #endif
        #if TIFF
        files += TIFFFile.samples.map(\.bytes)
        #endif
        return files + (BMPFile.samples + ICOFile.samples).map(\.bytes)
    }

    @Test(arguments: OutputFormat.allCases.filter(\.keepsAnimation))
    func `animations are the same from a process and from a thread`(format: OutputFormat) async throws {
        let png = try Self.drawing.png()
        let image = try ImageDecoder.decode(png, header: try ImageHeader.read(png))
        var files: [[UInt8]] = []
        for kind in OutputFormat.allCases where kind.keepsAnimation {
            let writer = try AnimationEncoder.begin(kind, size: image.size, plays: 2)
            try writer.add(image, milliseconds: 100)
            let turned = [image.planes[1], image.planes[2], image.planes[0]]
            try writer.add(PlanarImage(size: image.size, colorModel: .rgb, planes: turned), milliseconds: 300)
            files.append(try writer.finish())
        }
        #if AVIF
        files.append(SequenceFile.avif)
        #endif
        for file in files {
            var job = FrameJob(source: file, target: .image(ImageOutput(format: format)))
            job.options.accuracy = .low
            job.options.resultSize.width = 20
            try await compare(job)
        }
    }

    @Test func `images in read-only formats are the same from a process and from a thread`() async throws {
        for file in Self.codedFiles {
            var job = FrameJob(source: file, target: .image(ImageOutput(format: .png)))
            job.options.framing.gravity = .center
            try await compare(job)
        }
    }

    @Test(arguments: OutputFormat.allCases, OutputFormat.allCases)
    func `every kind of output is the same from every format to every format`(
        from source: OutputFormat,
        to result: OutputFormat
    ) async throws {
        let output = ImageOutput(format: result, quality: 70)
        let responses: [FrameJob.Target] = [
            .image(output), .plan, .face(index: 2, output), .facePlan(index: 1), .crops(output), .portraits(output),
            .debug(output, showsCrop: true),
        ]
        for response in responses {
            var job = FrameJob(source: try Self.source(source), target: response)
            job.options.aspects = [AspectRatio(16, 9), nil, AspectRatio(0.8, 1)]
            job.options.framing.padding = .pixels(7)
            job.options.framing.zoom = 0.3
            job.options.resultSize.width = 200
            try await compare(job)
        }
    }

    @Test(arguments: [
        "faces", "largest", "smallest", "face:2", "attention", "center", "top", "bottom", "left", "right",
        "point:0.2,0.9",
    ])
    func `every gravity reaches the worker`(word: String) async throws {
        var job = FrameJob(source: try Self.source(.jpeg), target: .plan)
        job.options.aspects = [AspectRatio(1, 1)]
        job.options.framing.gravity = try #require(Gravity(word))
        job.options.smallestFace = 0.2
        try await compare(job)
    }

    @Test(arguments: Fallback.plain + [.point(x: 0.3, y: 1)])
    func `every fallback reaches the worker`(fallback: Fallback) async throws {
        var job = FrameJob(source: try DrawnImage(width: 320, height: 240).jpeg(), target: .plan)
        job.options.accuracy = .low
        job.options.framing.fallback = fallback
        guard fallback == .error else { return try await compare(job) }
        let error = await #expect(throws: PipelineError.self) { _ = try await Self.processes.get().run(job) }
        guard case .framing(.noFace(.faces)) = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
    }

    @Test func `dlib's own detector and a detector file work in the sandbox`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "headroom-\(UUID().uuidString).svm")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(hr_fixture_save_frontal(file.path, -1))
        for arguments in [["dlib"], ["file", file.path]] {
            let service = try FaultyService(arguments).service
            #expect(service.detectorName == (arguments[0] == "file" ? "file" : "dlib-hog"))
            let result = try await service.run(FrameJob(source: try Self.source(.jpeg), target: .plan))
            #expect(result.plan.faces.count == 2)
        }
    }

    @Test func `an image's errors are the same from a worker process as from a thread`() async throws {
        let good = try Self.source(.jpeg)
        let bad: [[UInt8]] = [[], Array("no image".utf8), Array("GIF89a".utf8), Array(good.prefix(40))]
        for source in bad {
            let job = FrameJob(source: source, target: .plan)
            let there = await #expect(throws: PipelineError.self) { _ = try await Self.processes.get().run(job) }
            let here = await #expect(throws: PipelineError.self) { _ = try await Self.threads.get().run(job) }
            guard case (.codec(let left), .codec(let right)) = (there, here) else {
                Issue.record("\(String(describing: there)) and \(String(describing: here))")
                continue
            }
            #expect(left == right)
        }
        let job = FrameJob(source: good, target: .facePlan(index: 9))
        let error = await #expect(throws: PipelineError.self) { _ = try await Self.processes.get().run(job) }
        guard case .noSuchFace(index: 9, found: 2) = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
    }

    @Test func `images that do not fit together in memory wait, and an image that never fits is rejected`()
        async throws
    {
        let service = try FaultyService(["standard"], workers: 2, memory: 64 << 20).service
        func job(side: Int, width: Int?) throws -> FrameJob {
            let image = try TestImage.gray(PixelSize(width: side, height: side)) { x, _ in UInt8(x % 256) }
            var job = FrameJob(source: try ImageEncoder.encode(image, as: .png), target: .image(ImageOutput()))
            job.options.framing.gravity = .center
            job.options.resultSize.width = width
            return job
        }
        // Each job needs 39 of 64 MiB.
        let large = try job(side: 2600, width: 2000)
        let done = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 { group.addTask { (try? await service.run(large)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(done == 4)
        let tooLarge = try job(side: 3200, width: nil)
        let error = await #expect(throws: PipelineError.self) { _ = try await service.run(tooLarge) }
        guard case .tooMuchMemory(_, limit: 64 << 20) = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(service.load == PoolLoad())
    }
}
