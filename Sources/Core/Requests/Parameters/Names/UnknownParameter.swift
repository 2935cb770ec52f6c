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
        guard name.bytes.isWord(atMost: ParameterName.maxBytes) else { return error }
        if let found = rule(name, known) {
            (error.expected, error.rule) = (found.expected, found.sentence)
        } else if let found = advice(name, known) {
            (error.expected, error.advice) = (found.expected, found.sentence)
        }
        return error
    }

    private typealias Advice = (expected: String, sentence: String)

    /// The names of the parameters of a signature, which only queries may contain.
    private static let ofSignature = SignatureParameter.allCases.map(\.rawValue)

    /// Returns the end of a sentence about a name whose origin is known; nil for other names.
    private static func rule(_ name: String, _ known: [Parameter]) -> Advice? {
        if let rule = UploaderFields.rule(of: name) { return ("no \(name)", rule) }
        if ["callback", "jsonp", "jsoncallback"].contains(where: { isSame($0, name) }) {
            return ("no \(name)", "is a parameter of JSONP, which is not supported; leave it out")
        }
        let isRoute = known.contains(.url)
        if isRoute, ofSignature.contains(name) { return ("\(name) only in the query", "is allowed only in the query") }
        guard let parameter = Parameter.named(name) else { return nil }
        guard isRoute else { return ("no \(name)", "is not allowed here") }
        let place = parameter.routes.paths
        return ("\(name) only at \(place)", "is a parameter of \(place), not of this route")
    }

    private static func advice(_ name: String, _ known: [Parameter]) -> Advice? {
        if name.bytes.begins(with: "amp;") {
            return ("& between parameters", "The URL contains the HTML escape &amp; in place of &: write & only.")
        }
        if name.bytes.contains("=") || name.bytes.lowercased().bytes.contains("%3d") {
            return ("a name without =", "Do not encode the = between a name and its value.")
        }
        if TrackingNames.contains(name), !known.contains(where: { isSame($0.name, name) }) {
            let sentence = "It is a tracking parameter, which has no effect on images: remove it."
            return ("no tracking parameters", sentence)
        }
        // Only routes have the parameter `url`.
        let isRoute = known.contains(.url)
        let others = isRoute ? Parameter.all.filter { !known.contains($0) } : []
        if let same = known.first(where: { isSame($0.name, name) }) { return similar(same) }
        if let other = others.first(where: { isSame($0.name, name) }) { return elsewhere(other) }
        if isRoute, let same = ofSignature.first(where: { isSame($0, name) }) { return similar(same) }
        if let equivalents = ForeignNames.equivalents(of: name) {
            let advice = use(equivalents, known, isRoute: isRoute)
            guard UploaderFields.mayBeOwn(name) else { return advice }
            return advice.map { ($0.expected, "\($0.sentence) If your uploader or framework adds it, leave it out.") }
        }
        let own = known.map(\.name) + (isRoute ? ofSignature : [])
        if let nearest = SpellingSuggestion.nearest(to: name, among: own) { return similar(nearest) }
        if let nearest = SpellingSuggestion.nearest(to: name, among: others.map(\.name)).flatMap(Parameter.named) {
            return elsewhere(nearest)
        }
        return ForeignNames.equivalents(similarTo: name).flatMap { use($0, known, isRoute: isRoute) }
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        SpellingSuggestion.plain(left) == SpellingSuggestion.plain(right)
    }

    private static func similar(_ parameter: Parameter) -> Advice { similar(parameter.name) }

    private static func similar(_ name: String) -> Advice { (name, "Did you mean \(name)?") }

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
        // An explanation after a comma ends with another comma.
        let isExplained = usable.last?.phrase.bytes.contains(", ") ?? false
        return (list, "Use \(list)\(isExplained ? "," : "") instead.")
    }
}
