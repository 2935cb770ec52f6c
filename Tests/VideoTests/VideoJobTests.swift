import FaceDetection
import Framing
import Geometry
import Imaging
import Motion
import Pipeline
import TestPacing
import TestImages
import Testing
import Video
import Workers

@Suite(.limitedConcurrency) struct VideoJobTests {
    private static let size = PixelSize(width: 640, height: 360)

    /// A frame with a face at `x`.
    private func frame(_ x: Int = 300) throws -> [UInt8] {
        let luma = DrawnFace.luma([DrawnFace(x: x, y: 100, side: 120)], size: Self.size)
        let plane = try Plane(Self.size) { x, y in luma[y * Self.size.width + x] }
        let image = PlanarImage(size: Self.size, colorModel: .gray, planes: [plane])
        return try ImageEncoder.encode(image, as: .jpeg, quality: 90)
    }

    private func run(
        _ bytes: [UInt8],
        _ task: VideoJob.Task,
        limits: PipelineLimits = PipelineLimits(),
        model: FaceDetectorModel? = nil
    ) throws -> VideoResult {
        var search = try (model ?? .hog).makeSearch()
        let job = VideoJob(bytes, task)
        let measured = try MeasuredVideoJob(
            job,
            limits: limits,
            smallestDetectableSide: search.needs.smallestDetectableSide
        )
        #expect(measured.bytesNeeded > 0)
        let response = try measured.run(search: &search, JobContext())
        #expect(VideoResultCheck(job, limits: limits).problem(in: response) == nil)
        return response
    }

    @Test(arguments: ["hog", "network", "standard"])
    func `near a known face, detection finds the same face as in the whole frame`(name: String) throws {
        let model: FaceDetectorModel = try name == "hog" ? .hog : name == "network" ? .network : .standard
        let grid = PixelSize(width: 32, height: 18)
        let whole = try run(frame(), .analyse(grid: grid, .whole(smallestFace: nil)), model: model)
        let face = try #require(whole.faces.first { $0.isSure }?.subject.face)
        #expect(whole.grid.count == 3 * 32 * 18)
        // The face has moved since the first frame.
        let near = try run(frame(330), .analyse(grid: grid, .near([face])), model: model)
        let moved = try #require(near.faces.first { $0.isSure }?.subject)
        let expected = face.moved(x: 30, y: 0)
        #expect(moved.face.overlap(with: expected) > 0.75, "\(moved.face) \(expected)")
        #expect(near.attention == nil)
    }

    @Test(arguments: ["hog", "standard"])
    func `mouths are analysed only on request, and with the same result in the same image`(name: String) throws {
        let model: FaceDetectorModel = try name == "hog" ? .hog : .standard
        let grid = PixelSize(width: 32, height: 18)
        let without = try run(frame(), .analyse(grid: grid, .whole(smallestFace: nil)), model: model)
        #expect(without.faces.allSatisfy { $0.mouth == nil })
        let whole = try run(frame(), .analyse(grid: grid, .whole(smallestFace: nil), mouths: true), model: model)
        let face = try #require(whole.faces.first { $0.isSure })
        let mouth = try #require(face.mouth)
        // The face has moved, but its lips have not.
        let near = try run(frame(304), .analyse(grid: grid, .near([face.subject.face]), mouths: true), model: model)
        let moved = try #require(near.faces.first { $0.isSure }?.mouth)
        #expect(mouth.lips(to: moved) < 0.03, "\(mouth.lips(to: moved))")
    }

    @Test func `a whole frame is rendered on a background at the requested size`() throws {
        let size = PixelSize(width: 180, height: 320)
        let region = FractionalRect(x: 0, y: 0, width: 640, height: 360)
        let response = try run(frame(), .render(region, to: size, quality: 80, isWhole: true))
        #expect(try ImageHeader.read(response.bytes).size == size)
        let luma = try ImageDecoder.decode(response.bytes, header: ImageHeader.read(response.bytes)).luma()
        // The face is 34 pixels wide; its brow and chin are near the middle row.
        let row = (80..<125).map { luma[x: $0, y: 152] }
        #expect((row.max() ?? 0) - (row.min() ?? 0) > 60)
        // The background changes slowly.
        let above = (0..<180).map { Int(luma[x: $0, y: 60]) }
        #expect(zip(above, above.dropFirst()).allSatisfy { abs($0 - $1) < 12 })
    }

    @Test(arguments: ["hog", "standard"])
    func `heads to redact are found for every kind of search and redacted in the output`(name: String) throws {
        let model: FaceDetectorModel = try name == "hog" ? .hog : .standard
        let grid = PixelSize(width: 32, height: 18)
        for search in [
            VideoJob.Search.none, .whole(smallestFace: 0.2), .near([PixelRect(x: 0, y: 0, width: 40, height: 40)]),
        ] {
            let response = try run(frame(), .analyse(grid: grid, search, redacts: true), model: model)
            let head = try #require(response.heads.max { $0.confidence < $1.confidence })
            #expect(head.box.overlap(with: PixelRect(x: 300, y: 100, width: 120, height: 120)) > 0.3, "\(search)")
            let cover = FrameCover(Redaction(style: .fill), heads: response.heads.map(\.mask), size: Self.size)
            let whole = FractionalRect(PixelRect(Self.size))
            let half = PixelSize(width: 320, height: 180)
            let bytes = try run(frame(), .render(whole, to: half, quality: 90, cover: cover)).bytes
            let luma = try ImageDecoder.decode(bytes, header: ImageHeader.read(bytes)).luma()
            #expect((152..<208).allSatisfy { x in (54..<106).allSatisfy { abs(Int(luma[x: x, y: $0]) - 128) < 6 } })
        }
        let blind = try run(frame(), .analyse(grid: grid, .whole(smallestFace: nil)), model: model)
        #expect(blind.heads.isEmpty)
    }

    @Test func `without a search, the grid is close to the grid of the whole frame`() throws {
        let grid = PixelSize(width: 32, height: 18)
        let small = try run(frame(), .analyse(grid: grid, .none))
        let full = try run(frame(), .analyse(grid: grid, .near([])))
        #expect(small.faces.isEmpty)
        #expect(zip(small.grid, full.grid).allSatisfy { abs(Int($0) - Int($1)) < 40 })
    }

    @Test func `a part of a frame is rendered at a given size`() throws {
        let region = FractionalRect(x: 100.5, y: 0, width: 202.5, height: 360)
        let response = try run(frame(), .render(region, to: PixelSize(width: 90, height: 160), quality: 80))
        let header = try ImageHeader.read(response.bytes)
        #expect(header.size == PixelSize(width: 90, height: 160) && header.format == .jpeg)
    }

    @Test func `a decoding job returns the decoder's samples`() throws {
        let bytes = try frame()
        let response = try run(bytes, .decode)
        #expect(response.chroma == .gray)
        let plane = try ImageDecoder.decodeLuma(bytes, header: try ImageHeader.read(bytes))
        plane.withUnsafeSamples { samples in
            for y in [0, 100, 359] {
                let row = samples[y * plane.bytesPerRow..<y * plane.bytesPerRow + 640]
                #expect(row.elementsEqual(response.bytes[y * 640..<(y + 1) * 640]))
            }
        }
    }

    @Test func `damaged frames, non-JPEG frames and large frames are rejected`() throws {
        let bytes = try frame()
        let png = try ImageEncoder.encode(
            PlanarImage(size: Self.size, colorModel: .gray, planes: [try Plane(Self.size) { _, _ in 7 }]),
            as: .png
        )
        var small = PipelineLimits()
        small.decode.maxPixels = 1000
        for (source, limits) in [
            (Array(bytes.prefix(bytes.count * 3 / 4)), PipelineLimits()), (png, PipelineLimits()), (bytes, small),
        ] {
            #expect(throws: PipelineError.self) { try run(source, .decode, limits: limits) }
        }
        var results = PipelineLimits()
        results.maxResultPixels = 100
        let task = VideoJob.Task.render(FractionalRect(PixelRect(Self.size)), to: Self.size, quality: 80)
        #expect(throws: PipelineError.self) { try run(bytes, task, limits: results) }
    }

    @Test func `a forged reply is detected`() throws {
        let grid = PixelSize(width: 32, height: 18)
        let job = VideoJob(try frame(), .analyse(grid: grid, .whole(smallestFace: 0.06)))
        let honest = try run(job.source.array, job.task)
        let lies: [(inout VideoResult) -> Void] = [
            { $0.size.width = 1 << 40 }, { $0.grid = [] }, { $0.bytes = [1] },
            { $0.size = PixelSize(width: 8, height: 8) },
            { $0.faces = Array(repeating: $0.faces[0], count: 5000) },
            { $0.heads = [RedactedHead(box: PixelRect(Self.size), mask: RedactionMask([]), confidence: 1)] },
            {
                let mask = RedactionMask(around: PixelRect(x: 1 << 40, y: 0, width: 9, height: 9))
                $0.heads = [RedactedHead(box: PixelRect(Self.size), mask: mask, confidence: 1)]
            },
        ]
        for lie in lies {
            var response = honest
            lie(&response)
            #expect(VideoResultCheck(job, limits: PipelineLimits()).problem(in: response) != nil)
        }
        let render = VideoJob([], .render(FractionalRect(PixelRect(Self.size)), to: Self.size, quality: 80))
        var script = honest
        script.bytes = Array("<script>".utf8)
        #expect(VideoResultCheck(render, limits: PipelineLimits()).problem(in: script) != nil)
        let decode = VideoJob([], .decode)
        script.chroma = .halved
        #expect(VideoResultCheck(decode, limits: PipelineLimits()).problem(in: script) != nil)
    }

    @Test func `workers process frames, on threads`() async throws {
        let pool = PoolConfiguration(workers: 1, queueLimit: 4, maxBytesInFlight: 1 << 28)
        let service = try WorkerService(model: try .standard, limits: PipelineLimits(), pool: pool)
        let response = try await service.outcome(of: VideoJob(try frame(), .decode)).get()
        #expect(response.size == Self.size && response.bytes.count == Self.size.area)
        await #expect(throws: PipelineError.self) { try await service.outcome(of: VideoJob([1, 2], .decode)).get() }
        #expect(service.load.isIdle)
    }
}
