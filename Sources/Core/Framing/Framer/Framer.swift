package import Geometry
import TotalFunctions

/// Computes crops.
///
/// The computation uses only geometry: the same subjects and request always give the same crop.
package enum Framer {
    /// Returns the crop of the requested aspect ratio that keeps the maximum number of whole heads, centred on them.
    ///
    /// - Parameters:
    ///   - subjects: The people in the image, largest first, in pixels of the upright image.
    ///   - focal: The focal areas of the request; they count like people, but have no outcome.
    ///   - avoided: The areas that the crop moves away from, unless that would cut people.
    ///   - size: The upright image's size.
    ///   - aspect: The crop's aspect ratio; nil keeps the image's own.
    ///   - request: Gravity, fallback, zoom, padding and place.
    ///   - detected: The detected people, animals and things; used only for subjects, and if the people of the gravity
    ///     are missing.
    ///   - attention: The attention profile of the image; used only if ``FramingRequest/needsAttention(for:)``.
    ///   - constants: The constants of crops around people; other values than the default are only for measurements.
    /// - Returns: A crop inside the image, at least 1 by 1 pixels.
    /// - Throws: ``FramingError/noFace(_:)`` if faces are missing and the fallback is ``Fallback/error``;
    ///   ``FramingError/emptyImage`` if `size` has no pixels.
    package static func frame(
        _ subjects: [Subject],
        focal: [Subject] = [],
        avoiding avoided: [AvoidedArea] = [],
        in size: PixelSize,
        aspect: AspectRatio?,
        request: FramingRequest,
        detected: [DetectedSubject] = [],
        attention: AttentionProfile = .uniform,
        constants: PeopleConstants = .chosen
    ) throws(FramingError) -> Frame {
        guard size.width > 0, size.height > 0 else { throw .emptyImage }
        if let frame = whole(subjects, in: size, aspect: aspect, request: request) { return frame }
        let widest = request.widest(aspect, in: size)
        var placed: PlacedCrop
        // The rectangle that the crop must still contain when it moves away from areas.
        var held: PixelRect?
        var decision = Decision(request.gravity)
        let people = select(request.gravity, from: subjects, in: size, constants)
        let chosen = people + focal
        if request.gravity.needsFaces || !focal.isEmpty {
            if people.isEmpty { decision = .focus }
            if chosen.isEmpty {
                let objects = placement(of: detected, request, subjects, in: size)
                let crop = objects.flatMap {
                    subjectCrop($0, in: size, aspect: aspect, request: request, attention: attention)
                }
                if let crop {
                    decision = request.gravity.needsSubjects ? Decision(request.gravity) : .subject
                    (placed, held) = (PlacedCrop(crop), objects?.area(in: crop)?.intersection(crop))
                } else {
                    decision = .fallback(request.fallback)
                    placed = try fallbackCrop(request, attention, widest: widest, aspect: aspect, in: size)
                }
            } else if request.fitsHeads {
                placed = groupCrop(chosen, padding: request.padding, in: size)
                return Frame(placed, decision: decision, subjects: subjects, chosen: chosen, widest: size)
            } else {
                (placed, held) = peopleCrop(
                    chosen,
                    weights: SubjectWeight.weights(of: people, in: size, constants)
                        + focal.map(SubjectWeight.init(focal:)),
                    widest: widest,
                    aspect: aspect,
                    request: request,
                    constants: constants,
                    in: size
                )
            }
        } else if request.gravity == .attention {
            placed = PlacedCrop(attentionCrop(attention, widest: widest, aspect: aspect, zoom: request.zoom, in: size))
        } else {
            placed = placedCrop(request.gravity, at: request.corner, widest: widest, in: size)
        }
        placed = AvoidanceSearch(areas: avoided, size: size).moved(placed, holding: held)
        if request.fit == .auto, let aspect,
            let frame = frame(
                holding: Certainty(of: people, constants).certain(of: people) + focal,
                chosen: chosen,
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
        var frame = Frame(placed, decision: decision, subjects: subjects, chosen: chosen, widest: widest)
        if chosen.isEmpty { frame.subjectArea = held?.intersection(placed.crop) }
        return frame
    }

    /// Returns the people that the gravity refers to; a gravity that compares people chooses a certain person.
    static func select(
        _ gravity: Gravity,
        from subjects: [Subject],
        in size: PixelSize,
        _ constants: PeopleConstants = .chosen
    ) -> [Subject] {
        var certain: [Subject] { Certainty(of: subjects, constants).certain(of: subjects) }
        return switch gravity {
        case .faces:
            subjects
        case .largest:
            certain.max { $0.face.area < $1.face.area }.map { [$0] } ?? []
        case .smallest:
            certain.min { $0.face.area < $1.face.area }.map { [$0] } ?? []
        case .centermost:
            certain.min { $0.face.offCentre(of: size) < $1.face.offCentre(of: size) }.map { [$0] } ?? []
        case .face(let index):
            subjects.indices.contains(index - 1) ? [subjects[index - 1]] : []
        default:
            []
        }
    }

    /// Returns the objects that place the crop: the requested objects, or all objects if the requested faces are
    /// missing.
    ///
    /// All objects are used only with the fallback attention; the value is nil for another fallback.
    private static func placement(
        of detected: [DetectedSubject],
        _ request: FramingRequest,
        _ people: [Subject],
        in size: PixelSize
    ) -> SubjectPlacement? {
        switch request.gravity {
        case .subject: SubjectPlacement(detected, in: size, faces: people)
        case .object(let classes):
            SubjectPlacement(
                detected,
                in: size,
                factors: Dictionary(classes.map { ($0.kind, $0.weight) }, uniquingKeysWith: max)
            )
        default: request.fallback == .attention ? SubjectPlacement(detected, in: size) : nil
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
        case .point(let x, let y): placedCrop(.point(x: x, y: y), widest: widest, in: size)
        case .error: throw .noFace(request.gravity)
        }
    }

    /// Returns a crop placed regardless of people.
    ///
    /// It is at an edge, in the centre, as close to a focal point as the image allows, or with its corner at a point.
    private static func placedCrop(
        _ gravity: Gravity,
        at corner: PixelPoint? = nil,
        widest: PixelSize,
        in size: PixelSize
    ) -> PlacedCrop {
        let slackX = size.width - widest.width
        let slackY = size.height - widest.height
        let anchor = gravity.anchor ?? (0.5, 0.5)
        var x = Int(clamping: Double(slackX) * anchor.left)
        var y = Int(clamping: Double(slackY) * anchor.above)
        if case .point(let focalX, let focalY) = gravity {
            x = Int(clamping: (focalX * Double(size.width) - Double(widest.width) / 2).rounded())
            y = Int(clamping: (focalY * Double(size.height) - Double(widest.height) / 2).rounded())
        } else if let corner {
            (x, y) = (Int(clamping: corner.x.rounded()), Int(clamping: corner.y.rounded()))
        }
        return PlacedCrop(PixelRect(x: x, y: y, width: widest.width, height: widest.height), in: size)
    }
}

extension PixelRect {
    /// Returns the squared distance between the centres of this rectangle and of an image, in quarters of pixels.
    fileprivate func offCentre(of size: PixelSize) -> Int {
        let (across, down) = (x + maxX - size.width, y + maxY - size.height)
        return across * across + down * down
    }
}

extension Framer {
    /// Returns the crop with maximum attention, somewhat smaller than the widest crop if zoom is requested.
    static func attentionCrop(
        _ profile: AttentionProfile,
        widest: PixelSize,
        aspect: AspectRatio?,
        zoom: Double,
        in size: PixelSize
    ) -> PixelRect {
        let across = AttentionSearch(
            profile.columns,
            detail: profile.detailColumns,
            imageLength: size.width,
            axis: .across
        )
        let down = AttentionSearch(profile.rows, detail: profile.detailRows, imageLength: size.height, axis: .down)
        let crop = PixelRect(
            x: across.best(length: widest.width, startingIn: 0...(size.width - widest.width)),
            y: down.best(length: widest.height, startingIn: 0...(size.height - widest.height)),
            width: widest.width,
            height: widest.height
        )
        guard zoom > 0 else { return crop }
        let tight = widest.scaled(by: 1 - AttentionConstants.maxZoom)
        let zoomed = zoomedSize(from: widest, to: tight, aspect: aspect, zoom: zoom)
        // The crop is inside the widest crop, so that zoom only removes parts of it.
        return PixelRect(
            x: across.best(length: zoomed.width, startingIn: crop.x...(crop.maxX - zoomed.width)),
            y: down.best(length: zoomed.height, startingIn: crop.y...(crop.maxY - zoomed.height)),
            width: zoomed.width,
            height: zoomed.height
        )
    }
}

extension Framer {
    /// Returns the whole image, unchanged or with bars; independent of faces.
    ///
    /// - Parameters:
    ///   - subjects: The people in the image.
    ///   - size: The upright image's size.
    ///   - aspect: The requested aspect ratio; nil keeps the image's own.
    ///   - request: The fit, and for bars the gravity, which is the edge or corner where the image is placed.
    /// - Returns: A frame whose crop is the image; nil if the fit may cut something off.
    package static func whole(
        _ subjects: [Subject],
        in size: PixelSize,
        aspect: AspectRatio?,
        request: FramingRequest
    ) -> Frame? {
        let decision: Decision
        switch request.fit {
        case .inside: decision = .inside
        case .outside: decision = .outside
        case .fill: decision = .fill
        case .pad: decision = .pad
        case .cover, .limit, .crop, .auto: return nil
        }
        var frame = Frame(
            PlacedCrop(PixelRect(size)),
            decision: decision,
            subjects: subjects,
            chosen: subjects,
            widest: size
        )
        if request.fit == .pad {
            frame.letterbox = aspect.map { Letterbox(whole: size, aspect: $0, gravity: request.gravity) }
        }
        return frame
    }

    /// Returns the frame that contains every head if no crop of the aspect ratio can, with the smallest possible bars.
    ///
    /// One side has the length of the heads with their padding. The other side has the length that the aspect ratio
    /// requires, which exceeds the image.
    ///
    /// An uncertain head, which may be anything, is cut instead of adding bars.
    ///
    /// - Returns: Nil if `crop`, the best crop without bars, contains the heads of all `people`, which are the certain
    ///   people among `chosen`. A frame without bars, with `decision`, if another crop of the aspect ratio contains
    ///   them.
    static func frame(
        holding people: [Subject],
        chosen: [Subject],
        of subjects: [Subject],
        cutBy crop: PixelRect,
        in size: PixelSize,
        aspect: AspectRatio,
        padding: Padding,
        decision: Decision
    ) -> Frame? {
        guard !people.allSatisfy({ crop.contains($0.head) }) else { return nil }
        let padded = people.map { $0.head.grown(by: padding.pixels(headHeight: $0.head.height), in: size) }
        let heads = PixelRect(around: padded)
        let widest = aspect.widestCrop(in: size)
        let whole = PixelRect(around: people.map(\.head))
        if whole.width <= widest.width, whole.height <= widest.height {
            // A face is more important than a pixel of hair, unless nothing may be cut.
            let placed = PlacedCrop(
                widest,
                across: AxisPlacement(imageLength: size.width, held: whole.columns, aim: .middle(on: heads.columns)),
                down: AxisPlacement(imageLength: size.height, held: whole.rows, aim: .middle(on: heads.rows))
            )
            return Frame(placed, decision: decision, subjects: subjects, chosen: chosen, widest: widest)
        }
        let isTooWide = widest.width < size.width
        let shown =
            isTooWide
            ? PixelRect(x: heads.x, y: 0, width: heads.width, height: size.height)
            : PixelRect(x: 0, y: heads.y, width: size.width, height: heads.height)
        var frame = Frame(PlacedCrop(shown), decision: .pad, subjects: subjects, chosen: chosen, widest: shown.size)
        frame.letterbox = Letterbox(around: shown.size, aspect: aspect)
        return frame
    }
}
