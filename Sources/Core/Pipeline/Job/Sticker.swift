import Geometry
package import Imaging

/// An image, still or animated, that is drawn on every face.
package struct Sticker: Hashable, Codable, Sendable {
    /// The part of a face that a sticker is anchored to.
    package enum Anchor: String, Hashable, Codable, Sendable, CaseIterable {
        /// The centre between both eyes.
        case eyes
        /// The centre between the corners of the mouth.
        case mouth
        /// The head with its hair.
        case head
        /// The face from hairline to chin.
        case face
    }

    /// The unit of a sticker's width and offset.
    package enum Unit: String, Hashable, Codable, Sendable, CaseIterable {
        /// The width of the face.
        case face
        /// The distance between the eyes.
        case eyes
    }

    /// Whether the head hides a sticker.
    package enum Depth: String, Hashable, Codable, Sendable, CaseIterable {
        /// The sticker is drawn except on the head.
        case behind
        /// The sticker is drawn over the face.
        case front
    }

    /// The images of a sticker.
    package enum Content: Hashable, Codable, Sendable {
        /// A sticker that the program draws.
        case drawn(BuiltInSticker)
        /// One animated file, or several files with one image each; the worker decodes them.
        case files([[UInt8]])
    }

    /// The maximum number of stickers of a job.
    package static let maxStickers = 4
    /// The maximum number of frames of a sticker.
    package static let maxFrames = 100
    /// The maximum number of pixels of all frames of a sticker together.
    package static let maxPixels = 20_000_000
    /// The maximum number of faces with stickers, the largest faces first.
    package static let maxFaces = 32

    /// The sticker's name in requests.
    package var name: String
    package var content: Content
    package var anchor: Anchor
    /// The width in ``unit``.
    package var width: Double
    package var unit: Unit
    /// The offset from the anchor in ``unit``: `x` to the right and `y` down, along the axes of the face.
    package var x = 0.0
    package var y = 0.0
    /// Whether the sticker's lower edge is on the upper edge of the head or face; otherwise the two centres coincide.
    package var stands = false
    package var depth = Depth.front
    /// The duration of each frame in milliseconds; nil for the mean of an animated file, or for 50.
    package var delay: Int?

    /// Whether the position or size depends on the eyes or the mouth, in addition to the boxes of face and head.
    package var needsLandmarks: Bool { [.eyes, .mouth].contains(anchor) || unit == .eyes }

    /// Creates a sticker in front of faces, with its centre on the anchor.
    ///
    /// - Parameters:
    ///   - name: The sticker's name in requests.
    ///   - content: The sticker's image or frames.
    ///   - anchor: The point or box of a face where the sticker is placed.
    ///   - width: The width, in `unit`.
    ///   - unit: The length in a face that scales the sticker.
    package init(name: String, content: Content, anchor: Anchor, width: Double, unit: Unit) {
        self.name = name
        self.content = content
        self.anchor = anchor
        self.width = width
        self.unit = unit
    }

    /// The stickers that are part of the program.
    package static let own: [Sticker] = {
        var halo = Sticker(name: "halo", content: .drawn(.halo), anchor: .face, width: 1, unit: .face)
        halo.stands = true
        var hat = Sticker(name: "hat", content: .drawn(.hat), anchor: .head, width: 1.5, unit: .face)
        hat.stands = true
        hat.y = 0.6
        let glasses = Sticker(name: "glasses", content: .drawn(.glasses), anchor: .eyes, width: 2.1, unit: .eyes)
        var moustache = Sticker(
            name: "moustache",
            content: .drawn(.moustache),
            anchor: .mouth,
            width: 1.25,
            unit: .eyes
        )
        moustache.y = -0.2
        return [halo, glasses, hat, moustache]
    }()
}
