/// An opaque colour: red, green and blue from 0 to 255, in the picture's colour space.
package struct Color: Hashable, Sendable {
    /// 0 to 255.
    package var red: UInt8
    /// 0 to 255.
    package var green: UInt8
    /// 0 to 255.
    package var blue: UInt8

    /// A colour of three components.
    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Black.
    package static let black = Color(red: 0, green: 0, blue: 0)
    /// White.
    package static let white = Color(red: 255, green: 255, blue: 255)
}
