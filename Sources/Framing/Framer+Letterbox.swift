extension FramingRequest {
    /// Whether faces must be found before the crop can be placed: not where nothing is cut off.
    package var needsFaces: Bool { fit != .pad && gravity.needsFaces }
}

extension Framer {
    /// The word that says in an answer that bars decided.
    private static let decision = "pad"

    /// The whole image, with bars where it has not the asked shape.
    ///
    /// - Parameters:
    ///   - subjects: The people in the image.
    ///   - size: The upright image's size.
    ///   - aspect: The asked shape; nil keeps the image's own.
    ///   - gravity: The edge at which the image lies; any other puts it in the middle.
    /// - Returns: A frame whose crop is the image.
    package static func padded(
        _ subjects: [Subject],
        in size: PixelSize,
        aspect: AspectRatio?,
        gravity: Gravity
    ) -> Frame {
        var frame = Frame(
            PlacedCrop(PixelRect(size)),
            decision: decision,
            subjects: subjects,
            chosen: subjects,
            widest: size
        )
        frame.letterbox = aspect.map { Letterbox(whole: size, aspect: $0, gravity: gravity) }
        return frame
    }

    /// The frame that holds every head where no crop of the shape can, with the smallest bars that this takes.
    ///
    /// Along one axis it is as long as the heads and their padding need, along the other as the shape then asks, which is
    /// more than the image has.
    ///
    /// - Parameters:
    ///   - chosen: The people whose heads are to be whole.
    ///   - subjects: All people.
    ///   - crop: The best crop without bars.
    ///   - size: The upright image's size.
    ///   - aspect: The asked shape.
    ///   - padding: The room around every head.
    ///   - word: What decided where there is no need for bars.
    /// - Returns: Nil when `crop` has all those heads. Without bars where another crop of the shape has them.
    static func frame(
        holding chosen: [Subject],
        of subjects: [Subject],
        cutBy crop: PixelRect,
        in size: PixelSize,
        aspect: AspectRatio,
        padding: Padding,
        decision word: String
    ) -> Frame? {
        guard !chosen.allSatisfy({ crop.contains($0.head) }) else { return nil }
        let padded = chosen.map { $0.head.grown(by: padding.pixels(headHeight: $0.head.height), in: size) }
        let heads = PixelRect(around: padded)
        let widest = aspect.widestCrop(in: size)
        let whole = PixelRect(around: chosen.map(\.head))
        if whole.width <= widest.width, whole.height <= widest.height {
            // Faces weigh more than a pixel of hair, unless nothing may be cut.
            let placed = PlacedCrop(
                widest,
                across: AxisPlacement(imageLength: size.width, held: whole.columns, aim: .middle(on: heads.columns)),
                down: AxisPlacement(imageLength: size.height, held: whole.rows, aim: .middle(on: heads.rows))
            )
            return Frame(
                placed,
                decision: word,
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
            decision: decision,
            subjects: subjects,
            chosen: chosen,
            widest: shown.size
        )
        frame.letterbox = Letterbox(around: shown.size, aspect: aspect)
        return frame
    }
}
