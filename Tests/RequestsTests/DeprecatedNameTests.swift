import Requests
import Testing

/// Old names of parameters are accepted, have the effect of the new names, and are listed.
@Suite struct DeprecatedNameTests {
    /// A value of each parameter that is not a list of words.
    private static let values = [
        "chromaKey": "00ff00", "watermark": "halo", "watermarkWidth": "0.3", "watermarkOpacity": "0.5",
        "watermarkMargin": "9px", "losslessCrop": "true",
    ]

    /// A pair with an old name or an old value, the same pair with the new name, and the other pairs that both require.
    static let cases: [(old: [String], new: [String], others: [(name: String, value: String)])] =
        DeprecatedName.all.compactMap { name in
            switch name.kind {
            case .parameter:
                guard let parameter = Parameter.named(name.new) else { return nil }
                let words = if case .words(let words) = parameter.values.kind { words } else { [String]() }
                let value = Self.values[name.new] ?? words.last ?? ""
                let others = parameter.needs.map { [(name: $0.name, value: Self.values[$0.name] ?? "")] } ?? []
                return ([name.old, value], [name.new, value], others)
            case .value(let parameter): return ([parameter, name.old], [parameter, name.new], [])
            case .setting, .member, .metric: return nil
            }
        }

    private func read(_ pairs: [(name: String, value: String)]) throws -> FrameParameters {
        try FrameParameters(pairs, known: Parameter.all)
    }

    @Test func `every old name is replaced by a parameter or a value that exists`() {
        for name in DeprecatedName.parameters {
            #expect(Parameter.named(name.new) != nil && Parameter.named(name.old) == nil, "\(name)")
        }
        #expect(Self.cases.count == 10)
        #expect(Set(DeprecatedName.all.map { "\($0.kind) \($0.old)" }).count == DeprecatedName.all.count)
    }

    @Test(arguments: cases)
    func `an old name has the effect of the new name, and is listed`(
        old: [String],
        new: [String],
        others: [(name: String, value: String)]
    ) throws {
        let before = try read([(old[0], old[1])] + others)
        let now = try read([(new[0], new[1])] + others)
        #expect(before.given == now.given)
        #expect("\(before.options)" == "\(now.options)")
        #expect(now.deprecated.isEmpty)
        let change = old[0] == new[0] ? "\(old[0])=\(old[1])->\(new[0])=\(new[1])" : "\(old[0])->\(new[0])"
        #expect(before.deprecated.map(\.change) == [change])
        #expect(DeprecatedName.changes(before.deprecated) == change)
        #expect(DeprecatedName.changes(now.deprecated) == nil)
    }

    @Test(arguments: DeprecatedName.parameters)
    func `both names of a parameter are rejected, and errors contain the sent name`(name: DeprecatedName) throws {
        let both = #expect(throws: ParameterErrors.self) { try read([(name.new, "a"), (name.old, "a")]) }
        #expect(
            both?.all.map(\.sentence) == ["\(name.old) is not allowed with \(name.new), which is its new name."]
        )
        let wrong = #expect(throws: ParameterErrors.self) { try read([(name.old, "?")]) }
        #expect(wrong?.all.contains { $0.name == name.old && $0.received == "?" } == true)
        let twice = #expect(throws: ParameterErrors.self) { try read([(name.old, "a"), (name.old, "a")]) }
        #expect(twice?.all.contains { $0.sentence.contains("\(name.old) is allowed only once") } == true)
    }

    @Test func `an old name with an old value lists both`() throws {
        let names = try read([("box", "turn"), ("width", "40"), ("height", "20")]).deprecated
        #expect(DeprecatedName.changes(names) == "box->boxOrientation, boxOrientation=turn->boxOrientation=swap")
    }

    @Test func `a preset with an old name equals the preset with the new name, and a request overrides it`() throws {
        let old = try Preset("shop", [("mark", "halo"), ("motion", "still")])
        let new = try Preset("shop", [("watermark", "halo"), ("motion", "fixed")])
        #expect(old == new && PresetSet([old]).canonicalText == PresetSet([new]).canonicalText)
        #expect(old.deprecated.map(\.old) == ["mark", "still"] && new.deprecated.isEmpty)
        for name in ["mark", "watermark"] {
            let parameters = try FrameParameters(
                [("preset", "shop"), (name, "hat")],
                known: Parameter.all,
                presets: PresetSet([old])
            )
            #expect(parameters.given[.watermark] == "hat" && parameters.given[.motion] == "fixed")
            // The operator's log reports the names of presets.
            #expect(parameters.deprecated.map(\.old) == (name == "mark" ? ["mark"] : []))
        }
    }
}
