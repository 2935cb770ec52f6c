import ArgumentParser
import FaceDetection
import Foundation
import Framing
import Geometry
import Imaging
import Pipeline
import Requests
import Workers

/// Processes pictures concurrently and returns the results in the order of the inputs.
struct PictureBatch {
    private let inputs: [PictureInput]
    private let settings: PictureSettings
    private let service: WorkerService
    private let concurrency: Int

    /// Creates a service with the requested number of workers, but no more than there are pictures.
    init(_ inputs: [PictureInput], _ settings: PictureSettings) throws(CommandFailure) {
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

    /// Runs a job for every picture.
    ///
    /// A picture that fails is reported and does not stop the others.
    ///
    /// - Parameters:
    ///   - printsLines: Whether `finish` writes lines to standard output.
    ///   - what: What was done, such as `written`, for the count at the end of several pictures; nil for no count.
    ///   - finish: Receives the results in the order of the inputs.
    /// - Throws: `ExitCode.failure` if a picture failed, or the error of `finish`, which stops the batch.
    func run(
        printsLines: Bool,
        counts what: String? = nil,
        finish: (PictureInput, FrameResult) throws -> Void
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
            let done = (inputs.count - failures).counted("picture")
            StandardStream.error.writeLine("\(done) \(what)\(failures > 0 ? ", \(failures) failed" : "")")
        }
        if failures > 0 { throw ExitCode.failure }
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

    /// Draws an empty bar, unless there is a single picture, or lines are written to a terminal meanwhile.
    init(total: Int, printsLines: Bool) {
        self.total = total
        let isDisturbed = printsLines && StandardStream.output.isTerminal
        isShown = total > 1 && StandardStream.error.isTerminal && !isDisturbed
        draw(ending: "")
    }

    mutating func advance() {
        done += 1
        draw(ending: done == total ? "\n" : "")
    }

    func report(_ line: String) {
        StandardStream.error.writeLine(line, isRedrawn: isShown)
        draw(ending: "")
    }

    private func draw(ending: String) {
        guard isShown else { return }
        let filled = Self.width * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        try? StandardStream.error.write(Array("\r\(bar) \(done)/\(total)\(ending)".utf8))
    }
}

/// The validated options of `frame` and `faces`, with the names and rules of the HTTP parameters.
struct PictureSettings {
    let detector: DetectorChoice
    let workers: Int
    /// The format of crops; nil keeps each picture's own.
    var format: ImageFormat?
    /// Whether the picture and all of its crops are rendered small, for ``ContactSheet``.
    var makesSheet = false
    private let parameters: FrameParameters
    private let wantsImage: Bool
    private var drawn = OverlaySet.Drawn()

    /// Validates names and values in the form of a query.
    ///
    /// - Throws: A ``CommandFailure`` that names every invalid value.
    init(
        _ pairs: [(name: String, value: String)],
        _ detection: DetectionOptions,
        wantsImage: Bool,
        overlays: String? = nil
    ) throws(CommandFailure) {
        self.wantsImage = wantsImage
        // Variables for the service do not affect commands for files.
        var reader = SettingsReader(environment: [:])
        workers = reader.value(Settings.workers, detection.workers)
        detector = reader.value(Settings.detector, detection.detector)
        do {
            parameters = try FrameParameters(pairs + detection.givenParameters, known: Parameter.all, hints: nil)
        } catch {
            throw .usage(error.all.map(Self.sentence) + reader.errors)
        }
        do {
            drawn = try OverlayFolder.overlays(overlays).drawn(by: parameters)
        } catch let failure as CommandFailure {
            failure.reasons.forEach { reader.refuse($0) }
        } catch let errors as ParameterErrors {
            errors.all.forEach { reader.refuse(Self.sentence($0)) }
        } catch {
            reader.refuse("\(error)")
        }
        if case .image(let format) = parameters.format { self.format = format }
        if parameters.options.isLossless { format = .jpeg }
        if wantsImage, parameters.options.aspects.count > 1 {
            reader.refuse("--aspect with several shapes requires --json.")
        }
        if parameters.format == .focus {
            reader.refuse("--format=focus is not valid: use headroom faces --focus for focal points.")
        }
        if [.html, .zip, .multipart].contains(parameters.format) {
            reader.refuse("--format=\(parameters.format.word) is not valid: only headroom serve supports it.")
        }
        if parameters.format == .json { reader.refuse("--format=json is not valid: use --json for the plan.") }
        if !reader.errors.isEmpty { throw .usage(reader.errors) }
    }

    func job(source bytes: [UInt8]) -> FrameJob {
        let source = SourceBytes(bytes)
        if makesSheet {
            var options = parameters.options
            options.stickers = drawn.stickers
            options.mark = drawn.mark
            options.aspects.insert(nil, at: 0)
            options.resultSize.height = ContactSheet.rowHeight
            let output = ImageOutput(format: .jpeg, quality: 70)
            return FrameJob(source: source, answer: .crops(output), options: options)
        }
        return Negotiation(files: parameters, format: format, wantsPictures: wantsImage)
            .job(source: source, parameters: parameters, drawn: drawn)
    }

    /// The message about an option, which is spelt `--min-face` if the parameter is `minFace`.
    static func sentence(_ error: ParameterError) -> String {
        var error = error
        error.name = Parameter.optionName(error.name)
        return error.sentence
    }
}
