/// An opaque colour: red, green and blue from 0 to 255, in the image's colour space.
package struct Color: Hashable, Sendable {
    /// Red, green and blue, 0 to 255 each.
    package var red, green, blue: UInt8

    /// An opaque colour of three samples, in the colour space of the image that it is drawn on.
    package init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    package static let black = Color(red: 0, green: 0, blue: 0)
    package static let white = Color(red: 255, green: 255, blue: 255)
}
