import Framing
import Imaging
import Pipeline
import Requests

/// The validated options of `frame` and `faces`, with the names and rules of the HTTP parameters.
struct ImageSettings {
    let detector: DetectorChoice
    let workers: Int
    /// The format of crops; nil keeps the format of each image.
    var format: OutputFormat?
    /// Whether the image and all of its crops are rendered small, for ``ContactSheet``.
    var makesSheet = false
    private let parameters: FrameParameters
    private let wantsImage: Bool
    private var drawn = OverlaySet.Drawn()

    /// Validates names and values in the form of a query.
    ///
    /// - Throws: A ``CommandFailure`` with every invalid value.
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
            let errors = error.all.map { error in
                var error = error
                if error.name == Parameter.format.name, !error.isUnknown { error.expected = Self.expectedFormat }
                return Self.sentence(error)
            }
            throw .usage(errors + reader.errors)
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
            reader.refuse("--aspect with several ratios requires --json.")
        }
        if let advice = Self.advice(onFormat: parameters.format) {
            reader.refuse("--format=\(parameters.format.word) is not valid: \(advice).")
        }
        if !reader.errors.isEmpty { throw .usage(reader.errors) }
        DeprecatedName.warn(parameters.deprecated)
    }

    /// Returns advice on a format that commands for files do not write; nil for a format that they write.
    private static func advice(onFormat format: FrameParameters.Format) -> String? {
        switch format {
        case .auto, .source, .image, .debug: nil
        case .json: "use --json for the plan"
        case .focus: "use headroom faces --focus for focal points"
        case .html, .zip, .multipart, .video: "only headroom serve supports it"
        }
    }

    /// The formats that commands for files write, for messages.
    private static let expectedFormat: String = {
        let words = FrameParameters.Format.words.filter { word in
            FrameParameters.Format(word).map { Self.advice(onFormat: $0) == nil } ?? false
        }
        return "one of \(words.joined(separator: ", "))"
    }()

    func job(source bytes: [UInt8]) -> FrameJob {
        let source = SourceBytes(bytes)
        if makesSheet {
            var options = parameters.options
            options.stickers = drawn.stickers
            options.mark = drawn.mark
            options.aspects.insert(nil, at: 0)
            options.resultSize.height = ContactSheet.rowHeight
            let output = ImageOutput(format: .jpeg, quality: 70)
            return FrameJob(source: source, target: .crops(output), options: options)
        }
        return Negotiation(files: parameters, format: format, wantsImages: wantsImage)
            .job(source: source, parameters: parameters, drawn: drawn)
    }

    /// The message about an option, spelt as `--min-face` for the parameter `minFace`.
    ///
    /// An option that it requires is spelt in the same way.
    static func sentence(_ error: ParameterError) -> String {
        var error = error
        error.name = Parameter.optionName(error.name)
        let prefix = "requires "
        if let rule = error.rule, rule.hasPrefix(prefix) {
            let needed = rule.dropFirst(prefix.count)
            let name = String(needed.prefix { $0 != "=" && $0 != " " })
            if Parameter.named(name) != nil {
                error.rule = prefix + Parameter.optionName(name) + needed.dropFirst(name.count)
            }
        }
        return error.sentence
    }
}
