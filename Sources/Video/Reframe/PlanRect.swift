import Geometry

/// A rectangle in pixels of the source.
struct PlanRect: Codable, Hashable {
    let x, y, width, height: Double

    static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    var region: FractionalRect { FractionalRect(x: x, y: y, width: width, height: height) }

    var isValid: Bool { width >= 1 && height >= 1 && [x, y, width, height].allSatisfy { abs($0) < 1e6 } }
}

extension PlanRect {
    init(_ region: FractionalRect) {
        (x, y) = (Self.rounded(region.x), Self.rounded(region.y))
        (width, height) = (Self.rounded(region.width), Self.rounded(region.height))
    }
}
