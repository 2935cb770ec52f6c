import FaceDetection
@testable import FramePipeline
import Framing
import HeadroomTesting
import ImageCodec

/// Jobs of a small picture, of every kind that has an answer of its own, to be done without a worker.
struct TriedJob {
    let job: FrameJob
    private let header: ImageHeader

    static let detectorName = "whole"
    static let limits = PipelineLimits(decode: .ofFuzzers, maxResultPixels: 1 << 14)

    /// One of each kind; the picture is drawn once.
    static let all: [TriedJob] = {
        do {
            let source = try ImageEncoder.encode(TestImage.waves(PixelSize(width: 90, height: 80)), as: .png)
            let header = try ImageHeader.read(source)
            let output = ImageOutput()
            let answers: [FrameJob.Answer] = [
                .image(output), .plan, .face(index: 1, output), .facePlan(index: 1), .crops(output), .portraits(output),
                .debug(output, showsCrop: true),
            ]
            return answers.map { answer in
                var job = FrameJob(source: source, answer: answer)
                job.aspects = [AspectRatio(PixelSize(width: 1, height: 1))]
                return TriedJob(job: job, header: header)
            }
        } catch {
            preconditionFailure("a drawn picture cannot be read: \(error)")
        }
    }()

    /// What the job gives, with what was found before if that is told; also what a search found, if one was made.
    func run(_ findings: FaceFindings? = nil) throws(PipelineError) -> (result: FrameResult, findings: FaceFindings?) {
        var job = job
        job.findings = findings
        var found: FaceFindings?
        var detector: any FaceDetector = WholePicture()
        let pipeline = FramePipeline(job: job, header: header, limits: Self.limits, cancellation: Cancellation())
        let result = try pipeline.run(detector: &detector) { found = $0 }
        return (result, found)
    }

    /// Makes plans of several kinds with what was found, as requests that come later do.
    func frame(_ findings: FaceFindings) {
        for (gravity, fit, zoom) in [(Gravity.faces, Fit.cover, 0.0), (.face(2), .pad, 1), (.attention, .cover, 0.5)] {
            var job = job
            job.answer = .plan
            job.framing.gravity = gravity
            job.framing.fit = fit
            job.framing.zoom = zoom
            _ = try? TriedJob(job: job, header: header).run(findings)
        }
    }

    /// A detector that takes all that it is shown for a face.
    private struct WholePicture: FaceDetector {
        let name = TriedJob.detectorName
        let smallestDetectableSide = 40

        func detect(in image: LumaImage, threshold: Double) -> [Detection] {
            [Detection(box: PixelRect(image.size), confidence: 1)]
        }
    }
}
