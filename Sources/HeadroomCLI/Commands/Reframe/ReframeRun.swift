import ArgumentParser
import Foundation
import Framing
import Geometry
import Imaging
import Motion

/// Reads a video, plans its crops and writes the results.
struct ReframeRun {
    private let settings: ReframeSettings
    private let input: VideoInput

    /// Opens the input.
    init(_ settings: ReframeSettings) async throws {
        self.settings = settings
        input = try await VideoInput(settings)
        if let format = settings.format.input, format != input.format {
            throw CommandFailure(
                "\(settings.inputName): --format=\(format.rawValue) is not valid for \(input.format.rawValue): "
                    + "a result has the format of its source, and ffmpeg converts it."
            )
        }
    }

    /// Writes all results.
    func run() async throws {
        defer { if input.skipped > 0 { warn(input.skipped) } }
        if let plan = settings.planFrom { return try await render(try PlanLine.read(plan)) }
        let results = try settings.aspects.map { try ReframeResult(settings, input, aspect: $0) }
        let threads = try DetectionThreads(
            try settings.detector.model(),
            frames: input.header,
            smallestFace: settings.smallestFace,
            count: settings.workers
        )
        defer { threads.close() }
        if input.isFile, settings.lookAhead == nil {
            try await readTwice(results, threads)
        } else {
            try await readOnce(results, threads)
        }
        for result in results { try result.finish() }
    }

    private func warn(_ skipped: Int) {
        let what = skipped == 1 ? "1 frame was" : "\(skipped) frames were"
        StandardStream.error.writeLine("\(settings.inputName): \(what) skipped: damaged, or not like the first.")
    }

    private var fps: Double { input.header.fps ?? settings.fps }

    /// Plans with all frames known, then reads the file again to render.
    private func readTwice(_ results: [ReframeResult], _ threads: DetectionThreads) async throws {
        var rate = FrameRate("searched")
        var shots = ShotDetector(fps: fps)
        var schedule = SampleSchedule(fps: fps)
        var (starts, searched, count): ([Int], [Int], Int) = ([], [], 0)
        var damage: (any Error)?
        do {
            while let frame = try await input.next() {
                let thumbnail = frame.thumbnail
                shots.add(thumbnail)
                starts += shots.starts()
                if schedule.isDue(count, thumbnail) {
                    threads.submit(count, frame)
                    searched.append(count)
                }
                count += 1
                rate.advance()
            }
        } catch {
            // What came before is planned and written first.
            damage = error
        }
        rate.finish()
        starts += shots.starts(isLast: true)
        let samples = try searched.map { FaceSample(frame: $0, try threads.result($0)) }
        let plans = results.map { ClipPlanner.plan($0.request, frameCount: count, shots: starts, samples: samples) }
        var written = FrameRate("written")
        if results.contains(where: \.needsFrames), count > 0 { try input.rewind() }
        for index in 0..<count {
            let isNeeded = results.contains(where: \.needsFrames)
            let frame = isNeeded ? try await input.next() : nil
            for (result, plan) in zip(results, plans) { try result.write(plan[index], frame) }
            written.advance()
        }
        written.finish()
        if let damage { throw damage }
    }

    /// Plans and renders with a bounded number of frames known.
    private func readOnce(_ results: [ReframeResult], _ threads: DetectionThreads) async throws {
        var live = LiveReframe(
            results,
            threads,
            fps: fps,
            lookAhead: Int(((settings.lookAhead ?? ReframeSettings.lookAhead) * fps).rounded())
        )
        var rate = FrameRate("written")
        var damage: (any Error)?
        do {
            while let frame = try await input.next() {
                try live.add(frame)
                rate.advance()
            }
        } catch let error as VideoError {
            damage = error
        }
        try live.finish()
        rate.finish()
        if let damage { throw damage }
    }

    /// Renders a plan.
    private func render(_ lines: [PlanLine]) async throws {
        let shape = AspectRatio(lines[0].width, lines[0].height)
        guard let aspect = settings.aspects.first ?? shape else {
            throw CommandFailure("\(settings.planFrom ?? ""): the crops have a shape beyond 1:100 to 100:1")
        }
        let result = try ReframeResult(settings, input, aspect: aspect)
        var regions = PlannedRegions(lines)
        var rate = FrameRate("written")
        var frame = 0
        while let picture = try await input.next() {
            try result.write(regions.region(frame).clamped(to: input.header.size), frame, picture)
            frame += 1
            rate.advance()
        }
        rate.finish()
        try result.finish()
    }
}
