/// Settings of stickers and watermarks.
extension Settings {
    static let overlays = Setting<String?>.optional(
        "overlays",
        "Folder of pictures for the parameters overlay and mark, beside the program's own; read again on SIGHUP.",
        default: "the program's own",
        expected: "the path of a folder",
        valueName: "folder",
        text: { $0 },
        parse: { $0.isEmpty ? nil : $0 }
    ).reloadable
}
