import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import Workers

/// Computes crops in the same way as the service, one at a time.
struct CropBenchmark {
    let accuracy: Accuracy
    let seconds: Double

    struct Result: Encodable {
        /// The number of crops, and their wall clock and processor time in seconds.
        var images = 0
        var seconds = 0.0
        var processor = 0.0
        /// Milliseconds per image of each stage.
        var stages: [String: Double] = [:]
    }

    init?(accuracy: String, seconds: String) {
        guard let accuracy = Accuracy(rawValue: accuracy), let seconds = Double(seconds), seconds > 0 else {
            return nil
        }
        self.accuracy = accuracy
        self.seconds = seconds
    }

    func run(_ files: [SourceFile]) async throws -> Result {
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 1, maxBytesInFlight: 1 << 30)
        )
        for file in files { _ = try await service.run(job(for: file)) }
        var result = Result()
        let start = ContinuousClock.now
        let processorStart = ProcessorTime.ofProcess
        while result.seconds < seconds || result.images % files.count != 0 {
            let times = try await service.run(job(for: files[result.images % files.count])).times
            for (name, time) in [("decode", times.decode), ("detect", times.detect), ("encode", times.encode)] {
                result.stages[name, default: 0] += time / .milliseconds(1)
            }
            result.images += 1
            result.seconds = (ContinuousClock.now - start) / .seconds(1)
        }
        result.processor = ProcessorTime.ofProcess - processorStart
        result.stages = result.stages.mapValues { $0 / Double(result.images) }
        return result
    }

    private func job(for file: SourceFile) -> FrameJob {
        var job = FrameJob(source: file.bytes, target: .image(ImageOutput()))
        job.options.accuracy = accuracy
        job.options.resultSize.width = 400
        job.options.resultSize.height = 300
        job.options.aspects = [AspectRatio(PixelSize(width: 400, height: 300))]
        return job
    }
}
