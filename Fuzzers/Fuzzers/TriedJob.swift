import FaceDetection
import Framing
import Geometry
import Imaging
@testable import Pipeline
import TestImages

/// Jobs for a small image, one for each kind of output, which run without a worker.
struct TriedJob {
    let job: FrameJob
    private let header: ImageHeader

    static let detectorName = "whole"
    static let limits = PipelineLimits(decode: .ofFuzzers, maxResultPixels: 1 << 14)

    /// One job of each kind; the image is drawn once.
    static let all: [TriedJob] = {
        do {
            let source = try ImageEncoder.encode(TestImage.waves(PixelSize(width: 90, height: 80)), as: .png)
            let header = try ImageHeader.read(source)
            let output = ImageOutput()
            let responses: [FrameJob.Target] = [
                .image(output), .plan, .face(index: 1, output), .facePlan(index: 1), .crops(output), .portraits(output),
                .debug(output, showsCrop: true),
            ]
            var jobs = responses.map { response in
                var job = FrameJob(source: source, target: response)
                job.options.aspects = [AspectRatio(PixelSize(width: 1, height: 1))]
                return job
            }
            var part = jobs[0]
            part.options.region = Region(x: .share(0.1), y: .pixels(3), width: .share(0.8), height: .pixels(70))
            let focal = Region(x: .share(0.2), y: .share(0.2), width: .share(1), height: .pixels(9))
            part.options.framing.focal = [FocalArea(focal)]
            part.options.turn = .right
            part.options.trim = 3
            part.options.key = ChromaKey(color: nil)
            part.options.filters = [.blur(7), .sepia, .sharpen(2), .vignette]
            jobs.append(part)
            return jobs.map { TriedJob(job: $0, header: header) }
        } catch {
            preconditionFailure("a drawn image cannot be read: \(error)")
        }
    }()

    /// Runs the job, with earlier detections or with a new search.
    func run(_ findings: DetectionResult? = nil) -> JobOutcome {
        var job = job
        job.findings = findings
        var pipeline = FramePipeline(
            job: job,
            header: header,
            limits: Self.limits,
            context: JobContext(),
            search: PyramidSearch(WholeImage(), subjects: nil)
        )
        return pipeline.run()
    }

    /// Computes several kinds of plans from cached detections, as later requests do.
    func frame(_ findings: DetectionResult) {
        for (gravity, fit, zoom) in [(Gravity.faces, Fit.cover, 0.0), (.face(2), .pad, 1), (.attention, .cover, 0.5)] {
            var job = job
            job.target = .plan
            job.options.framing.gravity = gravity
            job.options.framing.fit = fit
            job.options.framing.zoom = zoom
            _ = TriedJob(job: job, header: header).run(findings)
        }
    }

    /// A detector that reports the whole image as a face.
    private struct WholeImage: FaceDetector {
        let name = TriedJob.detectorName
        let smallestDetectableSide = 40

        func detect(in image: LumaImage, threshold: Double) -> [Detection] {
            [Detection(box: PixelRect(image.size), confidence: 1)]
        }
    }
}
