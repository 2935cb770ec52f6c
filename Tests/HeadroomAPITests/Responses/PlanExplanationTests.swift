import FaceDetection
import Geometry
import Glibc
import HeadroomAPI
import Imaging
import TestPacing
import TestImages
import Testing

/// The explanations of decisions in a plan.
@Suite(.limitedConcurrency) struct PlanExplanationTests {
    private let pair: [UInt8]

    init() throws { pair = try Images.pairJPEG.get() }

    /// A detector that finds the drawn faces of ``Pictures/pair``, one of them twice, and also returns a detection
    /// below the threshold.
    private static let detector = ScriptedDetector { _, image in
        let scale = Double(image.size.width) / Double(Images.pair.size.width)
        func detection(_ box: PixelRect, _ confidence: Double) -> Detection {
            let (x, y) = (Int(Double(box.x) * scale), Int(Double(box.y) * scale))
            let side = Int(Double(box.width) * scale)
            return Detection(box: PixelRect(x: x, y: y, width: side, height: side), confidence: confidence)
        }
        let faces = Images.pair.faces.map(\.box)
        return [
            detection(faces[0], 1), detection(faces[1], 2),
            detection(PixelRect(x: faces[0].x + 5, y: faces[0].y, width: 90, height: 90), 0.5),
            detection(PixelRect(x: 250, y: 20, width: 60, height: 60), -0.1),
        ]
    }

    private func plan(_ query: String) async throws -> JSONValue {
        try await TestService.running(Self.detector) { [pair] service in
            try await service.document("/frame?format=json&accuracy=low&\(query)", posting: pair)
        }
    }

    private func outcomes(_ crop: JSONValue) -> [String] {
        crop["faces"].elements.map { face in
            [face["face"].integer.map { "\($0)" }, face["outcome"].string, face["reason"].string]
                .compactMap { $0 }.joined(separator: " ")
        }
    }

    @Test func `every crop lists the outcome of every face`() async throws {
        let plan = try await plan("aspect=1:1,16:9,20:1")
        let crops = plan["crops"].elements
        #expect(outcomes(crops[0]) == ["1 kept", "2 cut outside"])
        #expect(outcomes(crops[1]) == ["1 kept", "2 kept"])
        #expect(outcomes(crops[2]) == ["1 cut tooLarge", "2 cut tooLarge"])
        for crop in crops {
            for (face, outcome) in zip(plan["faces"].elements, crop["faces"].elements) {
                let head = face["head"].rect
                let inside = Double(head.intersection(crop["crop"].rect).area) / Double(head.area)
                let visible = try #require(outcome["visible"].double)
                #expect(visible <= inside && inside - visible < 0.001)
                #expect((outcome["outcome"] == "kept") == (visible == 1))
            }
        }
    }

    @Test func `a face that gravity does not select is ignored, even inside the crop`() async throws {
        let largest = try await plan("aspect=16:9&gravity=largest")
        #expect(outcomes(largest["crops"][0]) == ["1 kept", "2 ignored gravity"])
        #expect(largest["faces"][1]["kept"].bool == true)
        let center = try await plan("aspect=1:1&gravity=center")
        #expect(outcomes(center["crops"][0]) == ["1 ignored gravity", "2 ignored gravity"])
        let none = try await plan("aspect=1:1&gravity=face:7")
        #expect(none["decision"] == "fallback:attention")
        #expect(outcomes(none["crops"][0]) == ["1 ignored gravity", "2 ignored gravity"])
    }

    @Test func `every ignored detection has a reason`() async throws {
        let plan = try await plan("aspect=1:1")
        #expect(plan["ignored"].elements.compactMap { $0["reason"].string } == ["duplicate", "confidence"])
        let coarse = try await self.plan("aspect=1:1&minFace=0.3")
        #expect(coarse["faces"].elements.count == 1)
        let small = coarse["ignored"].elements.filter { $0["reason"] == "size" }
        #expect(small.count == 1)
        #expect(small.allSatisfy { $0["box"].rect.width < 120 })
    }

    @Test func `the confidence of every detection is a probability that its score determines`() async throws {
        let plan = try await plan("aspect=1:1")
        let detections = plan["faces"].elements + plan["ignored"].elements
        #expect(detections.count >= 4)
        for detection in detections {
            let (confidence, score) = (try #require(detection["confidence"].double), detection["score"].double ?? 9)
            #expect((0...1).contains(confidence))
            #expect(abs(confidence - 1 / (1 + pow(2, -7 * (score + 0.25)))) < 0.001, "\(confidence) of \(score)")
        }
        #expect(plan["faces"].elements.allSatisfy { $0["confidence"].double ?? 0 > 0.77 })
    }

    @Test(arguments: [(-1e9, 0), (-0.25, 0.5), (0, 0.7709), (0.5, 0.9744), (1e9, 1)])
    func `a score of any size yields a probability`(score: Double, probability: Double) {
        #expect(abs(DetectionScore.probability(score) - probability) < 0.0001)
    }

    @Test func `every detection pass is listed`() async throws {
        let passes = try await plan("aspect=1:1")["detector"]["passes"].elements
        #expect(passes.count == 1)
        #expect(passes[0]["found"] == .integer(3))
        #expect(passes[0]["rotation"] == .integer(0))
        #expect(passes[0]["width"].integer ?? 0 > 0 && passes[0]["height"].integer ?? 0 > 0)
        #expect(passes[0]["milliseconds"].double ?? -1 >= 0)
    }

    @Test func `the unclamped crop extends beyond the edge of the image`() async throws {
        let crop = try await plan("aspect=1:1&gravity=largest")["crops"][0]
        let (clamped, wanted) = (crop["crop"].rect, crop["unclamped"].rect)
        #expect(clamped.maxX == 640)
        #expect(wanted.size == clamped.size)
        #expect(wanted.maxX > 640)
    }

    @Test(arguments: ["", "&width=100", "&width=333", "&width=200&dpr=2", "&aspect=16:9&height=77"])
    func `the face-free area is in output pixels and touches no head`(query: String) async throws {
        let aspect = query.contains("aspect") ? "" : "aspect=1:1"
        let plan = try await plan(aspect + query)
        let crop = plan["crops"][0]
        let (rect, output) = (crop["crop"].rect, crop["output"].rect.size)
        let free = crop["faceFree"].rect
        #expect(free.area > 0)
        #expect(PixelRect(output).contains(free))
        for face in plan["faces"].elements {
            let head = face["head"].rect.intersection(rect)
            guard head.area > 0 else { continue }
            // The head in output pixels, including partly covered pixels.
            let x = (head.x - rect.x) * output.width / rect.width
            let y = (head.y - rect.y) * output.height / rect.height
            let maxX = ((head.maxX - rect.x) * output.width + rect.width - 1) / rect.width
            let maxY = ((head.maxY - rect.y) * output.height + rect.height - 1) / rect.height
            let touched = PixelRect(x: x, y: y, width: maxX - x, height: maxY - y)
            #expect(touched.intersection(free).area == 0)
        }
        // The inset describes the same rectangle, in hundredths of a percent.
        let sides = try #require(crop["inset"].string ?? crop["faceFree"]["inset"].string)
            .split(separator: " ").compactMap { Double($0.dropLast()) }
        try #require(sides.count == 4)
        #expect(abs(sides[0] / 100 * Double(output.height) - Double(free.y)) < 1.1)
        #expect(abs(sides[3] / 100 * Double(output.width) - Double(free.x)) < 1.1)
        #expect(abs((1 - sides[1] / 100) * Double(output.width) - Double(free.maxX)) < 1.1)
        #expect(abs((1 - sides[2] / 100) * Double(output.height) - Double(free.maxY)) < 1.1)
    }

    @Test func `the face-free area is the whole output without faces, and absent if a head covers the output`()
        async throws
    {
        let blank = try Images.blankJPEG.get()
        let nobody = try await TestService.running(ScriptedDetector { _, _ in [] }) { service in
            try await service.document("/frame?format=json&aspect=1:1&width=100&accuracy=low", posting: blank)
        }
        #expect(nobody["crops"][0]["faceFree"].rect == PixelRect(x: 0, y: 0, width: 100, height: 100))
        #expect(nobody["crops"][0]["faceFree"]["inset"] == "0% 0% 0% 0%")
        let full = try await TestService.running { service in
            try await service.document("/frame?format=json&aspect=1:1&accuracy=low", posting: blank)
        }
        #expect(full["crops"][0]["faceFree"].isNull)
    }
}
