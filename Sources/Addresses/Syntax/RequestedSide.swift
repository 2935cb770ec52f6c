import HeadroomAPI
import Requests
import TotalFunctions

enum RequestedSide: Hashable {
    case pixels(Int)
    /// A fraction of the source's side.
    case share(Double)

    /// A side in pixels times a pixel ratio, rounded half up and at least 1; nil above the maximum side of an output.
    init?(_ pixels: Int, times ratio: Double) {
        let scaled = max(1, (Double(pixels) * ratio).rounded())
        guard scaled <= Double(FrameParameters.maxSide) else { return nil }
        self = .pixels(Int(clamping: scaled))
    }

    var pixels: Int? { if case .pixels(let pixels) = self { pixels } else { nil } }

    /// The side as the value of `width` or `height`.
    var text: String {
        switch self {
        case .pixels(let pixels): "\(pixels)"
        case .share(let share): NumberText.percent(share)
        }
    }
}
