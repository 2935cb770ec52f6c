import Geometry

/// The positions of crops of any size around the same people.
struct PeoplePlacement {
    private let place: Placement
    private var across: AxisPlacement
    private var down: AxisPlacement

    /// Places people whose whole heads are kept; at least one.
    ///
    /// The padding is in addition to the air of the placement, and every crop contains `held`.
    init(
        _ place: Placement,
        people: [Subject],
        faces: PixelRect,
        padding: Padding,
        held: PixelRect,
        in size: PixelSize
    ) {
        self.place = place
        func room(_ share: Double, _ head: PixelRect) -> Double {
            max(Double(padding.pixels(headHeight: head.height)), share * Double(head.height))
        }
        func first(_ edge: (PixelRect) -> Int) -> Double {
            people.map { Double(edge($0.head)) - room(Placement.air, $0.head) }.min() ?? 0
        }
        func last(_ edge: (PixelRect) -> Int, air: Double) -> Double {
            people.map { Double(edge($0.head)) + room(air, $0.head) }.max() ?? 0
        }
        let middleX = Double(faces.x + faces.maxX) / 2
        let middleY = Double(faces.y + faces.maxY) / 2
        let aimX: AxisPlacement.Aim =
            switch place {
            case .left: .first(first(\.x), middle: middleX)
            case .right: .last(last(\.maxX, air: Placement.air), middle: middleX)
            case .center, .thirds, .top, .bottom: .middle(on: faces.columns)
            case .keep: .share(middleX / Double(size.width), at: middleX)
            case .at(let share, _): .share(share, at: middleX)
            }
        let aimY: AxisPlacement.Aim =
            switch place {
            case .top: .first(first(\.y), middle: middleY)
            case .bottom: .last(last(\.maxY, air: Placement.airBelow), middle: middleY)
            case .thirds: .third(Self.eyeLine(of: people))
            case .center, .left, .right: .middle(on: faces.rows)
            case .keep: .share(middleY / Double(size.height), at: middleY)
            case .at(_, let share): .share(share, at: middleY)
            }
        across = AxisPlacement(imageLength: size.width, held: held.columns, aim: aimX)
        down = AxisPlacement(imageLength: size.height, held: held.rows, aim: aimY)
    }

    /// The same with another required rectangle.
    func holding(_ held: PixelRect) -> PeoplePlacement {
        var copy = self
        copy.across.held = held.columns
        copy.down.held = held.rows
        return copy
    }

    /// The crop of a size; the required rectangle must fit into it.
    func crop(of size: PixelSize) -> PlacedCrop { PlacedCrop(size, across: across, down: down) }

    /// The least size of a crop along the axis of the placement: as large as the image allows with people at their
    /// preferred position, and no smaller than ``Placement/leastLength(of:)``.
    func leastSize(of widest: PixelSize) -> PixelSize {
        func least(_ axis: AxisPlacement, _ length: Int) -> Int {
            min(max(axis.longest, Placement.leastLength(of: length)), length)
        }
        return switch place {
        case .center, .keep: widest
        case .left, .right: PixelSize(width: least(across, widest.width), height: 1)
        case .thirds, .top, .bottom: PixelSize(width: 1, height: least(down, widest.height))
        // The crop keeps its shape, so the axis with less room counts for both.
        case .at:
            widest.scaled(
                by: min(
                    Double(least(across, widest.width)) / Double(widest.width),
                    Double(least(down, widest.height)) / Double(widest.height)
                )
            )
        }
    }

    /// The mean height of the eyes, weighted by the size of the faces.
    private static func eyeLine(of people: [Subject]) -> Double {
        let weight = people.reduce(0.0) { $0 + Double($1.face.area) }
        return people.reduce(0.0) { $0 + $1.eyeLine * Double($1.face.area) } / weight
    }
}

/// One axis of a crop around people: the required interval, and the preferred position.
struct AxisPlacement {
    /// The preferred position of the people, in pixels of the image along the axis.
    enum Aim {
        /// The centre of the crop is here.
        case middle(Double)
        /// The crop begins here, or later so that its centre is not before `middle`.
        case first(Double, middle: Double)
        /// The crop ends here, or earlier so that its centre is not after `middle`.
        case last(Double, middle: Double)
        /// The first of the two lines that divide the crop into thirds is here.
        case third(Double)
        /// A share of the crop's length, 0…1, lies before `at`.
        case share(Double, at: Double)

        /// The centre of the crop is the centre of an interval.
        static func middle(on interval: Range<Int>) -> Aim {
            .middle(Double(interval.lowerBound + interval.upperBound) / 2)
        }
    }

    /// The image's side along the axis.
    let imageLength: Int
    /// The interval that the crop must contain, inside the image and no longer than any crop; nil for none.
    var held: Range<Int>?
    let aim: Aim

    /// The start of a crop of the given length before it is clamped to the image.
    ///
    /// A shorter crop starts later and ends earlier, also after clamping: of two crops the shorter lies inside the
    /// longer, up to one pixel.
    func unclampedStart(length: Int) -> Int {
        let start = Int(wantedStart(length: Double(length)).rounded())
        guard let held else { return start }
        return min(max(start, held.upperBound - length), held.lowerBound)
    }

    /// The longest crop that can start at its preferred position inside the image.
    var longest: Int {
        let end = Double(imageLength)
        let length =
            switch aim {
            case .middle(let middle): 2 * min(middle, end - middle)
            case .first(let first, let middle): min(end - first, 2 * (end - middle))
            case .last(let last, let middle): min(last, 2 * middle)
            case .third(let line): min(3 * line, 1.5 * (end - line))
            case .share(let share, let place):
                min(share > 0 ? place / share : end, share < 1 ? (end - place) / (1 - share) : end)
            }
        return Int(min(max(length, 0), end))
    }

    private func wantedStart(length: Double) -> Double {
        switch aim {
        case .middle(let middle): middle - length / 2
        case .first(let first, let middle): max(first, middle - length / 2)
        case .last(let last, let middle): min(last, middle + length / 2) - length
        case .third(let line): line - length / 3
        case .share(let share, let place): place - length * share
        }
    }
}
