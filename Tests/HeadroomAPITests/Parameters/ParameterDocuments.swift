import HeadroomAPI
import Imaging
import Requests

/// Generates the parameter tables of documents and clients, as lines.
struct ParameterDocuments {
    /// The operations of openapi.yaml with parameters, for example `GET /frame`.
    ///
    /// Each operation has its own list: OpenAPI cannot refer to a list, and generators limit the aliases of YAML.
    static let operations: [(operation: String, routes: Parameter.Routes)] = {
        let paths: [(path: String, routes: Parameter.Routes)] = [
            ("/frame", .frame), ("/preset/{preset}", .frame), ("/faces", [.portraits, .list, .annotated]),
            ("/faces/{index}", .portraits), ("/stream", .stream),
        ]
        return paths.flatMap { path, routes in ["GET", "HEAD", "POST"].map { ("\($0) \(path)", routes) } }
    }()

    private let all: [Parameter]

    init(_ parameters: [Parameter]) { all = parameters }

    private func of(_ routes: Parameter.Routes) -> [Parameter] { all.filter { !$0.routes.isDisjoint(with: routes) } }

    /// The deprecated names of parameters, each with the parameter.
    private func deprecated(_ parameters: [Parameter]) -> [(name: DeprecatedName, parameter: Parameter)] {
        DeprecatedName.parameters.compactMap { name in
            parameters.first { $0.name == name.new }.map { (name, $0) }
        }
    }

    /// The values with the deprecated values, which are still accepted.
    private static func accepted(_ parameter: Parameter, _ values: ParameterValues) -> ParameterValues {
        guard case .words(let words) = values.kind else { return values }
        var values = values
        values.kind = .words(words + DeprecatedName.values(of: parameter.name).map(\.old))
        return values
    }

    // MARK: openapi.yaml

    /// The parameters of a route.
    func references(_ routes: Parameter.Routes) -> [String] {
        let names = of(routes).map { component($0, routes) } + deprecated(of(routes)).map(\.name.old)
        return names.map { "        - $ref: '#/components/parameters/\($0)'" }
    }

    /// The name of the component that describes a parameter for a route.
    private func component(_ parameter: Parameter, _ routes: Parameter.Routes) -> String {
        variant(parameter, routes)?.component ?? parameter.name
    }

    private func variant(_ parameter: Parameter, _ routes: Parameter.Routes) -> Parameter.Variant? {
        parameter.variants.first { !$0.routes.isDisjoint(with: routes) }
    }

    /// The name of the schema for a route.
    private func schema(_ parameter: Parameter, _ routes: Parameter.Routes) -> String {
        variant(parameter, routes).flatMap { $0.values == nil ? nil : $0.component } ?? parameter.name
    }

    /// The components, with the descriptions and examples from the file.
    func components(_ kept: [String]) -> [String] {
        var texts: [String: [String]] = [:]
        var name = ""
        for line in kept {
            if line.hasPrefix("    "), !line.hasPrefix("     "), line.hasSuffix(":") {
                name = String(line.dropFirst(4).dropLast())
            } else if ["      name: ", "      in: "].allSatisfy({ !line.hasPrefix($0) }) {
                texts[name, default: []].append(line)
            }
        }
        let old = deprecated(all).flatMap { name, parameter in
            [
                "    \(name.old):", "      name: \(name.old)", "      in: query", "      deprecated: true",
                "      description: Deprecated name of `\(name.new)`, which version \(DeprecatedName.removal) removes.",
                "      schema: { $ref: '#/components/schemas/\(parameter)' }",
            ]
        }
        return components(texts) + old
    }

    /// The components of all parameters, with the existing lines of the file for each component.
    private func components(_ texts: [String: [String]]) -> [String] {
        all.flatMap { parameter in
            let variants = parameter.variants.map { ($0.component, $0.values == nil ? parameter.name : $0.component) }
            return ([(parameter.name, parameter.name)] + variants).flatMap { component, schema in
                var text = texts[component] ?? ["      description: \(parameter.help.replacing(": ", with: " – "))"]
                text.removeAll { $0.hasPrefix("      schema: ") }
                let example = text.firstIndex { $0.hasPrefix("      example") } ?? text.endIndex
                text.insert("      schema: { $ref: '#/components/schemas/\(schema)' }", at: example)
                return ["    \(component):", "      name: \(parameter.name)", "      in: query"] + text
            }
        }
    }

    /// The schemas of query values.
    var schemas: [String] {
        all.flatMap { parameter in
            let variants = parameter.variants.compactMap { variant in
                variant.values.map { "    \(variant.component): \(Self.schema($0, parameter.standard))" }
            }
            let values = Self.accepted(parameter, parameter.values)
            return ["    \(parameter.name): \(Self.schema(values, parameter.standard))"] + variants
        }
    }

    /// The bodies of uploads and objects, and the schemas of object members.
    var bodies: [String] {
        let images: [(String, Parameter.Routes)] = [
            ("Frame", .frame), ("Faces", [.portraits, .list, .annotated]), ("Face", .portraits),
        ]
        let forms = images.flatMap { name, routes in
            [
                "    \(name)Form:",
                "      description: The image as the field `image`, as a file or as text, or its `url`; every other field is a parameter.",
                "      type: object", "      additionalProperties: false", "      properties:",
                "        image: { $ref: '#/components/schemas/ImageFile' }",
            ]
                + of(routes).map { "        \($0.name): { $ref: '#/components/schemas/\(schema($0, routes))' }" }
                + deprecated(of(routes)).map { name, parameter in
                    "        \(name.old): { $ref: '#/components/schemas/\(schema(parameter, routes))' }"
                }
        }
        let objects = images.flatMap { name, routes in
            [
                "    \(name)Object:", "      description: |",
                "        Parameters including `url`, at most 64 KiB without `image`. Numbers and booleans may be JSON values or strings.",
                "      type: object", "      additionalProperties: false", "      properties:",
                "        image: { $ref: '#/components/schemas/ImageText' }",
            ]
                + of(routes).map { "        \($0.name): { $ref: '#/components/schemas/\(member($0, routes))' }" }
                + deprecated(of(routes)).map { name, parameter in
                    "        \(name.old): { $ref: '#/components/schemas/\(member(parameter, routes))' }"
                }
        }
        let members = of(.images).compactMap { parameter in
            Self.member(parameter.values).map { "    \(parameter.name)Member: { \($0) }" }
        }
        let boolean =
            "    booleanMember: { anyOf: [{ type: boolean }, { type: integer, enum: [0, 1] }, "
            + "{ type: string, enum: ['true', 'false', '1', '0'] }] }"
        let comment =
            "    # Members of a JSON object: numbers and booleans as such, or as the strings that a query would hold."
        return forms + objects + [comment, boolean] + members
    }

    /// The name of the schema of a member of an object.
    private func member(_ parameter: Parameter, _ routes: Parameter.Routes) -> String {
        if parameter.values.kind == .boolean { return "booleanMember" }
        return Self.member(parameter.values).map { _ in "\(parameter.name)Member" } ?? schema(parameter, routes)
    }

    private static func schema(_ values: ParameterValues, _ standard: Parameter.Standard) -> String {
        let own =
            switch values.kind {
            case .words(let words): "type: string, enum: [\(words.map(quoted).joined(separator: ", "))]"
            case .boolean: "type: boolean"
            case .decimal(let range): "type: number, \(bounds(range))"
            case .whole(let range): "type: integer, minimum: \(range.lowerBound), maximum: \(range.upperBound)"
            case .text: "type: string"
            }
        let schema = values.schema ?? own
        guard case .value(let value) = standard else { return "{ \(schema) }" }
        // The keyword `default` is omitted, because generated clients in Go send default values even with parameters
        // that exclude them.
        return "{ \(schema), description: 'Default: `\(value)`.' }"
    }

    /// The schema of an object member; nil if it equals the schema of the query value.
    private static func member(_ values: ParameterValues) -> String? {
        if let schema = values.memberSchema { return schema }
        let digits = values.digits.map { ", pattern: '^(\($0))$'" } ?? ""
        switch values.kind {
        case .words(let words) where words.contains { quoted($0) != $0 }:
            let numbers = words.filter { quoted($0) != $0 }
            return "anyOf: [{ type: string, enum: [\(words.map(quoted).joined(separator: ", "))] }, "
                + "{ type: integer, enum: [\(numbers.joined(separator: ", "))] }]"
        case .decimal(let range): return "type: [number, string], \(bounds(range))\(digits)"
        case .whole(let range):
            return "type: [integer, string], minimum: \(range.lowerBound), maximum: \(range.upperBound)\(digits)"
        case .words, .boolean, .text: return nil
        }
    }

    private static func bounds(_ range: ClosedRange<Double>) -> String {
        "minimum: \(ParameterValues.short(range.lowerBound)), maximum: \(ParameterValues.short(range.upperBound))"
    }

    /// A string in YAML: in quotes if it would be a number.
    private static func quoted(_ word: String) -> String { Double(word) == nil ? word : "'\(word)'" }

    // MARK: docs/parameters.md

    /// The tables, and the parameters of each route.
    var page: [String] {
        let tables = Parameter.groups.flatMap { title, rows in
            ["## \(title)", "", "| name | values | default | meaning |", "| --- | --- | --- | --- |"]
                + self.rows(rows) + [""]
        }
        let listed = of(.list)
        let annotated = of(.annotated).filter { !listed.contains($0) }
        return tables + [
            "## Parameters of a route", "",
            "- `/frame` accepts all parameters except \(Self.names(all.filter { !$0.routes.contains(.frame) })).",
            "- `/faces/N`, and `/faces` with `format=zip` or `multipart`, accept all parameters except "
                + "\(Self.names(all.filter { !$0.routes.contains(.portraits) })). `background` requires `upright`, `align` or `mask`.",
            "- `/faces` with another `format` accepts \(Self.names(listed)), and with `format=debug` also "
                + "\(Self.names(annotated)).",
            "- `/stream` accepts \(Self.names(of(.stream))), with [the values of its page](stream.md).",
        ] + Self.oldNames
    }

    /// The table of deprecated names.
    private static var oldNames: [String] {
        [
            "", "## Old names", "",
            "Version \(DeprecatedName.removal) removes these names. Until then, a request may use the old name or the new name, and the header",
            "[`Headroom-Deprecated`](responses.md#headers) and the log name each old name. JSON and metrics contain both names.",
            "", "| kind | old name | new name | since |", "| --- | --- | --- | --- |",
        ]
            + DeprecatedName.all.map { name in
                let kind: String =
                    switch name.kind {
                    case .parameter: "parameter, option"
                    case .value(let parameter): "value of `\(parameter)`"
                    case .setting: "setting"
                    case .member(let object): "JSON member of \(object)"
                    case .metric: "metric"
                    }
                let option = name.kind == .setting ? "--" : ""
                return "| \(kind) | `\(option)\(name.old)` | `\(option)\(name.new)` | \(name.since) |"
            }
    }

    /// The rows of a table.
    func rows(_ parameters: [Parameter]) -> [String] {
        parameters.map { parameter in
            let standard =
                switch parameter.standard {
                case .none: ""
                case .value(let value): "`\(value)`"
                case .described(let text): text
                }
            let needs = parameter.needs.map { " Requires `\($0)`." } ?? ""
            let more = parameter.link.map { " [More](\($0))" } ?? ""
            return
                "| `\(parameter)` | \(Self.listed(parameter.values)) | \(standard) | \(parameter.help)\(needs)\(more) |"
        }
    }

    private static func listed(_ values: ParameterValues) -> String {
        if let listed = values.listed { return listed }
        switch values.kind {
        case .words(let words): return words.map { "`\($0)`" }.joined(separator: ", ")
        case .boolean: return "`true`, `false`"
        case .decimal(let range):
            return "\(ParameterValues.short(range.lowerBound)) to \(ParameterValues.short(range.upperBound))"
        case .whole(let range): return "\(range.lowerBound) to \(range.upperBound)"
        case .text: return "text"
        }
    }

    private static func names(_ parameters: [Parameter]) -> String {
        let names = parameters.map { "`\($0)`" }
        return "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
    }

    // MARK: docs/filters.md

    /// The table of filters.
    static var filters: [String] {
        ["| filter | N | effect |", "| --- | --- | --- |"]
            + ImageFilter.Name.allCases.map { name in
                let row = FilterRow.row(of: name)
                let range = row.numbers.maximum.map { "0 to \(Int($0))" } ?? ""
                return "| `\(ImageFilter.form(of: name))` | \(range) | \(row.effect) |"
            }
    }

    // MARK: The playground

    /// The groups of controls.
    var controls: [String] {
        Parameter.Control.Group.allCases.flatMap { group in
            ["  { title: \"\(group.rawValue)\", isOpen: \(group.isOpen), parameters: ["]
                + all.compactMap { $0.control?.group == group ? control($0) : nil } + ["  ] },"]
        }
    }

    private func control(_ parameter: Parameter) -> String? {
        guard let control = parameter.control else { return nil }
        let (name, label) = ("\"\(parameter)\"", "\"\(control.label)\"")
        let doc = "\"\(parameter.help.replacing("`", with: ""))\""
        var words = control.words
        if words == nil, case .words(let all) = parameter.values.kind { words = all }
        if let listed = words {
            // The playground does not send the first value.
            let first = if case .value(let value) = parameter.standard { value } else { "none" }
            words = [first] + listed.filter { $0 != first }
        }
        let options = Self.quotedList(words ?? [])
        // Two parameters have custom controls.
        let text =
            switch parameter.values.kind {
            case _ where parameter == .gravity:
                "{ name: \(name), label: \(label), kind: \"gravity\", options: [\(options)], doc: \(doc) }"
            case _ where parameter == .zoom:
                "{ name: \(name), label: \(label), kind: \"range\", min: 0, max: 1, step: 0.05, standard: \"0\", doc: \(doc) }"
            case .words: "choice(\(name), \(label), [\(options)], \(doc))"
            case .boolean: "check(\(name), \(label), \(doc))"
            case .decimal, .whole: "number(\(name), \(label), \"\(control.placeholder)\", \(doc))"
            case .text: "text(\(name), \(label), \"\(control.placeholder)\", \(doc))"
            }
        return control.isWide ? "    wide(\(text))," : "    \(text),"
    }

    private static func quotedList(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: ", ") }

    /// The new name of each deprecated name, for links to states of the playground.
    var oldNamesOfPlayground: [String] {
        ["const OLD_NAMES = {"] + deprecated(all).map { "  \($0.name.old): \"\($0.name.new)\"," } + ["};"]
    }

    // MARK: The clients

    /// Parameters of all routes with images, of image routes, of `/frame` only, and of face images only.
    private var shares: (every: [Parameter], images: [Parameter], frame: [Parameter], portraits: [Parameter]) {
        let own = all.filter { $0 != .url && $0 != .format }
        return (
            own.filter { $0.routes.isSuperset(of: [.images, .list]) },
            own.filter { $0.routes.isSuperset(of: .images) && !$0.routes.contains(.list) },
            own.filter { $0.routes.isDisjoint(with: .portraits) && $0.routes.contains(.frame) },
            own.filter { $0.routes.isDisjoint(with: .frame) && $0.routes.contains(.portraits) }
        )
    }

    private func formats(_ routes: Parameter.Routes) -> [String] {
        let values = variant(.format, routes)?.values ?? Parameter.format.values
        guard case .words(let words) = values.kind else { return [] }
        return words
    }

    /// The list of faces and the annotated image, which have their own formats.
    private static let faces: Parameter.Routes = [.list, .annotated]

    /// Classes of keyword arguments.
    var python: [String] {
        let shares = shares
        func lines(_ name: String, _ base: String, _ doc: String, _ members: [String]) -> [String] {
            ["", "", "class \(name)(\(base), total=False):", "    \"\"\"\(doc)\"\"\"", ""] + members
        }
        func line(_ name: String, _ parameter: Parameter) -> [String] {
            let type = Self.python(Self.accepted(parameter, parameter.values))
            return Self.annotation("    ", "\(Self.snake(name)): ", type, end: "")
        }
        func own(_ parameters: [Parameter]) -> [String] {
            parameters.flatMap { line($0.name, $0) }
                + deprecated(parameters).flatMap { line($0.name.old, $0.parameter) }
        }
        func format(_ routes: Parameter.Routes) -> [String] {
            Self.annotation("    ", "format: ", "Literal[\(Self.quotedList(formats(routes)))]", end: "")
        }
        let classes =
            lines("DetectionParameters", "TypedDict", "Parameters of every route.", own(shares.every))
            + lines(
                "ImageParameters",
                "DetectionParameters",
                "Parameters of every route that makes images.",
                own(shares.images)
            )
            + lines(
                "PlanParameters",
                "ImageParameters",
                "Parameters of `/frame`, except the format.",
                own(shares.frame)
            )
            + lines("FrameParameters", "PlanParameters", "Parameters of `/frame`.", format(.frame))
            + lines(
                "PortraitParameters",
                "ImageParameters",
                "Parameters of images of faces.",
                own(shares.portraits)
            )
            + lines("FacesParameters", "PortraitParameters", "Parameters of `/faces`.", format(Self.faces))
            + lines("FaceParameters", "PortraitParameters", "Parameters of `/faces/{index}`.", format(.portraits))
        let names = deprecated(all).map { "    \"\(Self.snake($0.name.old))\": \"\(Self.snake($0.name.new))\"," }
        let values = DeprecatedName.all.compactMap { name -> String? in
            guard case .value(let parameter) = name.kind else { return nil }
            return "    (\"\(Self.snake(parameter))\", \"\(name.old)\"): \"\(name.new)\","
        }
        var lines = Array(classes.dropFirst(2))
        lines += ["", "", "# The new name of each deprecated name.", "DEPRECATED = {"]
        lines += names
        lines += ["}", "", "# The new word of each deprecated word of a parameter.", "DEPRECATED_VALUES = {"]
        lines += values
        lines += ["}", "", ""]
        return lines
    }

    /// The maximum line length in the clients.
    private static let maxLineLength = 120

    /// A type in the format of ruff: on one line, or with one line per argument.
    private static func annotation(_ indent: String, _ name: String, _ type: String, end: String) -> [String] {
        let line = indent + name + type + end
        guard line.count > maxLineLength, let bracket = type.firstIndex(of: "[") else { return [line] }
        var (arguments, depth) = ([""], 0)
        for character in type[type.index(after: bracket)...].dropLast() {
            depth += character == "[" ? 1 : character == "]" ? -1 : 0
            if character == ",", depth == 0 {
                arguments.append("")
            } else {
                arguments[arguments.count - 1].append(character)
            }
        }
        return ["\(indent)\(name)\(type[...bracket])"]
            + arguments.flatMap { annotation(indent + "    ", "", String($0.drop { $0 == " " }), end: ",") }
            + ["\(indent)]\(end)"]
    }

    /// An object member with a list of words: on one line, or with the words on separate lines.
    private static func member(_ indent: String, _ name: String, _ words: [String]) -> [String] {
        let line = "\(indent)\(name): [\(quotedList(words))],"
        guard line.count > maxLineLength else { return [line] }
        var lines = [""]
        for word in words {
            let next = "\(lines[lines.count - 1]) \"\(word)\","
            if indent.count + next.count + 1 > maxLineLength {
                lines.append(" \"\(word)\",")
            } else {
                lines[lines.count - 1] = next
            }
        }
        return ["\(indent)\(name): ["] + lines.map { "\(indent) \($0)" } + ["\(indent)],"]
    }

    /// A name in snake case: `min_face` for `minFace`.
    private static func snake(_ name: String) -> String {
        name.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined()
    }

    private static func python(_ values: ParameterValues) -> String {
        if let types = values.types { return types.python }
        return switch values.kind {
        case .words(let words): "Literal[\(quotedList(words))]"
        case .boolean: "bool"
        case .decimal: "float"
        case .whole: "int"
        case .text: "str"
        }
    }

    /// The parameters of each route with their values.
    var javaScript: [String] {
        func member(_ name: String, _ parameter: Parameter, _ indent: String) -> [String] {
            switch Self.accepted(parameter, parameter.values).kind {
            case .words(let words): Self.member(indent, name, words)
            case .boolean: ["\(indent)\(name): BOOLEAN,"]
            case .decimal, .whole, .text: ["\(indent)\(name): ANY,"]
            }
        }
        func members(_ parameters: [Parameter], _ indent: String) -> [String] {
            parameters.flatMap { member($0.name, $0, indent) }
                + deprecated(parameters).flatMap { member($0.name.old, $0.parameter, indent) }
        }
        func route(_ path: String, _ base: String, _ own: [Parameter], _ routes: Parameter.Routes) -> [String] {
            ["  \"\(path)\": {", "    ...\(base),"] + members(own, "    ")
                + Self.member("    ", "format", formats(routes)) + ["  },"]
        }
        let shares = shares
        let image = members([Parameter.url] + shares.every + shares.images, "  ")
        let doc =
            "/** The accepted values of the parameters of each route, or null for any text. */"
        return ["const IMAGE = {"] + image
            + ["};", "", "// Parameters of images of faces.", "const PORTRAIT = {", "  ...IMAGE,"]
            + members(shares.portraits, "  ") + ["};", "", doc, "export const PARAMETERS = {"]
            + route("/frame", "IMAGE", shares.frame, .frame) + route("/faces", "PORTRAIT", [], Self.faces)
            + route("/faces/{index}", "PORTRAIT", [], .portraits) + ["};"]
            + ["", "// The new name of each deprecated name, and the new word of each deprecated word of a parameter."]
            + ["const DEPRECATED = {"] + deprecated(all).map { "  \($0.name.old): \"\($0.name.new)\"," } + ["};"]
            + ["const DEPRECATED_VALUES = {"]
            + DeprecatedName.all.compactMap { name -> String? in
                guard case .value(let parameter) = name.kind else { return nil }
                return "  \(parameter): { \(name.old): \"\(name.new)\" },"
            } + ["};"]
    }

    /// The types of the parameters.
    var typeScript: [String] {
        func type(_ parameter: Parameter) -> String { Self.typeScript(Self.accepted(parameter, parameter.values)) }
        func members(_ parameters: [Parameter]) -> [String] {
            parameters.flatMap { ["  /** \($0.help) */", "  \($0)?: \(type($0));"] }
                + deprecated(parameters).flatMap { name, parameter in
                    ["  /** @deprecated Use `\(name.new)`. */", "  \(name.old)?: \(type(parameter));"]
                }
        }
        func type(_ name: String, _ doc: String, _ own: [Parameter], _ routes: Parameter.Routes?) -> [String] {
            let format = routes.map { "  format?: \(Self.union(formats($0)));" }
            return ["", "/** \(doc) */", "export interface \(name) {"] + members(own)
                + (format.map { [$0] } ?? [])
                + ["}"]
        }
        let shares = shares
        let words =
            if case .text = Parameter.gravity.values.kind { Parameter.gravity.control?.words ?? [] } else { [String]() }
        let gravity = words.filter { !["face", "point", "object"].contains($0) }
        return [
            "/** The words of `gravity`. */", "export type Gravity = \(Self.union(gravity));", "",
            "/** Parameters of every route; a value of `null` or `undefined` is left out. */",
            "export interface ImageParameters {",
            "  /** The URL of the image, absolute. Without it, the URL is one for uploads. */", "  url?: string;",
        ] + members(shares.every + shares.images) + ["}"]
            + type("FrameParameters extends ImageParameters", "Parameters of `/frame`.", shares.frame, .frame)
            + type("FacesParameters extends ImageParameters", "Parameters of `/faces`.", shares.portraits, Self.faces)
            + type(
                "FaceParameters extends ImageParameters",
                "Parameters of `/faces/{index}`.",
                shares.portraits,
                .portraits
            )
    }

    private static func union(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: " | ") }

    private static func typeScript(_ values: ParameterValues) -> String {
        if let types = values.types { return types.typeScript }
        return switch values.kind {
        case .words(let words): union(words)
        case .boolean: "boolean"
        case .decimal, .whole: "number"
        case .text: "string"
        }
    }

    // MARK: The fuzzer

    /// The names as in a query, and all words.
    var dictionary: [String] {
        var words: [String] = []
        for parameter in all {
            if case .words(let own) = parameter.values.kind { words += own.filter { !words.contains($0) } }
        }
        return (all.map(\.name) + deprecated(all).map(\.name.old)).map { "\"&\($0)=\"" } + words.map { "\"\($0)\"" }
    }
}

extension Parameter {
    /// A row for a new parameter.
    static let example = Parameter(
        "opacity",
        .decimal(0...1, digits: #"0(\.[0-9]+)?|1(\.0+)?"#),
        default: "1",
        sets: \.lookAhead,
        routes: .images,
        needs: .chromaKey,
        help: "Opacity of the output.",
        control: .control("Opacity", in: .bars, placeholder: "1")
    )
}
