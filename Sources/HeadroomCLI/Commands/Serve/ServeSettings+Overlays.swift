import HeadroomAPI

extension ServeSettings {
    /// The stickers of a folder and the program's own.
    static func overlays(_ folder: String?, _ reader: inout SettingsReader) -> OverlaySet {
        guard let folder else { return OverlaySet() }
        do {
            return OverlaySet(try OverlayFolder.stickers(in: folder))
        } catch {
            for reason in error.reasons { reader.refuse(reason) }
            return OverlaySet()
        }
    }
}
