import FaceDetection
import Framing
package import Geometry
import Imaging

/// Draws the faces and the crop of a plan on the image.
package struct DebugStage {
    /// The maximum side of the result, in pixels.
    package static let longestSide = 1600

    let header: ImageHeader
    let output: ImageOutput
    let limits: PipelineLimits
    let profile: ProfileUse
    /// Whether the crop and the heads inside it are drawn; otherwise only faces are drawn.
    let showsCrop: Bool

    private static let keptColor = Color(red: 80, green: 230, blue: 110)
    private static let cutColor = Color(red: 255, green: 90, blue: 80)
    private static let faceColor = Color(red: 255, green: 215, blue: 60)
    private static let ignoredColor = Color(red: 190, green: 190, blue: 190)
    private static let areaColor = Color(red: 230, green: 120, blue: 255)
    private static let subjectColor = Color(red: 90, green: 220, blue: 230)
    private static let freeColor = Color(red: 110, green: 190, blue: 255)

    /// Returns the size of the result, which is never larger than the source.
    package static func size(for source: PixelSize) -> PixelSize {
        source.scaled(by: min(1, Double(longestSide) / Double(source.longSide)))
    }

    /// Returns the encoded image with the rectangles and labels of the plan.
    ///
    /// The image may have been decoded at a reduced scale.
    func render(_ image: PlanarImage, plan: FramePlan) throws(PipelineError) -> EncodedImage {
        let size = Self.size(for: header.size)
        let format = output.resolved(for: header, size: size, limits: limits, hasAlpha: false)
        return try codec { () throws(CodecError) in
            let whole = FractionalRect(PixelRect(image.size))
            var canvas = Canvas(try image.rendered(whole, to: size, model: .rgb, profile: profile).flattened())
            draw(plan, on: &canvas)
            let bytes = try ImageEncoder.encode(try canvas.image(), as: format, quality: output.quality?.level)
            return EncodedImage(format: format, file: (bytes, nil), size: size)
        }
    }

    private func draw(_ plan: FramePlan, on canvas: inout Canvas) {
        let scale = max(1, Int((Double(canvas.size.longSide) / 700).rounded()))
        let crop = showsCrop ? plan.crops.first : nil
        if plan.area != PixelRect(header.size) {
            canvas.stroke(scaled(plan.area, to: canvas), with: Self.areaColor, width: scale)
        }
        if let crop { draw(crop, scale: scale, on: &canvas) }
        let ignored = unrelated(plan)
        for detection in ignored {
            canvas.stroke(scaled(detection.box, to: canvas), with: Self.ignoredColor, width: scale)
        }
        for subject in shownSubjects(plan) {
            for rect in [subject.box, subject.head].compactMap(\.self) {
                canvas.stroke(scaled(rect, to: canvas), with: Self.subjectColor, width: scale)
            }
        }
        for (index, face) in plan.faces.enumerated() {
            let color = self.color(of: crop?.outcomes[index])
            if showsCrop { canvas.stroke(scaled(face.head, to: canvas), with: color, width: scale) }
            canvas.stroke(scaled(face.box, to: canvas), with: color, width: scale)
            for point in face.landmarks?.points ?? [] {
                let (x, y) = (Int(point.x.rounded()), Int(point.y.rounded()))
                let dot = scaled(PixelRect(x: x, y: y, width: 0, height: 0), to: canvas)
                let side = 3 * scale
                let spot = PixelRect(x: dot.x - scale, y: dot.y - scale, width: side, height: side)
                canvas.fill(spot, with: color)
            }
        }
        // Labels are drawn after all boxes, so that no box covers the label of another face.
        for detection in ignored {
            let words = "\(Self.hundredths(ofScore: detection.confidence)) \(detection.reason.rawValue)"
            label(words, over: detection.box, color: Self.ignoredColor, scale: scale, on: &canvas)
        }
        for subject in shownSubjects(plan) {
            let words = "\(subject.kind.word) \(Int((100 * subject.score).rounded())) %"
            label(words, over: subject.box, color: Self.subjectColor, scale: scale, on: &canvas)
        }
        for (index, face) in plan.faces.enumerated() {
            var words = "\(index + 1): \(Self.hundredths(ofScore: face.confidence))"
            if let crop { words += " \(Self.words(for: crop.outcomes[index]))" }
            if let name = plan.detector?.name { words += " \(face.finders(of: name).joined(separator: "+"))" }
            let color = self.color(of: crop?.outcomes[index])
            label(words, over: showsCrop ? face.head : face.box, color: color, scale: scale, on: &canvas)
        }
        canvas.label(legend(plan), x: 0, y: canvas.size.height, color: .white, scale: scale)
    }

    private func draw(_ crop: FramePlan.Crop, scale: Int, on canvas: inout Canvas) {
        let rect = scaled(crop.rect, to: canvas)
        canvas.dim(outside: rect, opacity: 0.6)
        for third in 1...2 {
            let x = rect.x + rect.width * third / 3
            let y = rect.y + rect.height * third / 3
            for (color, shift) in [(Color.black, scale), (Color.white, 0)] {
                let down = PixelRect(x: x + shift, y: rect.y, width: scale, height: rect.height)
                let across = PixelRect(x: rect.x, y: y + shift, width: rect.width, height: scale)
                canvas.fill(down, with: color, opacity: 0.5)
                canvas.fill(across, with: color, opacity: 0.5)
            }
        }
        canvas.stroke(rect, with: .white, width: 2 * scale)
        if let free = crop.faceFree { draw(free: scaled(free, to: canvas), scale: scale, on: &canvas) }
    }

    /// Draws the face-free area slightly smaller, so that its outline does not coincide with the crop's outline.
    private func draw(free rect: PixelRect, scale: Int, on canvas: inout Canvas) {
        let margin = 4 * scale
        guard rect.width > 4 * margin, rect.height > 4 * margin else { return }
        canvas.stroke(rect.grown(by: -margin), with: Self.freeColor, width: scale)
        let words = ["free"]
        let size = Canvas.labelSize(words, scale: scale)
        let (x, y) = (rect.x + (rect.width - size.width) / 2, rect.y + (rect.height - size.height) / 2)
        canvas.label(words, x: x, y: y, color: Self.freeColor, scale: scale)
    }

    /// Returns the subjects to draw: if the crop is drawn, these are the probable subjects.
    private func shownSubjects(_ plan: FramePlan) -> [PlannedSubject] {
        showsCrop ? plan.subjects.filter { $0.score >= Self.probableSubject } : []
    }

    /// The minimum score of a drawn subject; there are many less probable subjects.
    private static let probableSubject = 0.3

    /// Returns the ignored detections that are not duplicates of a face and do not lie mostly inside a head.
    private func unrelated(_ plan: FramePlan) -> [IgnoredFace] {
        plan.ignored.filter { detection in
            detection.reason != .duplicate
                && plan.faces.allSatisfy { $0.head.intersection(detection.box).area * 2 < detection.box.area }
        }
    }

    private func label(_ words: String, over rect: PixelRect, color: Color, scale: Int, on canvas: inout Canvas) {
        let place = scaled(rect, to: canvas)
        let height = Canvas.labelSize([words], scale: scale).height
        canvas.label([words], x: place.x, y: place.y - height - scale, color: color, scale: scale)
    }

    private static func words(for outcome: Outcome) -> String {
        switch outcome {
        case .kept: "kept"
        case .cut(.outside): "cut: outside"
        case .cut(.tooLarge): "cut: too large"
        case .ignored: "ignored: gravity"
        }
    }

    private func legend(_ plan: FramePlan) -> [String] {
        let count = plan.faces.count
        let detector = plan.detector.map { ", \($0.name), \($0.accuracy.rawValue)" } ?? ""
        let area =
            plan.area.size == plan.source.size
            ? "" : ", region \(plan.area.width)x\(plan.area.height) at \(plan.area.x),\(plan.area.y)"
        let source = "source: \(plan.source.size.width)x\(plan.source.size.height)\(area)\(detector)"
        guard showsCrop, let crop = plan.crops.first else { return ["faces: \(count)", source] }
        let shape = crop.aspect.map { "\($0.text): " } ?? ""
        let wanted = crop.unclamped
        let clamping = wanted == crop.rect ? "" : ", without edges at \(wanted.x),\(wanted.y)"
        let bars =
            crop.hasBars
            ? [
                "result: \(crop.output.width)x\(crop.output.height), crop scaled to "
                    + "\(crop.image.width)x\(crop.image.height) at \(crop.image.x),\(crop.image.y)"
            ] : []
        return [
            "faces: \(plan.faces.count(where: plan.keeps)) of \(count) kept",
            "decision: \(crop.decision)",
            "crop: \(shape)\(crop.rect.width)x\(crop.rect.height) at \(crop.rect.x),\(crop.rect.y)\(clamping)",
        ] + bars + [source]
    }

    private func color(of outcome: Outcome?) -> Color {
        switch outcome {
        case .kept: Self.keptColor
        case .cut: Self.cutColor
        case .ignored: Self.ignoredColor
        case nil: Self.faceColor
        }
    }

    /// Converts a rectangle of the source to pixels of the canvas; at least 1 by 1.
    private func scaled(_ rect: PixelRect, to canvas: Canvas) -> PixelRect {
        var scaled = rect.scaled(from: header.size, to: canvas.size)
        (scaled.width, scaled.height) = (max(1, scaled.width), max(1, scaled.height))
        return scaled
    }

    /// Returns the probability of a detection with two decimal places.
    private static func hundredths(ofScore score: Double) -> String {
        let probability = DetectionScore.probability(score)
        // A detector's score can be NaN.
        guard (0...1).contains(probability) else { return "?" }
        let hundredths = Int((probability * 100).rounded())
        let digits = hundredths % 100
        return "\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)"
    }
}
