import Framing
import Geometry
import Imaging

/// Plans the crops of a job from its detections; the stages of the pipeline then run on this plan.
struct PlanStage {
    /// Returns the draft of the result: the plan, and the inputs of the steps.
    ///
    /// - Throws: ``PipelineError``.
    func draft(of work: inout FrameWork) throws(PipelineError) -> FrameDraft {
        // If the attention map requires another decode, its time counts as decoding.
        let plan = try work.timed(\.frame) { (work) throws(PipelineError) in try self.plan(&work) }
        return FrameDraft(plan: plan, inputs: StepInputs(work.job.options, sourceHasAlpha: work.header.hasAlpha))
    }

    private func plan(_ work: inout FrameWork) throws(PipelineError) -> FramePlan {
        let area = try area(&work)
        let seen = work.findings.restricted(to: area)
        let attention = try attention(to: seen, in: area, &work)
        var plan = try plan(seen, in: area, attention, work)
        if work.job.needsFaces {
            plan.detector = FramePlan.Detector(
                name: seen.detectorName,
                accuracy: work.job.options.accuracy,
                passes: seen.passes,
                duration: seen.duration,
                isKnown: !work.isSearched,
                frames: seen.frames
            )
        }
        return plan
    }

    /// Returns the part of the source to frame: the requested region without its uniform borders.
    private func area(_ work: inout FrameWork) throws(PipelineError) -> PixelRect {
        let area = work.decodePlan.area
        guard let tolerance = work.job.options.trim else { return area }
        let image = try work.source.image(exactlyAt: work.decodePlan.trimScale)
        return TrimStage(sourceSize: work.header.size).content(of: image, in: area, tolerance: tolerance)
    }

    /// Returns the attention profile; uniform if the crop does not depend on it.
    private func attention(
        to findings: DetectionResult,
        in area: PixelRect,
        _ work: inout FrameWork
    ) throws(PipelineError) -> AttentionProfile {
        let (job, options) = (work.job, work.job.options)
        guard job.mayNeedAttention, options.framing.needsAttention(for: findings.faces.map(\.subject)) else {
            return .uniform
        }
        let profile = try AttentionStage(sourceSize: work.header.size, area: area).profile(
            of: work.source.image(exactlyAt: work.decodePlan.attentionScale),
            // With `gravity=attention`, the crop must not depend on whether a face search ran as well.
            doubtfulFaces: options.framing.gravity.needsFaces
                ? findings.doubtfulFaces(after: options.accuracy, in: area) : nil
        )
        try work.context.check()
        return profile
    }

    // MARK: Crops

    /// Plans a crop for every requested aspect ratio or face, in pixels of the source.
    ///
    /// The plan uses the faces in the framed `area`, and the attention profile of this area.
    private func plan(
        _ findings: DetectionResult,
        in area: PixelRect,
        _ attention: AttentionProfile,
        _ work: FrameWork
    ) throws(PipelineError) -> FramePlan {
        let (job, header, limits, decodePlan) = (work.job, work.header, work.limits, work.decodePlan)
        let subjects = findings.faces.map(\.subjectWithEyes)
        let shown = subjects.map { $0.moved(x: -area.x, y: -area.y) }
        let things = findings.subjects?.subjects.map { $0.moved(x: -area.x, y: -area.y) } ?? []
        let options = job.options.settled(in: area.size)
        let maxTurnedPixels = decodePlan.maxTurnedPixels
        var crops: [FramePlan.Crop] = []
        for (aspect, faceIndex) in wantedCrops(job.target, options, faces: subjects.count) {
            var request = options.framing
            request.corner = request.corner(in: area.size, options.resultSize, aspect: aspect)
            var frame = try frame(
                shown,
                things,
                in: area,
                of: header.size,
                aspect: aspect,
                job.options.framing,
                request,
                faceIndex,
                attention
            )
            frame.move(from: area)
            if options.isLossless { try align(&frame, to: subjects, header) }
            let turned = turnedCrop(findings.faces, faceIndex, aspect: aspect, job.options, in: header.size)
            if let turned { frame.move(to: turned.visible(in: header.size), subjects: subjects) }
            // A lossless or rotated crop fills the result, so it has no bars.
            let filled =
                options.isLossless
                ? frame.crop.size : turned.map { options.resultSize.resolved(for: $0.size, aspect: aspect) }
            let (output, image) =
                filled.map { ($0, PixelRect($0)) } ?? options.resultSize.resolved(for: frame, aspect: aspect)
            guard output.area <= limits.maxResultPixels else {
                throw .resultTooLarge(output, maxPixels: limits.maxResultPixels)
            }
            if turned != nil, output.area > maxTurnedPixels {
                throw .resultTooLarge(output, maxPixels: maxTurnedPixels)
            }
            if let format = job.target.product.output?.format, format.isExpensive {
                guard output.area <= limits.maxExpensivePixels else {
                    throw .formatTooLarge(format, output, maxPixels: limits.maxExpensivePixels)
                }
            }
            if job.rendering == .scaling, let wanted = job.target.product.output,
                let refusal = wanted.refusal(of: output)
            {
                throw .codec(refusal)
            }
            crops.append(
                FramePlan.Crop(
                    aspect: aspect,
                    rect: frame.crop,
                    unclamped: frame.unclamped,
                    output: output,
                    letterbox: frame.letterbox,
                    image: image,
                    decision: frame.decision,
                    outcomes: frame.outcomes,
                    subjectArea: frame.subjectArea,
                    faceFree: FaceFreeArea.largest(in: frame.crop, heads: subjects.map(\.head)),
                    turned: turned
                )
            )
        }
        if job.target.crops == .everyFace {
            let pixels = crops.reduce(0) { $0 + $1.output.area }
            guard pixels <= decodePlan.maxPortraitPixels else {
                throw .portraitsTooLarge(pixels: pixels, maxPixels: decodePlan.maxPortraitPixels)
            }
        }
        return FramePlan(
            source: .init(
                size: header.size,
                format: header.format,
                orientation: header.orientation.rawValue,
                animation: work.animationStage?.animation
            ),
            area: area,
            turn: job.options.turn,
            fitsHeads: job.options.framing.fitsHeads,
            crops: crops,
            faces: findings.faces,
            subjects: findings.subjects?.subjects.compactMap { PlannedSubject($0, in: header.size) } ?? [],
            ignored: findings.ignored,
            omittedStickers: job.options.omittedStickers(on: findings.faces),
            redaction: job.options.redaction
        )
    }

    /// Returns the rotated crop of a face; nil without a rotation.
    private func turnedCrop(
        _ faces: [Face],
        _ faceIndex: Int?,
        aspect: AspectRatio?,
        _ options: FrameOptions,
        in size: PixelSize
    ) -> RotatedCrop? {
        guard let turn = options.faceTurn, let faceIndex, faces.indices.contains(faceIndex - 1) else { return nil }
        return RotatedCrop(faces[faceIndex - 1], turn, aspect: aspect, padding: options.framing.padding, in: size)
    }

    /// Moves a crop to the block boundaries of the source, for lossless cropping.
    private func align(
        _ frame: inout Frame,
        to subjects: [Subject],
        _ header: ImageHeader
    ) throws(PipelineError) {
        let kept = zip(subjects, frame.kept).filter(\.1).map(\.0.head)
        guard let crop = header.losslessCropping?.grid.aligned(frame.crop, keeping: kept) else {
            throw .notLossless(header.format)
        }
        frame.move(to: crop, subjects: subjects)
    }

    /// Returns the aspect ratio of each crop and, if the crop shows a single face, the number of this face.
    private func wantedCrops(
        _ target: FrameJob.Target,
        _ options: FrameOptions,
        faces count: Int
    ) -> [(aspect: AspectRatio?, faceIndex: Int?)] {
        switch target.crops {
        case .shapes: options.aspects.map { ($0, nil) }
        case .face(let index): options.aspects.map { ($0, index) }
        case .everyFace: (0..<count).map { (options.aspects[0], $0 + 1) }
        }
    }

    private func frame(
        _ subjects: [Subject],
        _ things: [DetectedSubject],
        in area: PixelRect,
        of size: PixelSize,
        aspect: AspectRatio?,
        _ framing: FramingRequest,
        _ request: FramingRequest,
        _ faceIndex: Int?,
        _ attention: AttentionProfile
    ) throws(PipelineError) -> Frame {
        if let index = faceIndex, !subjects.indices.contains(index - 1) {
            throw .noSuchFace(index: index, found: subjects.count)
        }
        do throws(FramingError) {
            if let index = faceIndex {
                let padding = framing.padding
                return try Framer.portrait(index, of: subjects, in: area.size, aspect: aspect, padding: padding)
            }
            return try Framer.frame(
                subjects,
                focal: framing.focal.filter(\.isKept).map { $0.subject(in: area, of: size) },
                avoiding: framing.focal.compactMap { $0.avoided(in: area, of: size) },
                in: area.size,
                aspect: aspect,
                request: request,
                detected: things,
                attention: attention
            )
        } catch {
            throw .framing(error)
        }
    }
}

extension Subject {
    /// Returns the same person in an image with another origin.
    fileprivate func moved(x right: Int, y down: Int) -> Subject {
        var subject = self
        subject.face = face.moved(x: right, y: down)
        subject.head = head.moved(x: right, y: down)
        subject.eyes = eyes.map { $0 + Double(down) }
        return subject
    }
}

extension DetectedSubject {
    /// Returns the same subject in an image with another origin.
    fileprivate func moved(x right: Int, y down: Int) -> DetectedSubject {
        var subject = self
        subject.box.x += Double(right)
        subject.box.y += Double(down)
        return subject
    }
}
