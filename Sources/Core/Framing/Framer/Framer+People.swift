package import Geometry
import TotalFunctions

extension Framer {
    /// Returns the crop around people: an exact search finds the best widest crop, which zoom and placement then
    /// tighten.
    ///
    /// The zoom tightens the crop around the people that it keeps. Without an aspect ratio, the image's own is used.
    ///
    /// - Returns: A crop inside the image, and the rectangle in it that it must still contain if it moves; nil if no
    ///   whole head fits.
    static func peopleCrop(
        _ subjects: [Subject],
        weights: [SubjectWeight],
        widest: PixelSize,
        aspect: AspectRatio?,
        request: FramingRequest,
        constants: PeopleConstants,
        in size: PixelSize
    ) -> (placed: PlacedCrop, held: PixelRect?) {
        let padded = subjects.map {
            $0.head.grown(by: request.padding.pixels(headHeight: $0.head.height), in: size)
        }
        // Only one side of the widest crop can be shorter than the image's side.
        let slidesDown = widest.height < size.height
        var (best, held) = bestCrop(
            subjects,
            weights: weights,
            padded: padded,
            widest: widest,
            slidesDown: slidesDown,
            constants: constants,
            in: size
        )
        var kept = subjects.indices.filter { best.contains(subjects[$0].head) }
        if kept.isEmpty {
            let closest = closestCrop(
                to: subjects,
                weights: weights,
                best: best,
                held: held,
                constants: constants,
                in: size
            )
            best = closest.crop
            held = slidesDown ? best.rows : best.columns
            kept = subjects.indices.filter { best.contains(subjects[$0].head) }
            if kept.isEmpty { return (closest, best) }
        }
        let faces = subjects.map(\.face).filter(best.contains)
        let whole = faces + kept.map { subjects[$0].head } + padded.filter(best.contains)
        let all = PixelRect(around: whole)
        // The rectangle that another crop of the widest size must contain to have the same score.
        let worth = held.map { all.covering($0, ofRows: slidesDown) } ?? all
        let placement = PeoplePlacement(
            request.place,
            people: kept.map { subjects[$0] },
            faces: PixelRect(around: faces),
            padding: request.padding,
            held: worth,
            in: size
        )
        let widestCrop = placement.crop(of: widest)
        guard request.mayTighten else { return (widestCrop, worth) }
        // Padding that does not fit is kept up to the edges of the widest crop.
        let tight = PixelRect(around: whole + kept.map { padded[$0].intersection(widestCrop.crop) })
        // Only a zoomed crop is rounded again.
        let zoomed =
            request.zoom > 0 ? zoomedSize(from: widest, to: tight.size, aspect: aspect, zoom: request.zoom) : widest
        let minimum = placement.minSize(of: widest)
        let placed = zoomedSize(
            from: widest,
            to: PixelSize(width: max(minimum.width, tight.width), height: max(minimum.height, tight.height)),
            aspect: aspect,
            zoom: 1
        )
        let crop = placement.holding(tight).crop(of: placed.area < zoomed.area ? placed : zoomed)
            .inside(widestCrop.crop)
        return (crop, tight)
    }

    /// Returns a widest crop with the best score, and the rows or columns that a crop must contain for the same score.
    private static func bestCrop(
        _ subjects: [Subject],
        weights: [SubjectWeight],
        padded: [PixelRect],
        widest: PixelSize,
        slidesDown: Bool,
        constants: PeopleConstants,
        in size: PixelSize
    ) -> (crop: PixelRect, held: Range<Int>?) {
        let axis: (PixelRect) -> Range<Int> = slidesDown ? { $0.rows } : { $0.columns }
        let search = SlideSearch(
            imageLength: slidesDown ? size.height : size.width,
            cropLength: slidesDown ? widest.height : widest.width,
            subjects: subjects.indices.map { index in
                let subject = subjects[index]
                return .init(
                    face: axis(subject.face),
                    head: axis(subject.head),
                    paddedHead: axis(padded[index]),
                    tolerance: subject.tolerance,
                    weight: weights[index].kept,
                    halvedWeight: weights[index].halved,
                    area: subject.head.area
                )
            },
            constants: constants
        )
        func crop(at start: Int) -> PixelRect {
            PixelRect(
                x: slidesDown ? 0 : start,
                y: slidesDown ? start : 0,
                width: widest.width,
                height: widest.height
            )
        }
        /// Returns the distance to the position with the kept faces in the centre.
        func distance(to starts: ClosedRange<Int>) -> Int {
            let faces = subjects.map(\.face).filter(crop(at: starts.lowerBound).contains)
            guard !faces.isEmpty else { return 0 }
            let kept = axis(PixelRect(around: faces))
            let centred = (kept.lowerBound + kept.upperBound - search.cropLength) / 2
            return max(starts.lowerBound - centred, centred - starts.upperBound, 0)
        }
        let starts = search.bestStarts().min { distance(to: $0) < distance(to: $1) } ?? 0...0
        return (crop(at: starts.lowerBound), search.held(by: starts))
    }

    /// Returns the best widest crop if no widest crop can contain a whole head.
    ///
    /// Vertically, it cuts hair before it cuts the face. It also cuts more hair to make space below the chin, but only
    /// if hair must be cut anyway. If not even a face fits, it uses ``Subject/top(ofPartWith:cutting:)``. Horizontally,
    /// it is centred on the faces, or on the largest certain face; a blurred face counts with a part of its area.
    private static func closestCrop(
        to subjects: [Subject],
        weights: [SubjectWeight],
        best: PixelRect,
        held interval: Range<Int>?,
        constants: PeopleConstants,
        in size: PixelSize
    ) -> PlacedCrop {
        let areas = zip(subjects, weights).map { $1.isCertain ? Double($0.head.area) * $1.focus : 0 }
        guard let index = areas.indices.max(by: { areas[$0] < areas[$1] }) else { return PlacedCrop(best) }
        let largest = subjects[index]
        let faces = subjects.map(\.face).filter(best.contains)
        let slidesDown = best.height < size.height
        var held = faces.isEmpty ? nil : PixelRect(around: faces)
        let shown = held ?? largest.face
        // The tolerance of the faces' edges has priority over hair.
        if let interval { held = held?.covering(interval, ofRows: slidesDown) }
        let room = min(
            Int((constants.chinRoom * Double(largest.face.height)).rounded()),
            largest.tolerance + max(0, largest.head.height - best.height)
        )
        let top =
            held == nil
            ? largest.top(ofPartWith: best.height, cutting: constants.chinCut)
            : Double(max(largest.head.y, shown.maxY + room - best.height))
        return PlacedCrop(
            best.size,
            across: AxisPlacement(imageLength: size.width, held: held?.columns, aim: .middle(on: shown.columns)),
            down: AxisPlacement(
                imageLength: size.height,
                held: held?.rows,
                aim: slidesDown ? .first(top, middle: top) : .middle(on: shown.rows)
            )
        )
    }

    /// Returns the size between the widest crop and the tightest crop that holds `tight`, in the same aspect ratio.
    static func zoomedSize(from widest: PixelSize, to tight: PixelSize, aspect: AspectRatio?, zoom: Double) -> PixelSize
    {
        let shape = aspect?.value ?? Double(widest.width) / Double(widest.height)
        // The side where `tight` touches first determines the size; the other side follows from the ratio and is long
        // enough.
        if Double(tight.width) >= Double(tight.height) * shape {
            let width = interpolated(widest.width, tight.width, zoom)
            let height = Int(clamping: (Double(width) / shape).rounded())
            return PixelSize(width: width, height: min(max(height, tight.height, 1), widest.height))
        }
        let height = interpolated(widest.height, tight.height, zoom)
        let width = Int(clamping: (Double(height) * shape).rounded())
        return PixelSize(width: min(max(width, tight.width, 1), widest.width), height: height)
    }

    private static func interpolated(_ widest: Int, _ tight: Int, _ zoom: Double) -> Int {
        max(tight, Int(clamping: (Double(widest) + (Double(tight) - Double(widest)) * zoom).rounded()))
    }
}

extension Framer {
    /// Returns the rectangle around heads and their padding, clipped to the image.
    static func groupCrop(_ subjects: [Subject], padding: Padding, in size: PixelSize) -> PlacedCrop {
        let unclamped = subjects.map { subject in
            subject.head.grown(by: padding.pixels(headHeight: subject.head.height))
        }
        let around = PixelRect(around: unclamped)
        return PlacedCrop(around.intersection(PixelRect(size)), unclamped: around)
    }

    /// Returns the portrait of one person.
    ///
    /// The crop contains the head and its padding, and is extended to the requested aspect ratio within the image.
    ///
    /// - Parameters:
    ///   - index: The index of the person in `subjects`, 1 for the first; it must exist.
    ///   - subjects: The people in the image, in pixels of the upright image.
    ///   - size: The upright image's size.
    ///   - aspect: The aspect ratio; nil for the aspect ratio of the padded head.
    ///   - padding: The padding around the head.
    /// - Returns: A crop inside the image that contains the head.
    /// - Throws: ``FramingError/emptyImage`` if `size` has no pixels.
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
        let subject = subjects[index - 1]
        let placed = groupCrop([subject], padding: padding, in: size)
        return Frame(placed, decision: .face(index), subjects: subjects, chosen: [subject], widest: size)
    }
}

extension PixelRect {
    /// Returns this rectangle, extended until it covers an interval of rows or columns.
    fileprivate func covering(_ interval: Range<Int>, ofRows isRows: Bool) -> PixelRect {
        union(
            isRows
                ? PixelRect(x: x, y: interval.lowerBound, width: width, height: interval.count)
                : PixelRect(x: interval.lowerBound, y: y, width: interval.count, height: height)
        )
    }
}
