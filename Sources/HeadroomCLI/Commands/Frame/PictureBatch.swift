import ArgumentParser
import FaceDetection
import Foundation
import Pipeline
import Requests
import Workers

/// Processes pictures concurrently and returns the results in the order of the inputs.
struct PictureBatch {
    private let inputs: [PictureInput]
    private let settings: PictureSettings
    private let service: FrameService
    private let concurrency: Int

    /// Creates a service with the requested number of workers, but no more than there are pictures.
    init(inputs: [PictureInput], settings: PictureSettings) throws(CommandFailure) {
        self.inputs = inputs
        self.settings = settings
        concurrency = min(settings.workers, inputs.count)
        do {
            service = try FrameService(
                model: try settings.detector.model(),
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
    /// - Parameters:
    ///   - progress: The progress bar.
    ///   - finish: Receives the results in the order of the inputs.
    /// - Throws: `ExitCode.failure` if a picture failed, or the error of `finish`, which stops the batch.
    func run(_ progress: Progress, finish: (PictureInput, FrameResult) throws -> Void) async throws {
        var progress = progress
        var succeeded = true
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
                        succeeded = false
                        for reason in failure.reasons { progress.report(reason) }
                    }
                    progress.advance()
                    nextToFinish += 1
                }
            }
        }
        if !succeeded { throw ExitCode.failure }
    }

    private func result(of input: PictureInput) async -> Result<FrameResult, CommandFailure> {
        do {
            return .success(try await service.run(settings.job(source: try LocalFile.read(input.path))))
        } catch let error as PipelineError {
            return .failure(CommandFailure("\(input.name): \(Problem(error).detail)"))
        } catch let failure as CommandFailure {
            return .failure(failure)
        } catch {
            return .failure(CommandFailure("\(input.name): \(error)"))
        }
    }
}

/// A progress bar on standard error; hidden if that is not a terminal.
struct Progress {
    private let total: Int
    private var done = 0
    private let isShown: Bool
    private static let width = 30

    /// A bar at its beginning.
    ///
    /// - Parameters:
    ///   - total: The number of pictures; no bar is shown for a single one.
    ///   - printsLines: Whether lines are written to standard output meanwhile; on a terminal they show the progress.
    init(total: Int, printsLines: Bool) {
        self.total = total
        let isDisturbed = printsLines && StandardStream.output.isTerminal
        isShown = total > 1 && StandardStream.error.isTerminal && !isDisturbed
        draw(ending: "")
    }

    /// Counts one finished picture.
    mutating func advance() {
        done += 1
        draw(ending: done == total ? "\n" : "")
    }

    /// Prints a line above the bar.
    func report(_ line: String) {
        StandardStream.error.writeLine(isShown ? "\r\u{1B}[K\(line)" : line)
        draw(ending: "")
    }

    private func draw(ending: String) {
        guard isShown else { return }
        let filled = Self.width * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        try? StandardStream.error.write(Array("\r\(bar) \(done)/\(total)\(ending)".utf8))
    }
}
