import Geometry
package import Imaging

/// An image, still or animated, that is drawn on every face.
package struct Sticker: Hashable, Codable, Sendable {
    /// The part of a face to which a sticker is anchored.
    package enum Anchor: String, Hashable, Codable, Sendable, CaseIterable {
        /// The middle between both eyes.
        case eyes
        /// The middle between the corners of the mouth.
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
        /// The distance of the eyes.
        case eyes
    }

    /// Whether the head hides a sticker.
    package enum Depth: String, Hashable, Codable, Sendable, CaseIterable {
        /// The sticker is drawn except where the head is.
        case behind
        /// The sticker is drawn over the face.
        case front
    }

    /// The images of a sticker.
    package enum Content: Hashable, Codable, Sendable {
        /// One that the program draws.
        case drawn(BuiltInSticker)
        /// Files: one image each, or one animated file. They are decoded in the worker.
        case files([[UInt8]])
    }

    /// The most stickers of a job.
    package static let maxStickers = 4
    /// The most frames of a sticker.
    package static let maxFrames = 100
    /// The most pixels of all frames of a sticker together.
    package static let maxPixels = 20_000_000
    /// The most faces that get stickers, the largest first.
    package static let maxFaces = 32

    /// Its name in requests.
    package var name: String
    package var content: Content
    package var anchor: Anchor
    /// The width in ``unit``.
    package var width: Double
    package var unit: Unit
    /// The offset from the anchor in ``unit``: `x` to the right and `y` down, along the axes of the face.
    package var x = 0.0
    package var y = 0.0
    /// Whether the sticker's lower edge stands on the upper edge of the head or face; otherwise its middle is on the
    /// anchor's.
    package var stands = false
    package var depth = Depth.front
    /// The duration of each frame in milliseconds; nil for the mean of an animated file, or for 50.
    package var delay: Int?

    /// Whether its place or size depends on the eyes or the mouth, and not on the boxes of face and head alone.
    package var needsLandmarks: Bool { [.eyes, .mouth].contains(anchor) || unit == .eyes }

    /// A sticker in front of faces, with its middle on the anchor.
    ///
    /// - Parameters:
    ///   - name: Its name in requests.
    ///   - content: Its image or frames.
    ///   - anchor: The point or box of a face that it is placed on.
    ///   - width: The width, in `unit`.
    ///   - unit: The length of each face by which the sticker is scaled.
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
