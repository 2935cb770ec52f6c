import ArgumentParser
import Foundation
import Framing
import Geometry
import Imaging
import Motion
import Pipeline
import Requests

/// Reads a video, plans its crops and writes the results.
struct ReframeRun {
    private let settings: ReframeSettings
    private let input: VideoInput

    /// Opens the input.
    init(_ settings: ReframeSettings) async throws {
        self.settings = settings
        input = try await VideoInput(settings)
        if let format = settings.format.input, format != input.format, (format, input.format) != (.y4m, .media) {
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
        let threads = try threads()
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

    private func threads() throws -> DetectionThreads {
        try DetectionThreads(
            try settings.detector.model(),
            frames: input.header,
            smallestFace: settings.smallestFace,
            redacts: settings.redactsHeads,
            count: settings.workers
        )
    }

    private var fps: Double { input.fps ?? settings.fps }

    /// What the first reading of a file found.
    private struct Findings {
        var count = 0
        /// The first frames of the shots.
        var starts: [Int] = []
        var samples: [FaceSample] = []
        /// The heads to redact in every frame.
        var heads: [[RedactedHead]] = []
        /// Why not all frames could be read.
        var damage: (any Error)?
    }

    /// Reads all frames, and searches some for people, or all for heads to redact.
    private func search(_ threads: DetectionThreads) async throws -> Findings {
        var findings = Findings()
        var rate = FrameRate("searched", of: input.frameCount)
        var shots = ShotDetector(fps: fps)
        var schedule = SampleSchedule(fps: fps)
        var searched: Set<Int> = []
        do {
            while let frame = try await input.next() {
                let thumbnail = frame.thumbnail
                shots.add(thumbnail)
                findings.starts += shots.starts()
                let isSearched = schedule.isDue(findings.count, thumbnail)
                if isSearched || settings.redactsHeads {
                    threads.submit(findings.count, frame, isSearched: isSearched)
                }
                if isSearched { searched.insert(findings.count) }
                findings.count += 1
                rate.advance()
            }
        } catch {
            // What came before is planned and written first.
            findings.damage = error
        }
        rate.finish()
        findings.starts += shots.starts(isLast: true)
        for frame in 0..<findings.count where searched.contains(frame) || settings.redactsHeads {
            let result = try threads.result(frame)
            if searched.contains(frame) { findings.samples.append(FaceSample(frame: frame, result)) }
            if settings.redactsHeads { findings.heads.append(result.heads) }
        }
        return findings
    }

    /// Plans with all frames known, then reads the file again to render.
    private func readTwice(_ results: [ReframeResult], _ threads: DetectionThreads) async throws {
        let findings = try await search(threads)
        let count = findings.count
        let plans = results.map {
            ClipPlanner.plan($0.request, frameCount: count, shots: findings.starts, samples: findings.samples)
        }
        var redaction = KnownRedaction(redactor, heads: findings.heads, cuts: findings.starts, fps: fps)
        var written = FrameRate("written", of: count)
        if results.contains(where: \.needsFrames), count > 0 { try input.rewind() }
        for index in 0..<count {
            let isNeeded = results.contains(where: \.needsFrames)
            var frame = isNeeded ? try await input.next() : nil
            if let picture = frame { frame = try redaction?.next(picture) ?? picture }
            for (result, plan) in zip(results, plans) { try result.write(plan[index], frame) }
            written.advance()
        }
        written.finish()
        if let damage = findings.damage { throw damage }
    }

    private var redactor: FrameRedactor? {
        FrameRedactor(settings.redaction, except: settings.visible, size: input.header.size, fps: fps)
    }

    /// Plans and renders with a bounded number of frames known.
    private func readOnce(_ results: [ReframeResult], _ threads: DetectionThreads) async throws {
        var live = LiveReframe(
            results,
            threads,
            redactor,
            fps: fps,
            lookAhead: Int(((settings.lookAhead ?? ReframeSettings.lookAhead) * fps).rounded())
        )
        var rate = FrameRate("written", of: input.frameCount)
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
        var findings = Findings()
        if settings.redactsHeads {
            guard input.isFile else {
                throw CommandFailure(
                    "--plan-from with --redact reads the video twice: expected a file instead of a pipe"
                )
            }
            let threads = try threads()
            defer { threads.close() }
            findings = try await search(threads)
            try input.rewind()
        }
        var redaction = KnownRedaction(redactor, heads: findings.heads, cuts: findings.starts, fps: fps)
        var regions = PlannedRegions(lines)
        var rate = FrameRate("written", of: input.frameCount)
        var frame = 0
        while var picture = try await input.next() {
            picture = try redaction?.next(picture) ?? picture
            try result.write(regions.region(frame).clamped(to: input.header.size), frame, picture)
            frame += 1
            rate.advance()
        }
        rate.finish()
        try result.finish()
    }
}
