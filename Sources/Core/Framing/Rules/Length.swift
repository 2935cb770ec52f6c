/// A length along one side of an image of unknown size.
package enum Length: Hashable, Codable, Sendable {
    /// A fraction of the side, 0…1.
    case share(Double)
    /// Pixels of the upright image, 0…100,000.
    case pixels(Int)

    /// Returns the length in pixels along a side of `side` pixels, not rounded.
    func pixels(of side: Int) -> Double {
        switch self {
        case .share(let share): share * Double(side)
        case .pixels(let pixels): Double(pixels)
        }
    }

    /// Whether the length is 0.
    package var isZero: Bool {
        switch self {
        case .share(let share): share == 0
        case .pixels(let pixels): pixels == 0
        }
    }
}
