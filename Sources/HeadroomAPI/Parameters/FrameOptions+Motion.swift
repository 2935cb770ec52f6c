import Framing
import Pipeline

extension FrameOptions {
    /// Parses the movement of an animation's crop, and refuses what cannot be combined with it.
    mutating func readMotion(_ reader: inout ParameterReader) {
        motion = reader.word(.motion) ?? .still
        guard motion == .follow else { return }
        let reason = "with motion=follow"
        for name in [ParameterName.region, .trim, .focus, .redact, .overlay] where reader.text(name) != nil {
            reader.refuse(name, expected: "no \(name.rawValue) \(reason)")
        }
        if isLossless { reader.refuse(.lossless, expected: "false \(reason)") }
        if framing.zoom > 0 { reader.refuse(.zoom, expected: "0 \(reason)") }
        if framing.fit != .cover { reader.refuse(.fit, expected: "cover \(reason)") }
        if framing.gravity != .faces, reader.text(.focus) == nil {
            reader.refuse(.gravity, expected: "faces \(reason)")
        }
    }
}
