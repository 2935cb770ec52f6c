/// Settings of presets.
extension Settings {
    static let presets = Setting<String?>.optional(
        "presets",
        "File of presets: names for parameters, as preset=avatar and /preset/avatar; read again on SIGHUP.",
        default: "none",
        expected: "a path",
        valueName: "path",
        text: { $0 },
        parse: { $0.isEmpty ? nil : $0 }
    ).reloadable
    static let onlyPresets = Setting<Bool>.flag(
        "only-presets",
        "Refuse all parameters of requests but preset, url and v, and those of signatures."
    ).reloadable
}
