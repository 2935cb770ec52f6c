import Geometry
import Pipeline

/// The turned rectangle that a result shows, in JSON, in pixels of the upright image.
struct TurnedDocument: Encodable {
    /// The centre.
    var x: Double
    var y: Double
    /// The sides before the turn.
    var width: Double
    var height: Double
    /// The turn in degrees clockwise.
    var roll: Double

    init(_ crop: TurnedCrop) {
        func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
        (x, y) = (rounded(crop.centre.x), rounded(crop.centre.y))
        (width, height) = (rounded(crop.width), rounded(crop.height))
        roll = rounded(crop.roll)
    }
}
