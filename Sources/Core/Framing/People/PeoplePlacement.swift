import Geometry

/// The positions of crops of any size around the same people.
struct PeoplePlacement {
    private let place: Placement
    private var across: AxisPlacement
    private var down: AxisPlacement

    /// Places people as requested.
    ///
    /// - Parameters:
    ///   - place: The preferred position in the crop.
    ///   - people: The people whose whole heads are kept; at least one.
    ///   - faces: All kept faces.
    ///   - padding: The padding around every head, in addition to the space of the placement.
    ///   - held: The rectangle that every crop must contain.
    ///   - size: The size of the image.
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

    /// Returns the same placement with another required rectangle.
    func holding(_ held: PixelRect) -> PeoplePlacement {
        var copy = self
        copy.across.held = held.columns
        copy.down.held = held.rows
        return copy
    }

    /// Returns the crop of a size; the required rectangle must fit into it.
    func crop(of size: PixelSize) -> PlacedCrop { PlacedCrop(size, across: across, down: down) }

    /// Returns the minimum size of a crop along the axis of the placement.
    ///
    /// It is the maximum size that lets people be at their preferred position inside the image, and at least
    /// ``Placement/minLength(of:)``.
    func minSize(of widest: PixelSize) -> PixelSize {
        func minimum(_ axis: AxisPlacement, _ length: Int) -> Int {
            min(max(axis.longest, Placement.minLength(of: length)), length)
        }
        return switch place {
        case .center, .keep: widest
        case .left, .right: PixelSize(width: minimum(across, widest.width), height: 1)
        case .thirds, .top, .bottom: PixelSize(width: 1, height: minimum(down, widest.height))
        // The crop keeps its aspect ratio, so the axis with less space determines both sides.
        case .at:
            widest.scaled(
                by: min(
                    Double(minimum(across, widest.width)) / Double(widest.width),
                    Double(minimum(down, widest.height)) / Double(widest.height)
                )
            )
        }
    }

    /// Returns the mean height of the eyes, weighted by the size of the faces.
    private static func eyeLine(of people: [Subject]) -> Double {
        let weight = people.reduce(0.0) { $0 + Double($1.face.area) }
        return people.reduce(0.0) { $0 + $1.eyeLine * Double($1.face.area) } / weight
    }
}
