import Pipeline

extension FaceTurn {
    /// The word of `align`.
    private enum Alignment: String, CaseIterable {
        case eyes
    }

    /// The position of the eyes by default, as a share of the result's height.
    private static let standardHeight = 0.4

    /// Parses `upright`, `align` and `eyes`; nil if faces are not turned.
    init?(_ reader: inout ParameterReader) {
        let isUpright = reader.boolean(.upright) ?? false
        let alignment: Alignment? = reader.word(.align)
        let height = reader.decimal(.eyes, in: 0.1...0.9)
        if reader.text(.eyes) != nil, reader.text(.align) == nil {
            reader.refuse(.eyes, expected: "no eyes without align=eyes")
        }
        if alignment != nil, reader.text(.padding) != nil {
            reader.refuse(.padding, expected: "no padding with align=eyes, which fixes the size of the face")
        }
        guard alignment != nil || isUpright else { return nil }
        if reader.boolean(.lossless) == true {
            let name = alignment == nil ? ParameterName.upright : .align
            reader.refuse(name, expected: "no \(name.rawValue) with lossless=true, which turns nothing")
        }
        if reader.text(.key) != nil {
            let name = alignment == nil ? ParameterName.upright : .align
            reader.refuse(.key, expected: "no key with \(name.rawValue)")
        }
        self = alignment == nil ? .upright : .eyes(height: height ?? Self.standardHeight)
    }
}
