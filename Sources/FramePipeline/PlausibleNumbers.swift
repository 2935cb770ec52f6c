import Framing

/// What checks numbers about a picture, so that they can be added and multiplied without a second look.
protocol PlausibleNumbers {}

extension PlausibleNumbers {
    /// Sides that can be multiplied with each other.
    func isSide(_ length: Int) -> Bool { (1...1 << 24).contains(length) }

    func isInside(_ rect: PixelRect, _ whole: PixelRect) -> Bool {
        rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0 && rect.x <= whole.width
            && rect.y <= whole.height && rect.width <= whole.width && rect.height <= whole.height
            && whole.contains(rect)
    }

    /// What may reach over the picture's edges, and be added and multiplied all the same.
    func isModest(_ rect: PixelRect) -> Bool {
        [rect.x, rect.y, rect.width, rect.height].allSatisfy { (-(1 << 28)...1 << 28).contains($0) }
    }

    func isTime(_ duration: Duration) -> Bool { (.zero ... .seconds(86_400)).contains(duration) }

    /// A detector's score: finite, and still so when it is rounded.
    func isScore(_ confidence: Double) -> Bool { (-1e9...1e9).contains(confidence) }

    func isLook(_ look: FramePlan.Look) -> Bool {
        isSide(look.workingSize.width) && isSide(look.workingSize.height) && isTime(look.duration)
            && (0...Double(1 << 24)).contains(look.smallestFace)
    }
}
