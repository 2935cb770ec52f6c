import Framing
import Geometry
import Imaging
import Motion
import Pipeline
import Requests

/// Reads a video, plans its crops and writes the results.
package struct ReframeRun {
    private let request: ReframeRequest
    private let host: any ReframeHost
    private let input: VideoInput

    /// Opens the input, and reads its header or the first frame.
    ///
    /// - Throws: A ``ReframeFailure``, a ``ReframeConflict``, a `VideoError`, or an error of the host.
    package init(_ request: ReframeRequest, _ host: any ReframeHost) async throws {
        self.request = request
        self.host = host
        input = try await VideoInput(request, host)
        if let format = request.format.input, format != input.format, (format, input.format) != (.y4m, .media) {
            throw ReframeConflict.format(request.format, source: input.format)
        }
    }

    /// Removes the temporary files of incomplete results; called before a signal ends the process.
    package static func removeIncompleteResults() { MediaOutput.removeParts() }

    /// Frames that were skipped until now, because they are damaged or in another format than the first frame.
    package var skipped: Int { input.skipped }

    /// Reads the frames, and writes all results.
    ///
    /// - Throws: A ``ReframeFailure``, a ``ReframeConflict``, a `VideoError`, or an error of the host.
    package func run() async throws {
        if let plan = request.planFrom {
            switch try VideoPlan.read(try host.plan(at: plan), plan) {
            case .lines(let lines): return try await render(lines)
            case .document(let document): return try await render(document, of: plan)
            }
        }
        try checkReading()
        let results = try request.aspects.map { try ReframeResult(request, input, aspect: $0, host: host) }
        let searches = try searches()
        if input.isFile, request.lookAhead == nil {
            try await readTwice(results, searches)
        } else {
            try await readOnce(results, searches)
        }
        for result in results { try result.finish() }
    }

    /// Rejects requests that need all frames of a shot if the video is read only once.
    private func checkReading() throws(ReframeConflict) {
        guard !input.isFile || request.lookAhead != nil else { return }
        if [.stack, .auto].contains(request.layout) { throw .singleReading(.layout(request.layout)) }
        if request.writesDocument { throw .singleReading(.planDocument) }
        if !request.visibleNumbers.isEmpty { throw .singleReading(.visibleNumbers) }
    }

    /// Starts threads that search frames for faces.
    private func searches() throws -> FrameSearches {
        try FrameSearches(request, try host.model(), size: input.header.size)
    }

    private var fps: Double { input.fps ?? request.fps }

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
        var rate = host.progress(.searched, of: input.frameCount)
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
                if isSearched || request.redactsHeads {
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
        for frame in 0..<findings.count where searched.contains(frame) || request.redactsHeads {
            let result = try await searches.result(frame)
            if searched.contains(frame) { findings.samples.append(FaceSample(frame: frame, result)) }
            if request.redactsHeads { findings.heads.append(result.heads) }
        }
        return findings
    }

    /// Plans when all frames are known, then reads the file again to render it.
    private func readTwice(
        _ results: [ReframeResult],
        _ searches: FrameSearches,
        edits: PlanEdits = PlanEdits()
    ) async throws {
        let readsLips = request.readsLips || results.contains { [.hold, .auto].contains($0.motion.layout) }
        let sound = readsLips ? input.media.flatMap { SoundTrack.loudness(of: $0, fps: fps) } : nil
        let findings = try await search(searches, readsLips: readsLips)
        let count = findings.count
        let plans = results.map {
            ClipPlanner.clip(
                $0.motion,
                frameCount: count,
                shots: findings.starts,
                samples: findings.samples,
                sound: sound,
                edits: edits
            )
        }
        for (result, plan) in zip(results, plans) where result.isDocument {
            try result.write(VideoPlan(plan, result.motion) { result.region(of: $0) })
        }
        var redaction = try redaction(findings, people: plans.first?.people ?? [])
        var written = host.progress(.written, of: count)
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

    /// The redactor of the request; nil without a redaction.
    ///
    /// - Throws: A ``ReframeConflict`` for the number of a visible person who is not in `people`.
    private func redactor(people: [PlannedPerson] = []) throws(ReframeConflict) -> FrameRedactor? {
        let visible = people.filter { request.visibleNumbers.contains($0.number) }
        let known = Set(people.map(\.number))
        if let number = request.visibleNumbers.first(where: { !known.contains($0) }) {
            throw .unknownPerson(number, count: people.count)
        }
        return FrameRedactor(request, visible: visible, size: input.header.size, fps: fps)
    }

    /// The redaction of frames whose heads were all found.
    private func redaction(_ findings: Findings, people: [PlannedPerson]) throws(ReframeConflict) -> KnownRedaction? {
        KnownRedaction(try redactor(people: people), heads: findings.heads, cuts: findings.starts, fps: fps)
    }

    private func readOnce(_ results: [ReframeResult], _ searches: FrameSearches) async throws {
        var live = LiveReframe(
            results,
            searches,
            try redactor(),
            fps: fps,
            lookAhead: Int(((request.lookAhead ?? ReframeRequest.lookAhead) * fps).rounded())
        )
        var rate = host.progress(.written, of: input.frameCount)
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
        try await render(aspect: request.aspects.first ?? (isSingle ? shape : nil), people: []) { regions.frame($0) }
    }

    /// Renders the frames of a document with its edits.
    ///
    /// If the document has no frames, first plans them with these edits.
    private func render(_ document: VideoPlan, of path: String) async throws {
        let size = input.header.size
        if let source = document.source, PixelSize(width: source.width, height: source.height) != size {
            let own = "\(request.inputName) has \(size.width)×\(size.height)"
            throw ReframeFailure.plan(path, reason: "is for \(source.width)×\(source.height) pixels; \(own)")
        }
        guard let aspect = request.aspects.first ?? document.aspect.flatMap({ AspectRatio($0) }) else {
            throw ReframeConflict.missingAspect(plan: path)
        }
        let edits = document.edits(fps: fps)
        guard let plan = document.clip(in: size) else {
            guard input.isFile, request.lookAhead == nil else { throw ReframeConflict.pipe(.planWithoutFrames) }
            let result = try ReframeResult(request, input, aspect: aspect, document, host: host)
            let searches = try searches()
            try await readTwice([result], searches, edits: edits)
            return try result.finish()
        }
        let motion = ReframeResult.motion(request, input, aspect: aspect, document)
        let changed = ClipPlanner.changed(plan, motion, edits: edits)
        guard let last = changed.frames.last else { return }
        try await render(aspect: aspect, people: changed.people) { number in
            var frame = number < changed.frames.count ? changed.frames[number] : last
            if number >= changed.frames.count { (frame.frame, frame.isCut) = (number, false) }
            return frame
        }
    }

    /// Renders all frames of the input, with redaction.
    private func render(aspect: AspectRatio?, people: [PlannedPerson], planned: (Int) -> PlannedFrame) async throws {
        guard let aspect else { throw ReframeConflict.unusableAspect(plan: request.planFrom ?? "") }
        let result = try ReframeResult(request, input, aspect: aspect, host: host)
        var findings = Findings()
        if request.redactsHeads {
            guard input.isFile else { throw ReframeConflict.pipe(.redaction) }
            let searches = try searches()
            findings = try await search(searches, readsLips: false)
            try input.rewind()
        }
        var redaction = try redaction(findings, people: people)
        var rate = host.progress(.written, of: input.frameCount)
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
