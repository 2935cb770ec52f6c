import Geometry

/// The aspect ratio for a text such as `16:9` or `1.5`.
func shape(_ text: String) -> AspectRatio? {
    let sides = text.split(separator: ":").compactMap { Double($0) }
    guard let width = sides.first else { return nil }
    return AspectRatio(width, sides.count > 1 ? sides[1] : 1, text: text)
}
