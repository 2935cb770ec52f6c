package import Geometry

extension FramingRequest {
    /// Whether faces must be detected before the crop can be placed; not needed if nothing is cut off.
    package var needsFaces: Bool { !fit.showsWhole && gravity.needsFaces }
}

extension Framer {
    /// The whole image, as it is or with bars; known without faces.
    ///
    /// - Parameters:
    ///   - subjects: The people in the image.
    ///   - size: The upright image's size.
    ///   - aspect: The requested shape; nil keeps the image's own.
    ///   - request: The fit, and for bars the gravity: the edge or corner at which the image is placed.
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
        case .cover, .limit, .auto: return nil
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

    /// The frame that contains every head if no crop of the shape can, with the smallest possible bars.
    ///
    /// On one axis it is as long as the heads and their padding need; on the other as long as the shape requires,
    /// which exceeds the image.
    ///
    /// - Parameters:
    ///   - chosen: The people whose heads must be whole.
    ///   - subjects: All people.
    ///   - crop: The best crop without bars.
    ///   - size: The upright image's size.
    ///   - aspect: The requested shape.
    ///   - padding: The room around every head.
    ///   - decision: The decision if no bars are needed.
    /// - Returns: Nil if `crop` contains all those heads. A frame without bars if another crop of the shape contains
    ///   them.
    static func frame(
        holding chosen: [Subject],
        of subjects: [Subject],
        cutBy crop: PixelRect,
        in size: PixelSize,
        aspect: AspectRatio,
        padding: Padding,
        decision: Decision
    ) -> Frame? {
        guard !chosen.allSatisfy({ crop.contains($0.head) }) else { return nil }
        let padded = chosen.map { $0.head.grown(by: padding.pixels(headHeight: $0.head.height), in: size) }
        let heads = PixelRect(around: padded)
        let widest = aspect.widestCrop(in: size)
        let whole = PixelRect(around: chosen.map(\.head))
        if whole.width <= widest.width, whole.height <= widest.height {
            // Faces count more than a pixel of hair, unless nothing may be cut.
            let placed = PlacedCrop(
                widest,
                across: AxisPlacement(imageLength: size.width, held: whole.columns, aim: .middle(on: heads.columns)),
                down: AxisPlacement(imageLength: size.height, held: whole.rows, aim: .middle(on: heads.rows))
            )
            return Frame(
                placed,
                decision: decision,
                subjects: subjects,
                chosen: chosen,
                widest: widest
            )
        }
        let isTooWide = widest.width < size.width
        let shown =
            isTooWide
            ? PixelRect(x: heads.x, y: 0, width: heads.width, height: size.height)
            : PixelRect(x: 0, y: heads.y, width: size.width, height: heads.height)
        var frame = Frame(
            PlacedCrop(shown),
            decision: .pad,
            subjects: subjects,
            chosen: chosen,
            widest: shown.size
        )
        frame.letterbox = Letterbox(around: shown.size, aspect: aspect)
        return frame
    }
}
