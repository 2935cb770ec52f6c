/// The rectangle of Cloudinary's `c_crop`, which is cut out without scaling.
enum CloudinaryArea {
    /// The rectangle as a value of `region`.
    ///
    /// - Throws: A ``Problem`` with status 501 for a rectangle around faces.
    static func region(_ component: CloudinaryComponent, gravity: CloudinaryGravity) throws(Problem) -> String {
        guard let anchor = gravity.anchor, component["ar"] == nil else { throw .unsupported(option: component.text) }
        let width = try length("w", component, "1")
        let height = try length("h", component, "1")
        guard component["x"] != nil || component["y"] != nil else { return "\(anchor),\(width),\(height)" }
        // With x or y the default gravity is the upper left corner.
        if let given = component["g"], given != "north_west" { throw .unsupported(option: component.text) }
        return "\(try length("x", component, "0")),\(try length("y", component, "0")),\(width),\(height)"
    }

    private static func length(
        _ key: String,
        _ component: CloudinaryComponent,
        _ fallback: String
    ) throws(Problem) -> String {
        guard let text = component[key] else { return fallback }
        let isStart = key == "x" || key == "y"
        guard let length = CloudinaryLength(text)?.region, isStart || length != "0px" && length != "0" else {
            throw .invalid(option: "\(key)_\(text)", expected: "pixels or a share of the source")
        }
        return length
    }
}
