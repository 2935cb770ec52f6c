import Framing
import Imaging
import Pipeline

extension Redaction {
    /// Parses `redact` and the parameters that refine it; nil if nothing is redacted.
    init?(_ reader: inout ParameterReader) {
        let style: RedactionStyle? = reader.word(.redact)
        let numbers = "at most \(Self.mostNumbers) numbers of faces, separated by commas, such as 1,3"
        let faces = reader.value(
            .redactFaces,
            expected: "all, others, none with redactAreas, or \(numbers)",
            Faces.init
        )
        let shape: RedactionShape? = reader.word(.redactShape)
        let areas = reader.value(
            .redactAreas,
            expected: "at most \(Self.mostAreas) rectangles \(Region.form), separated by ;",
            Self.areas
        )
        for name in [ParameterName.redactFaces, .redactShape, .redactAreas]
        where reader.text(.redact) == nil && reader.text(name) != nil {
            reader.refuse(name, expected: "no \(name.rawValue) without redact")
        }
        if reader.text(.redact) != nil, faces == Faces.none, reader.text(.redactAreas) == nil {
            reader.refuse(.redactFaces, expected: "no redactFaces=none without redactAreas")
        }
        guard let style else { return nil }
        self.init(style: style, faces: faces ?? .all, shape: shape ?? .rounded, areas: areas ?? [])
    }

    private static func areas(_ text: String) -> [Region]? {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count <= mostAreas else { return nil }
        let areas = parts.compactMap { Region(String($0)) }
        return areas.count == parts.count ? areas : nil
    }
}

extension Redaction.Faces {
    fileprivate init?(_ text: String) {
        switch text {
        case "all": self = .all
        case "others": self = .others
        case "none": self = .none
        default:
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
                Int(plainDigits: String($0))
            }
            guard numbers.count <= Redaction.mostNumbers, numbers.allSatisfy({ $0.map { $0 >= 1 } ?? false }) else {
                return nil
            }
            self = .numbers(numbers.compactMap(\.self))
        }
    }
}
