import Foundation
package import Geometry
package import Imaging

/// A small file with four coloured quarters, in a format that Headroom does not write.
package struct CodedFile: Sendable, CustomStringConvertible {
    /// The colour of a quarter.
    package struct Color: Hashable, Sendable {
        package var red, green, blue: UInt8
        package var alpha: UInt8

        init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }

        /// The same colour with a different alpha.
        func withAlpha(_ alpha: UInt8) -> Color { Color(red: red, green: green, blue: blue, alpha: alpha) }

        package static let red = Color(red: 220, green: 40, blue: 40)
        package static let green = Color(red: 40, green: 180, blue: 60)
        package static let blue = Color(red: 40, green: 60, blue: 210)
        package static let gray = Color(red: 128, green: 128, blue: 128)
    }

    package let name: String
    /// The size of the upright image.
    package let size: PixelSize
    /// The colours top left, top right, bottom left and bottom right.
    package let quarters: [Color]
    package let model: ColorModel
    package let depth: Int
    package let hasAlpha: Bool
    package let bytes: [UInt8]

    package var description: String { name }

    init(
        _ name: String,
        _ size: PixelSize,
        _ quarters: [Color],
        _ model: ColorModel,
        depth: Int,
        hasAlpha: Bool = false,
        _ base64: String
    ) {
        let bytes = [UInt8](Data(base64Encoded: base64) ?? Data())
        self.init(name, size, quarters, model, depth: depth, hasAlpha: hasAlpha, bytes: bytes)
    }

    init(
        _ name: String,
        _ size: PixelSize,
        _ quarters: [Color],
        _ model: ColorModel,
        depth: Int,
        hasAlpha: Bool = false,
        bytes: [UInt8]
    ) {
        self.name = name
        self.size = size
        self.quarters = quarters
        self.model = model
        self.depth = depth
        self.hasAlpha = hasAlpha
        self.bytes = bytes
    }

    /// The index of the quarter that contains a pixel.
    static func quarter(_ x: Int, _ y: Int, of size: PixelSize) -> Int {
        (x * 2 >= size.width ? 1 : 0) + (y * 2 >= size.height ? 2 : 0)
    }
}

extension [CodedFile.Color] {
    /// The luma of the four colours.
    static let grays: [CodedFile.Color] = [94, 124, 71, 128].map { (gray: UInt8) -> CodedFile.Color in
        CodedFile.Color(red: gray, green: gray, blue: gray)
    }

    /// The four colours: the second is half transparent, the third is fully transparent.
    static let colors: [CodedFile.Color] = [
        .red, CodedFile.Color(red: 40, green: 180, blue: 60, alpha: 128),
        CodedFile.Color(red: 40, green: 60, blue: 210, alpha: 0), .gray,
    ]
}
