import Framing
import UntrustedText

/// Parses the values of parameters and collects errors.
struct ParameterReader {
    private(set) var values: [Parameter: String] = [:]
    private(set) var errors: [ParameterError] = []
    private let known: [Parameter]
    private let formats: [String]?
    private let takesHints: Bool

    /// Reads pairs whose names are valid ``ParameterName`` values.
    ///
    /// - Parameters:
    ///   - pairs: The names and values.
    ///   - known: The parameters that the route supports.
    ///   - formats: The values of `format` that the route supports, for messages; nil for all values.
    ///   - takesHints: Whether values may be `auto`, for messages.
    init(
        _ pairs: [(name: String, value: String)],
        known: [Parameter],
        formats: [String]? = nil,
        takesHints: Bool = false
    ) {
        self.known = known
        self.formats = formats
        self.takesHints = takesHints
        var unknownNames = 0
        for (name, value) in pairs {
            guard let parameter = Parameter.named(name), known.contains(parameter) else {
                if let error = Self.bracketed(name, value: value, known: known) {
                    errors.append(error)
                    continue
                }
                unknownNames += 1
                errors.append(
                    unknownNames > Self.maxAdvised
                        ? ParameterError(name: name, received: value, expected: "a known name", isUnknown: true)
                        : UnknownParameter.error(name, value: value, known: known)
                )
                continue
            }
            if [.url, .backdropURL].contains(parameter), value.bytes.begins(with: "data:") {
                errors.append(Self.dataURL(parameter, value, known))
                continue
            }
            guard value.utf8.count <= FrameParameters.maxValueBytes else {
                let expected = "at most \(FrameParameters.maxValueBytes) bytes"
                errors.append(ParameterError(name: name, received: value, expected: expected))
                continue
            }
            if values.updateValue(value, forKey: parameter) != nil {
                let expected = "\(name) only once"
                let advice = parameter.separator.map { ": separate the values with \($0)" } ?? ""
                var error = ParameterError(
                    name: name,
                    received: value,
                    breaks: "is allowed only once\(advice)",
                    expected: expected
                )
                error.mayBelongToURL = true
                errors.append(error)
            }
        }
    }

    /// Returns the error for a `data:` URL in a parameter.
    ///
    /// If the route accepts `data:` URLs, the error names the right place for them.
    private static func dataURL(_ parameter: Parameter, _ value: String, _ known: [Parameter]) -> ParameterError {
        // Uploads to the stream route are frames.
        let takesImages = parameter == .url && !known.contains(.lookAhead)
        let advice =
            takesImages
            ? "POST the image, or send the data: URL in the JSON member or the form field image"
            : "expected an http or https URL"
        return ParameterError(
            name: parameter.name,
            received: value,
            breaks: "does not accept data: URLs; \(advice)",
            expected: "an http or https URL"
        )
    }

    /// The maximum number of unknown names that get advice.
    private static let maxAdvised = 8

    /// Returns the error for a known list whose name has brackets; nil for other names.
    ///
    /// PHP, Rails, qs and axios write lists as `filter[]=a&filter[]=b` or `filter[0]=a`.
    private static func bracketed(_ name: String, value: String, known: [Parameter]) -> ParameterError? {
        guard name.bytes.hasSuffix("]"), let base = Parameter.named(String(name.bytes.prefix(before: "["))),
            known.contains(base)
        else { return nil }
        let advice = base.separator.map { ", and separate the values with \($0)" } ?? ""
        return ParameterError(
            name: name,
            received: value,
            breaks: "is not a parameter: write \(base.name) once\(advice)",
            expected: base.name
        )
    }

    /// Whether the route has a parameter.
    ///
    /// Messages name only parameters of the route.
    func has(_ parameter: Parameter) -> Bool { known.contains(parameter) }

    /// Returns the value as received; nil when it is absent.
    func text(_ name: Parameter) -> String? { values[name] }

    /// Returns the parsed value; nil if it is absent or invalid.
    ///
    /// An invalid value is recorded as an error.
    mutating func value<Value>(_ name: Parameter, _ form: ParameterForm<Value>) -> Value? {
        guard let text = values[name] else { return nil }
        if form.takesUnicode || text.bytes.isASCII, let value = form.parse(text) { return value }
        refuse(name, expected: expected(name, form.expected))
        return nil
    }

    /// Returns the values of a parameter that the route accepts, for messages; `all` are the values of its form.
    private func expected(_ name: Parameter, _ all: String) -> String {
        let isStream = known.contains(.lookAhead) && !known.contains(.download)
        let hint = ClientHints.word
        let pixels = "a whole number of pixels from 1 to \(FrameParameters.maxSide)"
        let quality = "a whole number from 1 to 100"
        return switch name {
        case .gravity: values[name].flatMap(WantedClass.expected) ?? all
        case .format: formats.map { "one of \($0.joined(separator: ", "))" } ?? all
        case .width where isStream, .height where isStream: pixels
        case .quality where isStream: quality
        case .width where takesHints: "\(pixels), a percentage, for example 50%, or \(hint)"
        case .dpr where takesHints: "\(all), or \(hint)"
        case .quality: takesHints ? "\(quality), source or \(hint)" : "\(quality), or source"
        default: all
        }
    }

    mutating func refuse(_ name: Parameter, expected: String) {
        errors.append(ParameterError(name: name.name, received: values[name], expected: expected))
    }

    /// Records that a parameter breaks a rule, such as "is not allowed with width=auto".
    ///
    /// The message contains the value if the parameter has few values, unless every value breaks the rule.
    mutating func refuse(_ name: Parameter, breaks rule: String, byEveryValue: Bool = false) {
        let value: String? =
            switch name.values.kind {
            case .words, .boolean: byEveryValue ? nil : values[name]
            default: nil
            }
        errors.append(ParameterError(name: name.name, received: values[name], value: value, breaks: rule))
    }
}
