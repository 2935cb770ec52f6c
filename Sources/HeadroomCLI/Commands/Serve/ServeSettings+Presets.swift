import HeadroomAPI
import Requests

extension ServeSettings {
    /// The presets of a file.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - hasGrammars: Whether addresses of other services are turned on, whose parameters are free.
    ///   - reader: Collects errors.
    /// - Returns: The presets; none if there are errors.
    static func presets(
        _ options: PresetOptions,
        besideGrammars hasGrammars: Bool,
        _ reader: inout SettingsReader
    ) -> PresetSet {
        let path = reader.value(Settings.presets, options.presets)
        let isExclusive = reader.flag(Settings.onlyPresets, options.onlyPresets)
        guard let path else {
            if isExclusive { reader.refuse("only-presets is not valid without presets: expected a file of presets.") }
            return PresetSet()
        }
        if isExclusive, hasGrammars {
            reader.refuse(
                "only-presets is not valid with grammars, whose addresses have parameters: expected one of both."
            )
        }
        let origin = reader.given(Settings.presets.name, options.presets)?.origin
        let name = "\(origin?.spelling(of: Settings.presets.name) ?? Settings.presets.name)=\(path)"
        guard let bytes = reader.bytes(of: path, atMost: PresetsFile.maxBytes, for: name) else { return PresetSet() }
        let file = PresetsFile(String(decoding: bytes, as: UTF8.self), path: path)
        for problem in file.problems { reader.refuse(problem) }
        if isExclusive {
            for preset in file.presets
            where preset.values.contains(where: { $0.parameter == .format && $0.value == "html" }) {
                reader.refuse(
                    "\(path): preset \(preset.name) is not valid with only-presets: expected no format=html, whose addresses "
                        + "have sizes."
                )
            }
        }
        return file.problems.isEmpty ? PresetSet(file.presets, isExclusive: isExclusive) : PresetSet()
    }

    /// Why the presets must not replace others while the service runs; nil if they may.
    func refusalOfPresets(after old: ServeSettings) -> String? {
        if !old.service.presets.isEmpty, service.presets.isEmpty {
            return "no presets are left, and only a restart can remove all of them"
        }
        if old.service.presets.isExclusive, !service.presets.isExclusive {
            return "only-presets is missing, and only a restart can allow other parameters"
        }
        return nil
    }
}
