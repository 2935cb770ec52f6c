import ArgumentParser
import Pipeline
import Requests

/// `headroom frame`: crops files.
struct FrameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frame",
        abstract: "Crops images around the people in them.",
        discussion: """
            A folder means all images below it. The output folder gets the same subfolders.

            EXAMPLES
              headroom frame team.jpg --aspect 16:9 --output wide.jpg
              headroom frame photos/ more/a.png --aspect 1:1 --width 400 --output avatars/
              headroom frame - --aspect 4:5 < in.jpg > out.jpg
              curl -fsSL https://example.com/a.jpg | headroom frame - --aspect 1:1 > a.jpg
              headroom frame team.jpg --aspect 16:9,1:1,9:16 --json
            """
    )

    @Argument(help: ArgumentHelp(ImageOptions.inputsHelp, valueName: "image"))
    var inputs: [String]

    @Option(
        "A file, a folder, or - for standard output. (default: - for a single image)",
        value: "path",
        name: .shortAndLong
    )
    var output: String?

    @Flag(help: "Print the plans as JSON, one line per image, instead of writing crops.")
    var json = false

    @OptionGroup(title: "Crop") var image: ImageOptions

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    func run() async throws {
        var settings = try ImageSettings(
            self.image.pairs,
            detection,
            wantsImage: !json,
            overlays: self.image.overlays
        )
        if json, output != nil {
            throw CommandFailure.usage("--output is not allowed with --json; redirect the output")
        }
        let inputs = try ImageInput.all(self.inputs)
        let output: ImageFileOutput
        if json {
            output = .standardOutput
        } else {
            settings.format = settings.format ?? ImageFileOutput.format(named: self.output)
            output = try ImageFileOutput(self.output, inputs: inputs, format: settings.format)
        }
        try await ImageBatch(inputs, settings).run(printsLines: json, counts: json ? nil : "written") {
            input,
            result in
            if let image = result.image {
                try output.write(image, of: input)
                if result.plan.coveredHeads == 0 {
                    StandardStream.error.writeLine("\(input.name): --redact covers no head: no matching head was found")
                }
                if let key = result.plan.borderKey, key == .none {
                    let reason = "the borders have no colour that can be removed"
                    StandardStream.error.writeLine(
                        "\(input.name): --chroma-key=auto makes nothing transparent: \(reason)"
                    )
                }
            } else {
                let plan = PlanDocument(result.plan, crops: true)
                try StandardStream.output.write(json: FileDocument(file: input.name, plan: plan))
            }
        }
    }
}

/// The options for redaction: the faces and areas to make unrecognisable, and the style.
struct RedactionOptions: ParsableArguments {
    @Option(.redact) var redact: String?
    @Option(.redactFaces) var redactFaces: String?
    @Option(.redactShape) var redactShape: String?
    @Option(.redactAreas) var redactAreas: String?
}

extension Option where Value == String? {
    init(_ parameter: Parameter) { self.init(help: parameter.argumentHelp) }

    /// An option as text, with its help and the placeholder of its value.
    init(_ help: String, value placeholder: String, name: NameSpecification = .long) {
        self.init(name: name, help: ArgumentHelp(help, valueName: placeholder))
    }
}

extension Flag where Value == Bool {
    init(wrappedValue: Bool, _ parameter: Parameter) {
        self.init(wrappedValue: wrappedValue, help: parameter.argumentHelp)
    }
}

extension Parameter {
    fileprivate var argumentHelp: ArgumentHelp {
        let help = commandHelp ?? self.help
        var notes: [String] = []
        switch values.kind {
        case .words(let words): notes.append(words.joined(separator: ", "))
        case .decimal(let range):
            notes.append("\(ParameterValues.short(range.lowerBound)) to \(ParameterValues.short(range.upperBound))")
        case .whole(let range): notes.append("\(range.lowerBound) to \(range.upperBound)")
        case .boolean, .text: break
        }
        switch standard {
        case .value(let text) where values.kind != .boolean: notes.append("default: \(Self.withOptions(text))")
        case .described(let text): notes.append("default: \(Self.withOptions(text))")
        case .value, .none: break
        }
        if let old = DeprecatedName.ofParameter(name)?.old { notes.append("old name: \(Self.optionName(old))") }
        let text = notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
        return ArgumentHelp(Self.withOptions(text), valueName: values.placeholder)
    }

    /// The text with each parameter name in backticks replaced by its option: `--min-face` for `minFace`.
    private static func withOptions(_ text: String) -> String {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .map { $0 % 2 == 0 ? String($1) : optionName(String($1)) }
            .joined()
    }
}
