import Geometry

/// The aspect ratio written as `16:9` or `1.5` in a table of cases.
func shape(_ text: String) -> AspectRatio? {
    let sides = text.split(separator: ":").compactMap { Double($0) }
    guard let width = sides.first else { return nil }
    return AspectRatio(width, sides.count > 1 ? sides[1] : 1, text: text)
}
