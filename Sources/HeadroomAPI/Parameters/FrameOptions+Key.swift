import Imaging
import Pipeline

extension FrameOptions {
    /// Parses the key colour and what shows in its place.
    mutating func readKey(_ reader: inout ParameterReader) {
        let form = "a colour that is not grey, such as 00ff00, or auto"
        let given = reader.value(.key, expected: form) { text -> ChromaKey? in
            if text == "auto" { return ChromaKey(color: nil) }
            guard let color = KeyColor(text), color.isKey else { return nil }
            return ChromaKey(color: color)
        }
        let tolerance = reader.decimal(.tolerance, in: ChromaKey.tolerances)
        let spill = reader.decimal(.spill, in: 0...1)
        backdrop = reader.value(.backdrop, expected: "a colour such as 0044cc, or blur", Backdrop.init)
        if reader.text(.backdropURL) != nil {
            if reader.text(.backdrop) != nil {
                reader.refuse(.backdropURL, expected: "either backdrop or backdropUrl, not both")
            }
            backdrop = .picture
        }
        guard var key = given else {
            guard reader.text(.key) == nil else { return }
            for name in [ParameterName.tolerance, .spill, .backdrop, .backdropURL] where reader.text(name) != nil {
                reader.refuse(name, expected: "no \(name.rawValue) without key")
            }
            return
        }
        key.tolerance = tolerance ?? key.tolerance
        key.spill = spill ?? key.spill
        self.key = key
    }
}
