import Requests

extension ServeSettings {
    /// The stickers of a folder and the program's own.
    static func overlays(_ option: String?, _ reader: inout SettingsReader) -> OverlaySet {
        guard let folder = reader.value(Settings.overlays, option) else { return OverlaySet() }
        guard OverlayFolder.isFolder(folder) else {
            reader.refuse(Settings.overlays, option, Settings.overlays.expected)
            return OverlaySet()
        }
        do {
            return try OverlayFolder.overlays(folder)
        } catch {
            for reason in error.reasons { reader.refuse(reason) }
            return OverlaySet()
        }
    }
}
