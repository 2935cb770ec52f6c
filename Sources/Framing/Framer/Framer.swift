package import Geometry

/// Computes crops.
///
/// Pure geometry: the same subjects and request always give the same crop.
package enum Framer {
    /// The crop of the requested shape that keeps as many whole heads as possible, centred on them.
    ///
    /// - Parameters:
    ///   - subjects: The people in the image, largest first, in pixels of the upright image.
    ///   - focal: The focal areas of the request; they count like people, but have no outcome.
    ///   - size: The upright image's size.
    ///   - aspect: The crop's shape; nil keeps the image's own.
    ///   - request: Gravity, fallback, zoom, padding and place.
    ///   - attention: Where attention lies in the image; used only if ``FramingRequest/needsAttention(for:)``.
    /// - Returns: A crop inside the image, at least 1 by 1 pixels.
    /// - Throws: ``FramingError/noFace(_:)`` if faces are missing and the fallback is ``Fallback/error``;
    ///   ``FramingError/emptyImage`` if `size` has no pixels.
    package static func frame(
        _ subjects: [Subject],
        focal: [Subject] = [],
        in size: PixelSize,
        aspect: AspectRatio?,
        request: FramingRequest,
        attention: AttentionProfile = .uniform
    ) throws(FramingError) -> Frame {
        guard size.width > 0, size.height > 0 else { throw .emptyImage }
        if let frame = whole(subjects, in: size, aspect: aspect, request: request) { return frame }
        let widest = aspect?.widestCrop(in: size) ?? size
        let placed: PlacedCrop
        var decision = Decision(request.gravity)
        let people = select(request.gravity, from: subjects)
        let chosen = people + focal
        if request.gravity.needsFaces || !focal.isEmpty {
            if people.isEmpty { decision = .focus }
            if chosen.isEmpty {
                decision = .fallback(request.fallback)
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

    /// The people that the gravity refers to.
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
        default:
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
        case .bottom: placedCrop(.bottom, widest: widest, in: size)
        case .left: placedCrop(.left, widest: widest, in: size)
        case .right: placedCrop(.right, widest: widest, in: size)
        case .topLeft: placedCrop(.topLeft, widest: widest, in: size)
        case .topRight: placedCrop(.topRight, widest: widest, in: size)
        case .bottomLeft: placedCrop(.bottomLeft, widest: widest, in: size)
        case .bottomRight: placedCrop(.bottomRight, widest: widest, in: size)
        case .original: PlacedCrop(PixelRect(size))
        case .error: throw .noFace(request.gravity)
        }
    }

    /// A crop placed regardless of people: at an edge, in the middle, or as close to a focal point as the image
    /// allows.
    private static func placedCrop(_ gravity: Gravity, widest: PixelSize, in size: PixelSize) -> PlacedCrop {
        let slackX = size.width - widest.width
        let slackY = size.height - widest.height
        let anchor = gravity.anchor ?? (0.5, 0.5)
        var x = Int(Double(slackX) * anchor.left)
        var y = Int(Double(slackY) * anchor.above)
        if case .point(let focalX, let focalY) = gravity {
            x = Int((focalX * Double(size.width) - Double(widest.width) / 2).rounded())
            y = Int((focalY * Double(size.height) - Double(widest.height) / 2).rounded())
        }
        return PlacedCrop(PixelRect(x: x, y: y, width: widest.width, height: widest.height), in: size)
    }
}
