import FaceDetection
import FramePipeline
import Foundation
import HeadroomAPI

/// Works on many pictures at once and hands the results on in the order of the inputs.
struct PictureBatch {
    let inputs: [PictureInput]
    let service: FrameService
    let concurrency: Int

    /// Makes a service with as many workers as asked.
    init(inputs: [PictureInput], options: DetectionOptions) throws {
        self.inputs = inputs
        let choice = options.detector.map(DetectorChoice.init) ?? .standard
        guard let choice else {
            throw CommandFailure(
                "--detector=\(options.detector ?? "") is not valid: expected \(DetectorChoice.expected)"
            )
        }
        let workers = options.workers ?? ProcessInfo.processInfo.activeProcessorCount
        guard (1...1024).contains(workers) else {
            throw CommandFailure("--workers=\(workers) is not valid: expected a whole number from 1 to 1024")
        }
        concurrency = min(workers, inputs.count)
        do {
            service = try FrameService(
                model: try choice.model(),
                limits: PipelineLimits(),
                pool: .init(workers: concurrency, queueLimit: concurrency * 2, maxBytesInFlight: 4 << 30)
            )
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// Runs a job for every picture.
    ///
    /// A picture that fails is reported and does not stop the others.
    ///
    /// - Returns: Whether all went well.
    func run(
        _ job: @escaping @Sendable ([UInt8]) -> FrameJob,
        finish: (PictureInput, FrameResult) throws -> Void
    ) async -> Bool {
        var progress = Progress(total: inputs.count)
        var succeeded = true
        var results: [Int: Result<FrameResult, CommandFailure>] = [:]
        var nextToFinish = 0
        await withTaskGroup(of: (Int, Result<FrameResult, CommandFailure>).self) { group in
            var nextToStart = 0
            func startNext() {
                guard nextToStart < inputs.count else { return }
                let index = nextToStart
                nextToStart += 1
                group.addTask { (index, await result(of: inputs[index], job)) }
            }
            for _ in 0..<concurrency { startNext() }
            for await (index, result) in group {
                results[index] = result
                startNext()
                while let result = results.removeValue(forKey: nextToFinish) {
                    do {
                        try finish(inputs[nextToFinish], try result.get())
                    } catch {
                        succeeded = false
                        progress.report("\(error)")
                    }
                    progress.advance()
                    nextToFinish += 1
                }
            }
        }
        return succeeded
    }

    private func result(
        of input: PictureInput,
        _ job: @Sendable ([UInt8]) -> FrameJob
    ) async -> Result<FrameResult, CommandFailure> {
        do {
            return .success(try await service.run(job(try input.read())))
        } catch let error as PipelineError {
            return .failure(CommandFailure("\(input.name): \(Problem(error).detail)"))
        } catch {
            return .failure(CommandFailure("\(error)"))
        }
    }
}
