import HeadroomAPI
import Requests
import UntrustedText

/// The components of a transformation, folded into one crop.
struct CloudinaryTransformation {
    /// The used part of the source, as a value of `region`.
    private var region: String?
    private var resize: CloudinaryResize?
    private var output = CloudinaryOutput()

    /// Adds the next component.
    ///
    /// - Throws: A ``Problem`` with status 501 and the name of a component that cannot be part of one crop.
    mutating func add(_ component: CloudinaryComponent) throws(Problem) {
        if component.isResize {
            if output.isTurned { throw .unsupported(option: component.text) }
            // A rotation may come before or after the resize. Mirroring changes a crop only if the crop is at a side.
            if let turn = component["a"], !CloudinaryTurn.isNeutral(turn) {
                let gravity = component["g"]
                let isSided = gravity.map { $0.bytes.contains("west") || $0.bytes.contains("east") } ?? false
                let isPlaced = ["x", "y"].contains { component[$0] != nil }
                let keepsRows = !turn.bytes.contains("vflip") || gravity == nil
                guard CloudinaryTurn.onlyMirrors(turn), !isSided, !isPlaced, keepsRows else {
                    let advice = "Write a_ as a separate component, after the size."
                    throw .unsupported(option: component.text, advice)
                }
            }
            let next = try CloudinaryResize(component)
            if let area = try next.area(component) {
                guard region == nil, resize == nil else { throw .unsupported(option: component.text) }
                region = area
            } else if let earlier = resize {
                guard let folded = earlier.folding(next) else { throw .unsupported(option: component.text) }
                resize = folded
            } else {
                resize = next
            }
        }
        try output.add(component)
    }

    func translation(of source: String) throws(Problem) -> Translation {
        var translation = Translation(source: source)
        translation[.region] = region
        if let tolerance = output.trim {
            if region != nil { throw .unsupported(option: "e_trim (trim) with c_crop") }
            translation[.trim] = "\(tolerance)"
        }
        if let resize {
            try resize.add(to: &translation, output: output)
        } else {
            if region == nil { translation[.fit] = "inside" } else { translation[.gravity] = "center" }
            try output.addBackground(to: &translation, isPadded: false)
        }
        output.add(to: &translation)
        return translation
    }
}
