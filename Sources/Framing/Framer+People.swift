extension Framer {
    /// The crop around people: the widest one by an exact search, then tightened by the asked zoom around the kept heads.
    static func peopleCrop(
        _ subjects: [Subject],
        widest: PixelSize,
        aspect: AspectRatio?,
        request: FramingRequest,
        in size: PixelSize
    ) -> PixelRect {
        let padded = subjects.map {
            $0.head.grown(by: request.padding.pixels(headHeight: $0.head.height), in: size)
        }
        let crop = widestCrop(subjects, padded: padded, widest: widest, in: size)
        let kept = subjects.indices.filter { crop.contains(subjects[$0].head) }
        guard request.zoom > 0, !kept.isEmpty else { return crop }
        let tight = kept.map { padded[$0] }.reduce(padded[kept[0]]) { $0.union($1) }
            .intersection(crop)
        let zoomed = zoomedSize(from: widest, to: tight.size, aspect: aspect, zoom: request.zoom)
        let faces = kept.map { subjects[$0].face }.reduce(subjects[kept[0]].face) { $0.union($1) }
        return PixelRect(
            x: start(
                centredOn: Double(faces.x + faces.maxX) / 2,
                length: zoomed.width,
                within: max(0, tight.maxX - zoomed.width)...min(tight.x, size.width - zoomed.width)
            ),
            y: start(
                centredOn: Double(faces.y + faces.maxY) / 2,
                length: zoomed.height,
                within: max(0, tight.maxY - zoomed.height)...min(tight.y, size.height - zoomed.height)
            ),
            width: zoomed.width,
            height: zoomed.height
        )
    }

    private static func widestCrop(
        _ subjects: [Subject],
        padded: [PixelRect],
        widest: PixelSize,
        in size: PixelSize
    ) -> PixelRect {
        // Only one side of the widest crop can be shorter than the image's.
        let slidesDown = widest.height < size.height
        let axis: (PixelRect) -> Range<Int> = slidesDown ? { $0.y..<$0.maxY } : { $0.x..<$0.maxX }
        let search = SlideSearch(
            imageLength: slidesDown ? size.height : size.width,
            cropLength: slidesDown ? widest.height : widest.width,
            people: zip(subjects, padded).map {
                .init(
                    face: axis($0.face),
                    head: axis($0.head),
                    paddedHead: axis($1),
                    reliability: $0.reliability,
                    area: $0.head.area
                )
            }
        )
        let start = position(search, slidesDown: slidesDown)
        return PixelRect(
            x: slidesDown ? 0 : start,
            y: slidesDown ? start : 0,
            width: widest.width,
            height: widest.height
        )
    }

    /// Among the equally good positions, the one that puts the kept faces in the middle of the crop.
    private static func position(_ search: SlideSearch, slidesDown: Bool) -> Int {
        let starts = search.best()
        let score = search.score(at: starts.lowerBound)
        let crop = starts.lowerBound..<(starts.lowerBound + search.cropLength)
        if score.wholeHeads > 0 || (score.wholeFaces > 0 && !slidesDown) {
            let kept = search.people.filter { crop.holds($0.face) }.map(\.face)
            let first = kept.map(\.lowerBound).min() ?? 0
            let last = kept.map(\.upperBound).max() ?? search.imageLength
            return start(centredOn: Double(first + last) / 2, length: search.cropLength, within: starts)
        }
        // No whole head fits this shape. Downwards, cut the hair rather than the face, as little of it as whole faces
        // allow; where not even a face fits, cut the chin rather than the forehead. Sideways, the middle of the face.
        guard let largest = search.people.max(by: { $0.area < $1.area }) else { return starts.lowerBound }
        if slidesDown {
            if score.wholeFaces > 0 {
                return min(max(largest.head.lowerBound, starts.lowerBound), starts.upperBound)
            }
            return min(max(largest.face.lowerBound, 0), search.lastStart)
        }
        let middle = Double(largest.face.lowerBound + largest.face.upperBound) / 2
        return start(centredOn: middle, length: search.cropLength, within: 0...search.lastStart)
    }

    /// The size between the widest crop and the tightest that holds `tight`, in the same shape.
    static func zoomedSize(from widest: PixelSize, to tight: PixelSize, aspect: AspectRatio?, zoom: Double) -> PixelSize
    {
        let shape = aspect?.value ?? Double(widest.width) / Double(widest.height)
        // The side on which `tight` touches first leads; the other follows by the ratio and cannot be too short.
        if Double(tight.width) >= Double(tight.height) * shape {
            let width = interpolated(widest.width, tight.width, zoom)
            let height = Int((Double(width) / shape).rounded())
            return PixelSize(width: width, height: min(max(height, tight.height, 1), widest.height))
        }
        let height = interpolated(widest.height, tight.height, zoom)
        let width = Int((Double(height) * shape).rounded())
        return PixelSize(width: min(max(width, tight.width, 1), widest.width), height: height)
    }

    private static func interpolated(_ widest: Int, _ tight: Int, _ zoom: Double) -> Int {
        max(tight, Int((Double(widest) + (Double(tight) - Double(widest)) * zoom).rounded()))
    }
}

extension Framer {
    /// The picture of one person: the head and its padding, widened to the asked shape as far as the image allows.
    ///
    /// - Parameters:
    ///   - index: The person's place in `subjects`, 1 for the first; it must be there.
    ///   - subjects: The people in the image, in pixels of the upright image.
    ///   - size: The upright image's size.
    ///   - aspect: The shape; nil takes the padded head's own.
    ///   - padding: The room around the head.
    /// - Returns: A crop inside the image that holds the head.
    /// - Throws: ``FramingError/emptyImage`` when `size` has no pixels.
    package static func portrait(
        _ index: Int,
        of subjects: [Subject],
        in size: PixelSize,
        aspect: AspectRatio?,
        padding: Padding
    ) throws(FramingError) -> Frame {
        if let aspect {
            var request = FramingRequest()
            request.gravity = .face(index)
            request.zoom = 1
            request.padding = padding
            return try frame(subjects, in: size, aspect: aspect, request: request)
        }
        guard size.width > 0, size.height > 0 else { throw .emptyImage }
        let head = subjects[index - 1].head
        let crop = head.grown(by: padding.pixels(headHeight: head.height), in: size)
        return Frame(crop: crop, decision: "face:\(index)", kept: subjects.map { crop.contains($0.head) })
    }
}
