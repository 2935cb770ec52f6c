import UntrustedText

/// Advice on a parameter that a route does not have.
enum UnknownParameter {
    /// Returns the error for a parameter whose name is not known; the name must be ASCII.
    static func error(_ name: String, value: String, known: [Parameter]) -> ParameterError {
        var error = ParameterError(
            name: name,
            received: value,
            expected: "a name from docs/parameters.md",
            isUnknown: true
        )
        guard name.bytes.isWord(atMost: ParameterName.maxBytes), let found = advice(name, known) else { return error }
        (error.expected, error.advice) = (found.expected, found.sentence)
        return error
    }

    private typealias Advice = (expected: String, sentence: String)

    private static func advice(_ name: String, _ known: [Parameter]) -> Advice? {
        if TrackingNames.contains(name), !known.contains(where: { isSame($0.name, name) }) {
            let sentence = "It is a tracking parameter, which has no effect on images: remove it."
            return ("no tracking parameters", sentence)
        }
        // Only routes have the parameter `url`.
        let isRoute = known.contains(.url)
        let others = isRoute ? Parameter.all.filter { !known.contains($0) } : []
        if let same = known.first(where: { isSame($0.name, name) }) { return similar(same) }
        if let other = others.first(where: { isSame($0.name, name) }) { return elsewhere(other) }
        if !isRoute, Parameter.named(name) != nil { return ("no \(name)", "It is not allowed here.") }
        if let equivalents = ForeignNames.equivalents(of: name) { return use(equivalents, known, isRoute: isRoute) }
        if let nearest = SpellingSuggestion.nearest(to: name, among: known.map(\.name)).flatMap(Parameter.named) {
            return similar(nearest)
        }
        if let nearest = SpellingSuggestion.nearest(to: name, among: others.map(\.name)).flatMap(Parameter.named) {
            return elsewhere(nearest)
        }
        return ForeignNames.equivalents(similarTo: name).flatMap { use($0, known, isRoute: isRoute) }
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        SpellingSuggestion.plain(left) == SpellingSuggestion.plain(right)
    }

    private static func similar(_ parameter: Parameter) -> Advice {
        (parameter.name, "Did you mean \(parameter.name)?")
    }

    private static func elsewhere(_ parameter: Parameter) -> Advice {
        let place = parameter.routes.paths
        return ("\(parameter.name) only at \(place)", "\(parameter.name) is a parameter of \(place).")
    }

    private static func use(_ all: [ForeignNames.Equivalent], _ known: [Parameter], isRoute: Bool) -> Advice? {
        let usable = all.filter { equivalent in equivalent.parameter.map { known.contains($0) } ?? isRoute }
        guard !usable.isEmpty else { return isRoute ? all.first?.parameter.map(elsewhere) : nil }
        let phrases = usable.map(\.phrase)
        let list =
            phrases.count < 2
            ? phrases.joined() : "\(phrases.dropLast().joined(separator: ", ")) or \(phrases[phrases.count - 1])"
        return (list, "Use \(list) instead.")
    }
}

extension Parameter.Routes {
    /// The paths of the routes, for messages.
    var paths: String {
        var paths: [String] = []
        if contains(.frame) { paths.append("/frame") }
        if !isDisjoint(with: [.portraits, .list, .annotated]) { paths.append("/faces") }
        if contains(.portraits) { paths.append("/faces/N") }
        if contains(.stream) { paths.append("/stream") }
        // bounded: more than one element
        return paths.count < 2
            ? paths.joined() : "\(paths.dropLast().joined(separator: ", ")) and \(paths[paths.count - 1])"
    }
}
