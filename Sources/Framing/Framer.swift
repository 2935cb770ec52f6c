/// What a caller asks of a crop, apart from its shape.
package struct FramingRequest: Hashable, Codable, Sendable {
    /// What the crop is built around.
    package var gravity: Gravity = .faces
    /// What is done when those faces are not there.
    package var fallback: Fallback = .attention
    /// 0 is the widest crop of the shape, 1 the tightest that holds the heads and their padding.
    package var zoom: Double = 0
    /// The room kept around every head.
    package var padding: Padding = .fraction(0.06)
    /// Where in the crop people are to be, as far as keeping them leaves it free.
    package var place: Placement = .center
    /// What happens where the image has another shape.
    package var fit: Fit = .cover

    /// The defaults of the service.
    package init() {}
}

/// A crop, and why it is where it is.
package struct Frame: Hashable, Sendable {
    /// The crop in pixels of the upright image.
    package var crop: PixelRect
    /// Where the crop would be if the image had no end, perhaps reaching over the image's edges: of the same size, but for
    /// the picture of one face, which the image may cut short.
    package var unclamped: PixelRect
    /// What decided, such as `faces` or `fallback:center`.
    package var decision: String
    /// For each subject, in the order given, whether its whole head is inside the crop.
    package var kept: [Bool]
    /// For each subject, in the order given, what the crop means for it.
    package var outcomes: [Outcome]
    /// The bars that make the asked shape of the crop; nil where the crop has it.
    package var letterbox: Letterbox?
}

/// Why no crop could be made.
package enum FramingError: Error, Hashable, Codable, Sendable {
    /// The gravity asks for faces that were not found, and the fallback is ``Fallback/error``.
    case noFace(Gravity)
    /// The image has no pixels.
    case emptyImage
}

/// Chooses crops.
///
/// Pure geometry: the same subjects and request always give the same crop.
package enum Framer {
    /// The crop of the asked shape that keeps as many whole heads as can be kept, centred on them.
    ///
    /// - Parameters:
    ///   - subjects: The people in the image, largest first, in pixels of the upright image.
    ///   - size: The upright image's size.
    ///   - aspect: The crop's shape; nil keeps the image's own.
    ///   - request: Gravity, fallback, zoom, padding and place.
    ///   - attention: Where there is something to look at; consulted when ``FramingRequest/needsAttention(for:)``.
    /// - Returns: A crop inside the image, at least 1 by 1 pixels.
    /// - Throws: ``FramingError/noFace(_:)`` when faces are missing and the caller asked for an error;
    ///   ``FramingError/emptyImage`` when `size` has no pixels.
    package static func frame(
        _ subjects: [Subject],
        in size: PixelSize,
        aspect: AspectRatio?,
        request: FramingRequest,
        attention: AttentionProfile = .empty
    ) throws(FramingError) -> Frame {
        guard size.width > 0, size.height > 0 else { throw .emptyImage }
        if request.fit == .pad { return padded(subjects, in: size, aspect: aspect, gravity: request.gravity) }
        let widest = aspect?.widestCrop(in: size) ?? size
        let placed: PlacedCrop
        var decision = request.gravity.decision
        let chosen = select(request.gravity, from: subjects)
        if request.gravity.needsFaces {
            if chosen.isEmpty {
                decision = "fallback:\(request.fallback.rawValue)"
                placed = try fallbackCrop(request, attention, widest: widest, aspect: aspect, in: size)
            } else {
                placed = peopleCrop(chosen, widest: widest, aspect: aspect, request: request, in: size)
            }
        } else if request.gravity == .attention {
            placed = PlacedCrop(
                attentionCrop(attention, widest: widest, aspect: aspect, zoom: request.zoom, in: size)
            )
        } else {
            placed = placedCrop(request.gravity, widest: widest, in: size)
        }
        if request.fit == .auto, let aspect,
            let frame = frame(
                holding: chosen,
                of: subjects,
                cutBy: placed.crop,
                in: size,
                aspect: aspect,
                padding: request.padding,
                decision: decision
            )
        {
            return frame
        }
        return Frame(placed, decision: decision, subjects: subjects, chosen: chosen, widest: widest)
    }

    /// Those of the people that the gravity asks for.
    static func select(_ gravity: Gravity, from subjects: [Subject]) -> [Subject] {
        switch gravity {
        case .faces:
            subjects
        case .largest:
            subjects.max { $0.face.area < $1.face.area }.map { [$0] } ?? []
        case .smallest:
            subjects.min { $0.face.area < $1.face.area }.map { [$0] } ?? []
        case .face(let index):
            subjects.indices.contains(index - 1) ? [subjects[index - 1]] : []
        case .attention, .center, .top, .bottom, .left, .right, .point:
            []
        }
    }

    private static func fallbackCrop(
        _ request: FramingRequest,
        _ attention: AttentionProfile,
        widest: PixelSize,
        aspect: AspectRatio?,
        in size: PixelSize
    ) throws(FramingError) -> PlacedCrop {
        switch request.fallback {
        case .attention:
            PlacedCrop(attentionCrop(attention, widest: widest, aspect: aspect, zoom: request.zoom, in: size))
        case .center: placedCrop(.center, widest: widest, in: size)
        case .top: placedCrop(.top, widest: widest, in: size)
        case .original: PlacedCrop(PixelRect(size))
        case .error: throw .noFace(request.gravity)
        }
    }

    /// A crop placed without regard to people: at an edge, in the middle, or as near to a focal point as the image allows.
    private static func placedCrop(_ gravity: Gravity, widest: PixelSize, in size: PixelSize) -> PlacedCrop {
        let slackX = size.width - widest.width
        let slackY = size.height - widest.height
        var x = slackX / 2
        var y = slackY / 2
        switch gravity {
        case .top: y = 0
        case .bottom: y = slackY
        case .left: x = 0
        case .right: x = slackX
        case .point(let focalX, let focalY):
            x = Int((focalX * Double(size.width) - Double(widest.width) / 2).rounded())
            y = Int((focalY * Double(size.height) - Double(widest.height) / 2).rounded())
        case .center, .faces, .largest, .smallest, .face, .attention:
            break
        }
        return PlacedCrop(PixelRect(x: x, y: y, width: widest.width, height: widest.height), in: size)
    }
}
