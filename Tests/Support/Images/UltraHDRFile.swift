package import Geometry
import Imaging

/// Writes JPEG files with a gain map, as phones do.
package enum UltraHDRFile {
    /// The forms of a gain map's metadata.
    package enum Form: CaseIterable, Sendable { case xmp, iso, both }

    /// Properties of the map, as XML attributes.
    package static let properties =
        "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2.5\" hdrgm:HDRCapacityMin=\"0\" hdrgm:HDRCapacityMax=\"2.5\""

    /// The binary form.
    ///
    /// All channels share one set of values, and the denominator of all values is 8.
    package static let iso: [UInt8] =
        [0, 0, 0, 0, 0] + fraction(0) + fraction(20) + fraction(0) + fraction(20) + fraction(8) + fraction(1)
        + fraction(1)

    private static func fraction(_ eighths: UInt8) -> [UInt8] { [0, 0, 0, eighths, 0, 0, 0, 8] }

    /// A file with the map after the image; its directory states the map's length.
    ///
    /// - Parameters:
    ///   - image: A JPEG file.
    ///   - map: The JPEG file of the map.
    ///   - form: The metadata of the map.
    /// - Returns: The file.
    package static func file(_ image: [UInt8], _ map: [UInt8], _ form: Form) -> [UInt8] {
        var inner: [UInt8] = []
        if form != .iso { inner += segment(0xE1, packet(properties)) }
        if form != .xmp { inner += segment(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + iso) }
        let second = map.prefix(2) + inner + map.dropFirst(2)
        let directory = "<Container:Item Item:Length=\"\(second.count)\" Item:Semantic=\"GainMap\"/>"
        return image.prefix(2) + segment(0xE1, packet("", directory)) + image.dropFirst(2) + second
    }

    private static func packet(_ attributes: String, _ elements: String = "") -> [UInt8] {
        Array("http://ns.adobe.com/xap/1.0/\0<rdf:Description \(attributes)>\(elements)</rdf:Description>".utf8)
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }

    /// An image of waves, and a map of half the image's size.
    package static func sample(_ size: PixelSize, _ form: Form) throws -> [UInt8] {
        let image = try ImageEncoder.encode(try TestImage.waves(size), as: .jpeg)
        let half = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        let map = PlanarImage(
            size: half,
            colorModel: .gray,
            planes: [try Plane(half) { x, y in UInt8(x * 200 / half.width + y * 50 / half.height) }]
        )
        return file(image, try ImageEncoder.encode(map, as: .jpeg, quality: 95), form)
    }
}
