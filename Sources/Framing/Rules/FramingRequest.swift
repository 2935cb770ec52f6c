package import Geometry

/// The requested properties of a crop, apart from its shape.
package struct FramingRequest: Hashable, Codable, Sendable {
    /// The subject of the crop.
    package var gravity: Gravity = .faces
    /// Rectangles that count like heads; only with ``Gravity/focus`` and gravities that need faces.
    package var focal: [FocalArea] = []
    /// How far the crop lies from the edges at which the gravity places it; only with the nine compass points.
    package var offset: GravityOffset?
    /// The top left corner of the crop in pixels of the image, which ``offset`` determines with the size of the result.
    package var corner: PixelPoint?
    /// The size of the crop in pixels of the image with ``Fit/crop``; nil for the widest of its shape.
    package var cropSize: PixelSize?
    /// The crop if those faces are not found.
    package var fallback: Fallback = .attention
    /// 0 is the widest crop of the shape, 1 the tightest that contains the heads and their padding.
    package var zoom: Double = 0
    /// The room kept around every head.
    package var padding: Padding = .fraction(0.06)
    /// The preferred position of people in the crop.
    package var place: Placement = .center
    /// The treatment of an image of another shape.
    package var fit: Fit = .cover
    /// Whether the crop is the rectangle around the heads and their padding, whatever its shape.
    package var hugsHeads = false

    /// The defaults of the service.
    package init() {}
}

extension FramingRequest {
    /// Whether the crop may be smaller than the widest of its shape.
    package var mayTighten: Bool { zoom > 0 || place != .center || fit == .crop }
}

/// Reasons for which no crop is possible.
package enum FramingError: Error, Hashable, Codable, Sendable {
    /// The requested faces were not found, and the fallback is ``Fallback/error``.
    case noFace(Gravity)
    /// The image has no pixels.
    case emptyImage
}

/// The treatment of a picture whose shape differs from the requested one.
package enum Fit: String, Hashable, Codable, Sendable, CaseIterable {
    /// Fills the result and cuts off the rest.
    case cover
    /// Fills the result and cuts off the rest; a requested side longer than the picture's is first reduced to it.
    case limit
    /// Cuts a rectangle of the requested size out of the picture, which is not scaled.
    case crop
    /// Shows the whole picture in its own shape, as large as the requested size allows.
    case inside
    /// Shows the whole picture in its own shape, as small as covers the requested size.
    case outside
    /// Stretches the whole picture to the requested shape.
    case fill
    /// Shows the whole picture with bars beside it.
    case pad
    /// Cuts off the rest unless that would cut a head; then adds the smallest bars that make room for all heads.
    case auto

    /// Whether the result has the shape of the picture, and width and height are a box.
    package var keepsShape: Bool { self == .inside || self == .outside }

    /// Whether nothing is cut off, so that the crop does not depend on faces.
    package var showsWhole: Bool {
        switch self {
        case .inside, .outside, .fill, .pad: true
        case .cover, .limit, .crop, .auto: false
        }
    }
}

/// The crop if the faces of the gravity are not found.
package enum Fallback: Hashable, Codable, Sendable {
    /// The crop with the most attention.
    case attention
    /// The crop in the middle, at an edge or in a corner of the image; portraits show people at the top.
    case center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight
    /// The whole image, uncropped.
    case original
    /// No crop: an error reports that no face was found.
    case error
    /// The crop as close to a focal point as the image allows, each coordinate 0…1 from its top left corner.
    case point(x: Double, y: Double)

    /// Those without an argument.
    package static let plain: [Fallback] = [
        .attention, .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight, .original,
        .error,
    ]

    /// The word in parameters and decisions; `point` without its coordinates.
    package var word: String {
        switch self {
        case .attention: "attention"
        case .center: "center"
        case .top: "top"
        case .bottom: "bottom"
        case .left: "left"
        case .right: "right"
        case .topLeft: "top-left"
        case .topRight: "top-right"
        case .bottomLeft: "bottom-left"
        case .bottomRight: "bottom-right"
        case .original: "original"
        case .error: "error"
        case .point: "point"
        }
    }
}

/// The preferred position of people in the crop.
///
/// The kept people are determined first, so that no placement cuts a head.
package enum Placement: Hashable, Codable, Sendable {
    /// Their faces in the middle.
    case center
    /// Their eyes on the upper of the two lines that divide the crop's height into thirds.
    case thirds
    /// At the left, with room to the right of them; never further right than the middle.
    case left
    /// At the right, with room to the left of them.
    case right
    /// At the top, with room below them.
    case top
    /// At the bottom, with room above them.
    case bottom
    /// The middle of their faces where it is in the image, as shares of its sides.
    case keep
    /// The middle of their faces at shares of the crop's sides, each 0…1 from its top left corner.
    case at(x: Double, y: Double)

    /// Those without an argument.
    package static let plain: [Placement] = [.center, .thirds, .left, .right, .top, .bottom, .keep]

    /// The word in parameters; two numbers for a place in shares.
    package var word: String {
        switch self {
        case .center: "center"
        case .thirds: "thirds"
        case .left: "left"
        case .right: "right"
        case .top: "top"
        case .bottom: "bottom"
        case .keep: "keep"
        case .at(let x, let y): "\(x),\(y)"
        }
    }

    /// The room between a head and the edge at which it is placed, as a share of the head's height: for the shoulders.
    static let air = 0.5

    /// The same for the lower edge, at which a head without a neck would look cut off.
    static let airBelow = 1.0

    /// The least side of a crop that is shortened for a placement: two thirds of its possible length.
    static func leastLength(of length: Int) -> Int { length - length / 3 }
}

/// The room kept around every head.
package enum Padding: Hashable, Codable, Sendable {
    /// A share of the head's height, 0…10.
    case fraction(Double)
    /// Pixels of the source image, 0…100,000.
    case pixels(Int)

    /// The room in pixels around a head of the given height.
    package func pixels(headHeight: Int) -> Int {
        switch self {
        case .fraction(let fraction): Int((fraction * Double(headHeight)).rounded())
        case .pixels(let pixels): pixels
        }
    }
}

/// A length along one side of a picture whose size is not known yet.
package enum Length: Hashable, Codable, Sendable {
    /// A share of the side, 0…1.
    case share(Double)
    /// Pixels of the upright picture, 0…100,000.
    case pixels(Int)

    /// The length in pixels along a side of `side` pixels, not rounded.
    func pixels(of side: Int) -> Double {
        switch self {
        case .share(let share): share * Double(side)
        case .pixels(let pixels): Double(pixels)
        }
    }

    /// Whether the length is 0.
    package var isZero: Bool {
        switch self {
        case .share(let share): share == 0
        case .pixels(let pixels): pixels == 0
        }
    }
}
