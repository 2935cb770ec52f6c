import ArgumentParser
import Pipeline
import Requests
import Workers

/// Processes images concurrently and returns the results in the order of the inputs.
struct ImageBatch {
    private let inputs: [ImageInput]
    private let settings: ImageSettings
    private let service: WorkerService
    private let concurrency: Int

    /// Creates a service with the requested number of workers, but no more than there are images.
    init(_ inputs: [ImageInput], _ settings: ImageSettings) throws(CommandFailure) {
        self.inputs = inputs
        self.settings = settings
        concurrency = min(settings.workers, inputs.count)
        do {
            service = try WorkerService(
                model: try settings.detector.model(),
                limits: PipelineLimits(),
                pool: .init(workers: concurrency, queueLimit: concurrency * 2, maxBytesInFlight: 4 << 30)
            )
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// Runs a job for every image.
    ///
    /// An image that fails is reported and does not stop the others.
    ///
    /// - Parameters:
    ///   - printsLines: Whether `finish` writes lines to standard output.
    ///   - what: The action, such as `written`, for the final count of several images; nil for no count.
    ///   - finish: Receives the results in the order of the inputs.
    /// - Throws: `ExitCode.failure` if an image failed, or the error of `finish`, which stops the batch.
    func run(
        printsLines: Bool,
        counts what: String? = nil,
        finish: (ImageInput, FrameResult) throws -> Void
    ) async throws {
        var failures = 0
        var progress = Progress(total: inputs.count, printsLines: printsLines)
        var results: [Int: Result<FrameResult, CommandFailure>] = [:]
        var nextToFinish = 0
        try await withThrowingTaskGroup(of: (Int, Result<FrameResult, CommandFailure>).self) { group in
            var nextToStart = 0
            func startNext() {
                guard nextToStart < inputs.count else { return }
                let index = nextToStart
                nextToStart += 1
                group.addTask { (index, await result(of: inputs[index])) }
            }
            for _ in 0..<concurrency { startNext() }
            for try await (index, result) in group {
                results[index] = result
                startNext()
                while let result = results.removeValue(forKey: nextToFinish) {
                    do {
                        try finish(inputs[nextToFinish], try result.get())
                    } catch let failure as CommandFailure {
                        failures += 1
                        for reason in failure.reasons { progress.report(reason) }
                    }
                    progress.advance()
                    nextToFinish += 1
                }
            }
        }
        if let what, inputs.count > 1 {
            let done = (inputs.count - failures).counted("image")
            StandardStream.error.writeLine("\(done) \(what)\(failures > 0 ? ", \(failures) failed" : "")")
        }
        if failures > 0 { throw ExitCode.failure }
    }

    private func result(of input: ImageInput) async -> Result<FrameResult, CommandFailure> {
        do {
            return .success(try await service.run(settings.job(source: try LocalFile.read(input.path))))
        } catch let error as PipelineError {
            return .failure(CommandFailure("\(input.name): \(JobFailure(error).detail)"))
        } catch let failure as CommandFailure {
            return .failure(failure)
        } catch {
            return .failure(CommandFailure("\(input.name): \(error)"))
        }
    }
}
