import CImageCodec
import Geometry

extension PlanarImage {
    /// Removes a colour from this RGB image: pixels of that colour become transparent, and its spill is removed from
    /// other pixels.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    package func without(_ color: KeyColor, _ key: ChromaKey) throws(CodecError) -> PlanarImage {
        precondition(colorModel == .rgb, "a key is red, green and blue")
        var results = try [Plane](unset: size, count: 4)
        let tolerance = min(max(key.tolerance, ChromaKey.tolerances.lowerBound), ChromaKey.tolerances.upperBound)
        let c = hr_key(
            red: Float(color.red),
            green: Float(color.green),
            blue: Float(color.blue),
            opaque: Float(tolerance * (1 - tolerance) / 2),
            clear: Float(1 - tolerance),
            spill: Float(min(max(key.spill, 0), 1))
        )
        withViews(into: results) { from, opacity, to in hr_key_out(from, opacity, to, [c]) }
        let opacity = results.removeLast()
        return replacing(results, alpha: opacity)
    }

    /// Returns the colour of the largest group of similar pixels at the border of this RGB image.
    ///
    /// The colour is the mean of the group. The time grows with the square of the sides, so the image should be small.
    ///
    /// - Returns: The colour; nil if it is close to grey, or if less than a quarter of the pixels have it.
    package func borderColor() -> KeyColor? {
        precondition(colorModel == .rgb, "a key is red, green and blue")
        var pixels: [KeyColor] = []
        func add(_ x: Int, _ y: Int) {
            let samples = planes.map { $0[x: x, y: y] }
            pixels.append(KeyColor(red: samples[0], green: samples[1], blue: samples[2]))
        }
        for x in 0..<size.width { for y in Set([0, size.height - 1]) { add(x, y) } }
        for y in 0..<size.height { for x in Set([0, size.width - 1]) { add(x, y) } }
        let chroma = pixels.map(\.chroma)
        let reach = KeyColor.minChroma
        func near(_ one: Int, _ other: Int) -> Bool {
            let (blue, red) = (chroma[one].blue - chroma[other].blue, chroma[one].red - chroma[other].red)
            return blue * blue + red * red < reach * reach
        }
        let counts = pixels.indices.map { one in pixels.indices.count { near(one, $0) } }
        guard let best = pixels.indices.max(by: { counts[$0] < counts[$1] }), counts[best] * 4 >= pixels.count else {
            return nil
        }
        let members = pixels.indices.filter { near(best, $0) }.map { pixels[$0] }
        func mean(_ sample: (KeyColor) -> UInt8) -> UInt8 {
            UInt8(members.reduce(0) { $0 + Int(sample($1)) } / members.count)
        }
        let color = KeyColor(red: mean(\.red), green: mean(\.green), blue: mean(\.blue))
        return color.isKey ? color : nil
    }
}
