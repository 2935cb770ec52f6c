#if Video
import ArgumentParser
import Framing
import Geometry
import Imaging
import Motion
import Pipeline
import Requests
import Video

/// Reads a video, plans its crops and writes the results.
struct ReframeRun {
    private let settings: ReframeSettings
    private let input: VideoInput

    init(_ settings: ReframeSettings) async throws {
        self.settings = settings
        input = try await VideoInput(settings)
        if let format = settings.format.input, format != input.format, (format, input.format) != (.y4m, .media) {
            throw CommandFailure(
                "\(settings.inputName): --format=\(format.rawValue) is not valid for \(input.format.rawValue): "
                    + "the output has the format of the source; use ffmpeg to convert it."
            )
        }
    }

    func run() async throws {
        defer {
            if input.skipped > 0 {
                let what = "\(input.skipped.counted("frame")) \(input.skipped == 1 ? "was" : "were") skipped"
                StandardStream.error.writeLine(
                    "\(settings.inputName): \(what): damaged, or in another format than the first frame."
                )
            }
        }
        if let plan = settings.planFrom {
            switch try VideoPlan.read(plan) {
            case .lines(let lines): return try await render(lines)
            case .document(let document): return try await render(document, of: plan)
            }
        }
        try checkReading()
        let results = try settings.aspects.map { try ReframeResult(settings, input, aspect: $0) }
        let searches = try FrameSearches(settings, size: input.header.size)
        if input.isFile, settings.lookAhead == nil {
            try await readTwice(results, searches)
        } else {
            try await readOnce(results, searches)
        }
        for result in results { try result.finish() }
    }

    /// Rejects options that need all frames of a shot if the video is read only once.
    private func checkReading() throws(CommandFailure) {
        guard !input.isFile || settings.lookAhead != nil else { return }
        let what: String
        if [.stack, .auto].contains(settings.layout) {
            what = "--layout \(settings.layout.rawValue)"
        } else if settings.plan?.hasSuffix(".json") == true {
            what = "--plan with a name in .json"
        } else if !settings.visibleNumbers.isEmpty {
            what = "--redact-except person:N"
        } else {
            return
        }
        throw CommandFailure("\(what) reads the video twice: expected a file as input, and no --look-ahead")
    }

    private var fps: Double { input.fps ?? settings.fps }

    private struct Findings {
        var count = 0
        var starts: [Int] = []
        var samples: [FaceSample] = []
        var heads: [[RedactedHead]] = []
        /// The error that ended the reading early.
        var damage: (any Error)?
    }

    /// Reads all frames.
    ///
    /// Searches some frames for people, or all frames for heads to redact.
    private func search(_ searches: FrameSearches, readsLips: Bool) async throws -> Findings {
        var findings = Findings()
        var rate = FrameRate("searched", of: input.frameCount)
        var shots = ShotDetector(fps: fps)
        var schedule = SampleSchedule(fps: fps)
        var searched: Set<Int> = []
        var recent = readsLips ? RecentFrames(fps: fps) : nil
        do {
            while let frame = try await input.next() {
                let thumbnail = frame.thumbnail
                shots.add(thumbnail)
                findings.starts += shots.starts()
                let isSearched = schedule.isDue(findings.count, thumbnail)
                recent?.add(frame, mayBeCut: schedule.mayBeCut)
                if isSearched || settings.redactsHeads {
                    await searches.submit(findings.count, frame, isSearched: isSearched, before: recent?.before)
                }
                if isSearched { searched.insert(findings.count) }
                findings.count += 1
                rate.advance()
            }
        } catch {
            // The frames before the damage are planned and written, then the error is thrown.
            findings.damage = error
        }
        rate.finish()
        findings.starts += shots.starts(isLast: true)
        for frame in 0..<findings.count where searched.contains(frame) || settings.redactsHeads {
            let result = try await searches.result(frame)
            if searched.contains(frame) { findings.samples.append(FaceSample(frame: frame, result)) }
            if settings.redactsHeads { findings.heads.append(result.heads) }
        }
        return findings
    }

    /// Plans when all frames are known, then reads the file again to render it.
    private func readTwice(
        _ results: [ReframeResult],
        _ searches: FrameSearches,
        edits: PlanEdits = PlanEdits()
    ) async throws {
        let readsLips = settings.readsLips || results.contains { [.hold, .auto].contains($0.request.layout) }
        let sound = readsLips ? input.media.flatMap { SoundTrack.loudness(of: $0, fps: fps) } : nil
        let findings = try await search(searches, readsLips: readsLips)
        let count = findings.count
        let plans = results.map {
            ClipPlanner.clip(
                $0.request,
                frameCount: count,
                shots: findings.starts,
                samples: findings.samples,
                sound: sound,
                edits: edits
            )
        }
        for (result, plan) in zip(results, plans) where result.isDocument {
            try result.write(VideoPlan(plan, result.request) { result.region(of: $0) })
        }
        var redaction = try redaction(findings, people: plans.first?.people ?? [])
        var written = FrameRate("written", of: count)
        if results.contains(where: \.needsFrames), count > 0 { try input.rewind() }
        for index in 0..<count {
            let isNeeded = results.contains(where: \.needsFrames)
            var frame = isNeeded ? try await input.next() : nil
            if let image = frame { frame = try redaction?.next(image) ?? image }
            for (result, plan) in zip(results, plans) { try result.write(plan.frames[index], frame) }
            written.advance()
        }
        written.finish()
        if let damage = findings.damage { throw damage }
    }

    /// The redactor of the options; nil without a redaction.
    ///
    /// - Throws: A ``CommandFailure`` for a `person:N` that is not in `people`.
    private func redactor(people: [PlannedPerson] = []) throws(CommandFailure) -> FrameRedactor? {
        let visible = people.filter { settings.visibleNumbers.contains($0.number) }
        let known = Set(people.map(\.number))
        if let number = settings.visibleNumbers.first(where: { !known.contains($0) }) {
            throw CommandFailure(
                "--redact-except person:\(number): the plan contains persons 1 to \(people.count)"
            )
        }
        return FrameRedactor(settings, visible: visible, size: input.header.size, fps: fps)
    }

    /// The redaction of frames whose heads were all found.
    private func redaction(_ findings: Findings, people: [PlannedPerson]) throws(CommandFailure) -> KnownRedaction? {
        KnownRedaction(try redactor(people: people), heads: findings.heads, cuts: findings.starts, fps: fps)
    }

    private func readOnce(_ results: [ReframeResult], _ searches: FrameSearches) async throws {
        var live = LiveReframe(
            results,
            searches,
            try redactor(),
            fps: fps,
            lookAhead: Int(((settings.lookAhead ?? ReframeSettings.lookAhead) * fps).rounded())
        )
        var rate = FrameRate("written", of: input.frameCount)
        var damage: (any Error)?
        do {
            while let frame = try await input.next() {
                try await live.add(frame)
                rate.advance()
            }
        } catch let error as VideoError {
            damage = error
        }
        try await live.finish()
        rate.finish()
        if let damage { throw damage }
    }

    private func render(_ lines: [PlanLine]) async throws {
        let shape = AspectRatio(lines[0].width, lines[0].height)
        var regions = PlannedRegions(lines, in: input.header.size)
        let isSingle = lines[0].panes == .one
        try await render(aspect: settings.aspects.first ?? (isSingle ? shape : nil), people: []) { regions.frame($0) }
    }

    /// Renders the frames of a document with its edits.
    ///
    /// If the document has no frames, first plans them with these edits.
    private func render(_ document: VideoPlan, of path: String) async throws {
        let size = input.header.size
        if let source = document.source, PixelSize(width: source.width, height: source.height) != size {
            throw CommandFailure(
                "\(path): is for \(source.width)×\(source.height) pixels; \(settings.inputName) has \(size.width)×\(size.height)"
            )
        }
        guard let aspect = settings.aspects.first ?? document.aspect.flatMap({ AspectRatio($0) }) else {
            throw CommandFailure("\(path): has no aspect: expected --aspect")
        }
        let edits = document.edits(fps: fps)
        guard let plan = document.clip(in: size) else {
            guard input.isFile, settings.lookAhead == nil else { throw Self.needsFile("--plan-from without frames") }
            let result = try ReframeResult(settings, input, aspect: aspect, document)
            let searches = try FrameSearches(settings, size: size)
            try await readTwice([result], searches, edits: edits)
            return try result.finish()
        }
        let request = ReframeResult.request(settings, input, aspect: aspect, document)
        let changed = ClipPlanner.changed(plan, request, edits: edits)
        guard let last = changed.frames.last else { return }
        try await render(aspect: aspect, people: changed.people) { number in
            var frame = number < changed.frames.count ? changed.frames[number] : last
            if number >= changed.frames.count { (frame.frame, frame.isCut) = (number, false) }
            return frame
        }
    }

    private static func needsFile(_ what: String) -> CommandFailure {
        CommandFailure("\(what) reads the video twice: expected a file as input, not a pipe")
    }

    /// Renders all frames of the input, with redaction.
    private func render(aspect: AspectRatio?, people: [PlannedPerson], planned: (Int) -> PlannedFrame) async throws {
        guard let aspect else {
            throw CommandFailure(
                "\(settings.planFrom ?? ""): the crops have an aspect ratio outside 1:100 to 100:1, or panes without --aspect"
            )
        }
        let result = try ReframeResult(settings, input, aspect: aspect)
        var findings = Findings()
        if settings.redactsHeads {
            guard input.isFile else { throw Self.needsFile("--plan-from with --redact") }
            let searches = try FrameSearches(settings, size: input.header.size)
            findings = try await search(searches, readsLips: false)
            try input.rewind()
        }
        var redaction = try redaction(findings, people: people)
        var rate = FrameRate("written", of: input.frameCount)
        var frame = 0
        while var image = try await input.next() {
            image = try redaction?.next(image) ?? image
            try result.write(planned(frame), image)
            frame += 1
            rate.advance()
        }
        rate.finish()
        try result.finish()
    }
}

/// Shows the number of frames, the frames per second and the remaining time.
///
/// Shows nothing if standard error is not a terminal.
struct FrameRate {
    private let isShown = StandardStream.error.isTerminal
    private let start = ContinuousClock.now
    private var shown = ContinuousClock.now
    private var frames = 0
    private let work: String
    private let count: Int?

    /// Counts frames; `work` is the action, such as `written`, and `count` is the number of all frames, if known.
    init(_ work: String, of count: Int? = nil) {
        self.work = work
        self.count = count
    }

    mutating func advance() {
        frames += 1
        guard isShown, .now - shown > .milliseconds(200) else { return }
        shown = .now
        draw(ending: "")
    }

    func finish() { if isShown, frames > 0 { draw(ending: "\n") } }

    private func draw(ending: String) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let rate = seconds > 0 ? Int(Double(frames) / seconds) : 0
        var left = ""
        if let count, count > frames, rate > 0 {
            let seconds = (count - frames) / rate
            left = ", \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60) left"
        }
        let done = count.map { "\(frames) of \(max($0, frames)) frames" } ?? "\(frames) frames"
        try? StandardStream.error.write(Array("\r\u{1B}[K\(done) \(work), \(rate) a second\(left)\(ending)".utf8))
    }
}
#endif
