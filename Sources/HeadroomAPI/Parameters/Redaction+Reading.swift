import Imaging
import Pipeline

extension Redaction {
    /// Parses `redact` and `redactFaces`; nil if heads stay as they are.
    init?(_ reader: inout ParameterReader) {
        let style: RedactionStyle? = reader.word(.redact)
        let faces = reader.value(
            .redactFaces,
            expected: "all, others, or at most \(Self.mostNumbers) numbers of faces, separated by commas, such as 1,3",
            Faces.init
        )
        if reader.text(.redact) == nil, reader.text(.redactFaces) != nil {
            reader.refuse(.redactFaces, expected: "no redactFaces without redact")
        }
        guard let style else { return nil }
        self.init(style: style, faces: faces ?? .all)
    }
}

extension Redaction.Faces {
    fileprivate init?(_ text: String) {
        switch text {
        case "all": self = .all
        case "others": self = .others
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
