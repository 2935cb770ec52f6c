/// A parameter of requests; each parameter is a row of the table.
///
/// Queries, forms, JSON objects, the command line and the clients use the same names. The rows define the parameters of
/// each route and the checks of combinations. Tests use the rows to generate the parameter descriptions in
/// openapi.yaml, docs/parameters.md, the playground controls, the parameter lists of the clients, and the dictionary of
/// the fuzzer.
package final class Parameter: Sendable {
    /// The responses that a parameter affects.
    package struct Routes: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let frame = Routes(rawValue: 1)
        /// The images of faces: `/faces/N`, and `/faces` as an archive or a multipart body.
        package static let portraits = Routes(rawValue: 2)
        /// The list of `/faces`.
        package static let list = Routes(rawValue: 4)
        /// The annotated image of `/faces`.
        package static let annotated = Routes(rawValue: 8)
        package static let stream = Routes(rawValue: 16)

        /// All images except streams.
        package static let images: Routes = [.frame, .portraits]
        package static let all: Routes = [.frame, .portraits, .list, .annotated, .stream]
    }

    /// The default of a parameter.
    package enum Standard: Hashable, Sendable, ExpressibleByStringLiteral {
        /// No default, or a default that is described in the help text.
        case none
        /// An absent parameter has this value.
        case value(String)
        /// A default that is not a value of the parameter, such as "the whole source".
        case described(String)

        package init(stringLiteral value: String) { self = .value(value) }
    }

    /// A different description or different values of a parameter in openapi.yaml, for routes other than `/frame`.
    package struct Variant: Sendable {
        package var routes: Routes
        package var component: String
        /// The values; nil if they are the same as for `/frame`.
        package var values: ParameterValues?
    }

    /// The control of the parameter on the page at `/`.
    package struct Control: Sendable {
        /// The groups of controls, in the order of the page.
        package enum Group: String, CaseIterable, Sendable {
            case size = "Size"
            case framing = "Framing"
            case effects = "Effects"
            case file = "File"
            case areas = "Areas and detection"
            case bars = "Bars and pixels"
            case key = "Green screen"
            case mark = "Watermark"
            case animation = "Animation and version"

            /// Whether the group is initially open.
            package var isOpen: Bool { [.size, .framing, .effects].contains(self) }
        }

        package let group: Group
        package let label: String
        /// An example value that an empty field shows.
        package let placeholder: String
        /// Whether the control fills a whole row.
        package let isWide: Bool
        /// The words that the control offers; nil for all words of the parameter.
        package let words: [String]?

        /// Creates a control; an empty field shows the placeholder.
        package static func control(
            _ label: String,
            in group: Group,
            placeholder: String = "",
            isWide: Bool = false,
            words: [String]? = nil
        ) -> Control {
            Control(group: group, label: label, placeholder: placeholder, isWide: isWide, words: words)
        }
    }

    /// Other parameters that are rejected in combination with this parameter.
    package struct Exclusion: Sendable {
        let others: [Parameter]
        /// Whether the error names the other parameter instead of this one.
        let refusesOther: Bool
        let applies: @Sendable (FrameParameters) -> Bool
        /// The end of the sentence "X is not allowed …".
        let reason: @Sendable (_ other: Parameter, _ parameters: FrameParameters) -> String

        static func refuses(
            _ others: [Parameter],
            when applies: @escaping @Sendable (FrameParameters) -> Bool,
            _ reason: @escaping @Sendable (Parameter, FrameParameters) -> String
        ) -> Exclusion {
            Exclusion(others: others, refusesOther: true, applies: applies, reason: reason)
        }

        static func isRefused(
            with others: [Parameter],
            when applies: @escaping @Sendable (FrameParameters) -> Bool = { _ in true },
            _ reason: @escaping @Sendable (Parameter, FrameParameters) -> String
        ) -> Exclusion {
            Exclusion(others: others, refusesOther: false, applies: applies, reason: reason)
        }
    }

    /// The name in a query.
    ///
    /// The command line uses a different form, such as `--min-face` for `minFace`.
    package let name: String
    package let values: ParameterValues
    package let standard: Standard
    package let routes: Routes
    /// The help text, one or more sentences.
    ///
    /// Names of other parameters are in backticks.
    package let help: String
    /// The help text of `headroom frame`, `check` and `batch` if they accept other values; nil for ``help``.
    package let commandHelp: String?
    /// The section of the documentation with more details.
    package let link: String?
    /// The variants.
    ///
    /// A route uses the first variant whose ``Variant/routes`` include one of the route's responses.
    package let variants: [Variant]
    package let control: Control?

    private let needed: @Sendable () -> Parameter?
    private let exclusions: @Sendable () -> [Exclusion]
    private let reads: @Sendable (Parameter, inout ParameterReader, inout FrameParameters) -> Void

    /// Creates a row that assigns the parsed value to a property.
    ///
    /// - Parameters:
    ///   - name: The name in a query.
    ///   - form: Parses a value.
    ///   - standard: The value if the parameter is absent, for documents.
    ///   - path: The property that gets the value.
    ///   - routes: The responses that the parameter affects.
    ///   - needs: The parameter that this parameter requires; nil for none.
    ///   - excludes: The combinations that are rejected.
    ///   - help: For the command line, the playground and docs/parameters.md.
    ///   - commandHelp: For the command line, if it accepts other values.
    ///   - link: The section of the documentation with more details.
    ///   - variants: Other descriptions for routes other than `/frame`.
    ///   - control: The control of the playground; nil for none.
    package convenience init<Value>(
        _ name: String,
        _ form: ParameterForm<Value>,
        default standard: Standard = .none,
        sets path: any WritableKeyPath<FrameParameters, Value> & Sendable,
        routes: Routes,
        needs: @escaping @autoclosure @Sendable () -> Parameter? = nil,
        excludes: @escaping @autoclosure @Sendable () -> [Exclusion] = [],
        help: String,
        commandHelp: String? = nil,
        link: String? = nil,
        variants: [Variant] = [],
        control: Control? = nil
    ) {
        self.init(name, form.values, standard, routes, needs, excludes, help, commandHelp, link, variants, control) {
            if let value = $1.value($0, form) { $2[keyPath: path] = value }
        }
    }

    /// Creates a row for a property that is nil if the parameter is absent.
    ///
    /// The arguments are the same as in the other initialiser.
    package convenience init<Value>(
        _ name: String,
        _ form: ParameterForm<Value>,
        default standard: Standard = .none,
        sets path: any WritableKeyPath<FrameParameters, Value?> & Sendable,
        routes: Routes,
        needs: @escaping @autoclosure @Sendable () -> Parameter? = nil,
        excludes: @escaping @autoclosure @Sendable () -> [Exclusion] = [],
        help: String,
        commandHelp: String? = nil,
        link: String? = nil,
        variants: [Variant] = [],
        control: Control? = nil
    ) {
        self.init(name, form.values, standard, routes, needs, excludes, help, commandHelp, link, variants, control) {
            if let value = $1.value($0, form) { $2[keyPath: path] = value }
        }
    }

    private init(
        _ name: String,
        _ values: ParameterValues,
        _ standard: Standard,
        _ routes: Routes,
        _ needed: @escaping @Sendable () -> Parameter?,
        _ exclusions: @escaping @Sendable () -> [Exclusion],
        _ help: String,
        _ commandHelp: String?,
        _ link: String?,
        _ variants: [Variant],
        _ control: Control?,
        _ reads: @escaping @Sendable (Parameter, inout ParameterReader, inout FrameParameters) -> Void
    ) {
        self.name = name
        self.values = values
        self.standard = standard
        self.routes = routes
        self.needed = needed
        self.exclusions = exclusions
        self.help = help
        self.commandHelp = commandHelp
        self.link = link
        self.variants = variants
        self.control = control
        self.reads = reads
    }

    /// The separator between several values, as a word for messages; nil for a parameter with one value.
    var separator: String? {
        switch self {
        case .aspect, .filter, .overlay, .redact: "commas"
        case .focus, .redactAreas: "semicolons"
        default: nil
        }
    }

    /// The parameter that this parameter requires; nil for none.
    package var needs: Parameter? { needed() }

    /// Parses the value from the reader, and sets it.
    func read(_ reader: inout ParameterReader, _ parameters: inout FrameParameters) {
        reads(self, &reader, &parameters)
    }

    /// Rejects combinations with other parameters.
    func check(_ reader: inout ParameterReader, _ parameters: FrameParameters) {
        if let needs, reader.text(needs) == nil {
            reader.refuse(self, breaks: "requires \(needs.phrase)", byEveryValue: true)
        }
        for exclusion in exclusions() {
            for other in exclusion.others where reader.text(other) != nil && exclusion.applies(parameters) {
                let refused = exclusion.refusesOther ? other : self
                reader.refuse(refused, breaks: "is not allowed \(exclusion.reason(other, parameters))")
            }
        }
    }

    /// The name, together with the value if only one value is possible.
    private var phrase: String {
        if case .words(let words) = values.kind, words.count == 1 { "\(name)=\(words[0])" } else { name }
    }
}

extension Parameter: Hashable, CustomStringConvertible {
    package static func == (left: Parameter, right: Parameter) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    package var description: String { name }
}
