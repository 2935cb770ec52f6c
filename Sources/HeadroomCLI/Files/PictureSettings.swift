import FramePipeline
import Foundation
import Framing
import HeadroomAPI
import ImageCodec

/// The checked options of `frame` and `faces`: the same words as the HTTP parameters, checked by the same rules.
struct PictureSettings {
    let detector: DetectorChoice
    let workers: Int
    /// The format of crops; nil keeps each picture's own.
    var format: ImageFormat?
    /// Whether the picture and all of its crops are made small, for ``ContactSheet``.
    var makesSheet = false
    private let parameters: FrameParameters
    private let wantsImage: Bool

    /// Checks names and values.
    ///
    /// - Throws: A ``CommandFailure`` that names every wrong value.
    init(_ picture: PictureOptions?, _ detection: DetectionOptions, wantsImage: Bool) throws(CommandFailure) {
        try self.init(picture?.pairs ?? [], detection, wantsImage: wantsImage)
    }

    /// Checks names and values, the first as a query would have them.
    ///
    /// - Throws: A ``CommandFailure`` that names every wrong value.
    init(
        _ pairs: [(name: String, value: String)],
        _ detection: DetectionOptions,
        wantsImage: Bool
    ) throws(CommandFailure) {
        self.wantsImage = wantsImage
        // A variable that is meant for the service does not change what a command does with files.
        var reader = SettingsReader(environment: [:])
        workers = reader.value(Settings.workers, detection.workers)
        detector = reader.value(Settings.detector, detection.detector)
        do {
            parameters = try FrameParameters(pairs + detection.pairs, known: ParameterName.allCases)
        } catch {
            throw .usage(error.all.map(Self.sentence) + reader.errors)
        }
        if case .image(let format) = parameters.format { self.format = format }
        if parameters.isLossless { format = .jpeg }
        if wantsImage, parameters.aspects.count > 1 {
            reader.refuse("--aspect with several shapes needs --json: a crop has one.")
        }
        if [.html, .zip, .multipart].contains(parameters.format) {
            reader.refuse("--format=\(parameters.format.word) is not valid: it is an answer of headroom serve.")
        }
        if parameters.format == .json { reader.refuse("--format=json is not valid: use --json for the plan.") }
        if !reader.errors.isEmpty { throw .usage(reader.errors) }
    }

    /// The job for one picture.
    func job(source: [UInt8]) -> FrameJob {
        if makesSheet {
            var job = parameters.job(source: source, answer: .crops(ImageOutput(format: .jpeg, quality: 70)))
            job.aspects.insert(nil, at: 0)
            job.resultSize.height = ContactSheet.rowHeight
            return job
        }
        let output = ImageOutput(format: format, quality: parameters.quality)
        if !wantsImage { return parameters.job(source: source, answer: .plan) }
        let isDebug = parameters.format == .debug
        return parameters.job(source: source, answer: isDebug ? .debug(output, showsCrop: true) : .image(output))
    }

    /// What is wrong with an option, which is spelt `--min-face` where the parameter is `minFace`.
    private static func sentence(_ error: ParameterError) -> String {
        var error = error
        error.name = error.name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
        return "--\(error.sentence)"
    }
}
