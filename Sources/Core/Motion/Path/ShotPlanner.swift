import Framing
package import Geometry

/// Plans the crops of one shot whose detections are all known.
package struct ShotPlanner {
    /// The image, the aspect ratio and the framing.
    package let request: MotionRequest

    /// Creates the planner of a request, whose layout is not used.
    package init(request: MotionRequest) { self.request = request }

    /// Plans the crops of a shot's frames, at least one, with the number of people in each frame.
    ///
    /// The samples may include earlier frames. If later frames are expected, `known` is the last frame that has
    /// arrived, and the people in the last sample are assumed to stay until the end. Up to three `past` crops are
    /// continued.
    package func plan(
        _ frames: Range<Int>,
        samples: [FaceSample],
        known: Int? = nil,
        after past: [FractionalRect] = []
    ) -> [ShotFrame] {
        let shot = ShotTracks(samples, frames: frames, known: known, fps: request.fps, size: request.size)
        let chosen = Selection.tracks(request.framing.gravity, of: shot, in: request.size)
        return crops(frames, shot, of: chosen, samples: samples, after: past)
    }

    /// Plans the crops of some frames of a shot around the `chosen` people, with the number of all people in each
    /// frame.
    ///
    /// In a shot without people, attention comes from the samples. Up to three `past` crops are continued.
    package func crops(
        _ frames: Range<Int>,
        _ shot: ShotTracks,
        of chosen: Set<Int>,
        samples: [FaceSample],
        after past: [FractionalRect] = []
    ) -> [ShotFrame] {
        let widest = request.widest
        let present = frames.map { frame in
            shot.present(in: frame).filter(chosen.contains).map { person(shot, $0, frame) }
        }
        let counts = frames.map { shot.present(in: $0).count }
        guard present.contains(where: { !$0.isEmpty }) else {
            let still = past.last ?? StillCrop.crop(of: samples, request: request, widest: widest)
            return counts.map { ShotFrame(crop: still, faces: $0) }
        }
        let places = PlaceSearch(crop: widest, fps: request.fps).path(present, after: past.last)
        let held = zip(present, places).map { people, place in
            people.filter { Self.keeps($0, place: place, crop: widest) }
        }
        return zip(path(held, present: present, widest: widest, after: past), counts)
            .map { ShotFrame(crop: $0, faces: $1) }
    }

    private func path(
        _ held: [[PresentPerson]],
        present: [[PresentPerson]],
        widest: SlidingCrop,
        after past: [FractionalRect]
    ) -> [FractionalRect] {
        // If no head fits into the crop, the crop is placed for all people who are present.
        let wishes = zip(held, present).map { held, present in
            present.isEmpty ? nil : HeldPeople(held.isEmpty ? present : held, request: request, widest: widest)
        }
        let sizes = wishes.compactMap { $0?.aim.width }
        let scale = (sizes.max() ?? widest.width) / widest.width
        let (width, height) = (widest.width * scale, widest.height * scale)
        let side = (width: Double(request.size.width), height: Double(request.size.height))
        let (left, top) = (past.map { $0.x + ($0.width - width) / 2 }, past.map { $0.y + ($0.height - height) / 2 })
        let xs = line(wishes, .across, length: width, side: side.width, unit: width, after: left)
        let ys = line(wishes, .down, length: height, side: side.height, unit: width, after: top)
        return zip(xs, ys).map { FractionalRect(x: $0, y: $1, width: width, height: height) }
    }

    private func line(
        _ wishes: [HeldPeople?],
        _ axis: Axis,
        length: Double,
        side: Double,
        unit: Double,
        after past: [Double]
    ) -> [Double] {
        let room = max(0, side - length)
        let demands = wishes.map { $0?.demand(axis, length: length, room: room) ?? SmoothPath.Demand() }
        return SmoothPath(unit: unit, room: room < 1e-6 ? 0 : room, fps: request.fps)
            .places(demands, after: past.map { min(max($0, 0), room) })
    }

    private func person(_ shot: ShotTracks, _ index: Int, _ frame: Int) -> PresentPerson {
        let (face, head) = shot.subject(index, at: frame)
        let tolerance = Double(shot.tracks[index].last.subject.tolerance)
        return PresentPerson(face: face, head: head, tolerance: tolerance, weight: shot.weight(index, in: frame))
    }

    /// Whether the widest crop at a place keeps the whole head, within the uncertainty of the head's edges.
    static func keeps(_ person: PresentPerson, place: Double, crop: SlidingCrop) -> Bool {
        let (start, end) = person.core.span(crop.axis)
        let slack = person.tolerance + 1
        return start >= place - slack && end <= place + crop.length + slack
    }
}

extension HeldPeople {
    /// Returns the requirement on the place of a crop along an axis.
    fileprivate func demand(_ axis: Axis, length: Double, room: Double) -> SmoothPath.Demand {
        let (aimStart, aimEnd) = aim.span(axis)
        var demand = SmoothPath.Demand(aim: min(max((aimStart + aimEnd - length) / 2, 0), room))
        if let (start, end) = required?.span(axis) {
            let (low, high) = (min(max(end - length, 0), room), min(max(start, 0), room))
            demand.held = min(low, high)...max(low, high)
        }
        return demand
    }
}

/// The fixed crop of a shot without people: attention, the fallback, or a requested place.
private enum StillCrop {
    /// Returns the crop whose place is the median over the samples of a shot.
    static func crop(of samples: [FaceSample], request: MotionRequest, widest: SlidingCrop) -> FractionalRect {
        var framing = request.framing
        framing.fit = .cover
        if framing.fallback == .error || framing.fallback == .original { framing.fallback = .center }
        let profiles = samples.compactMap(\.attention)
        let crops = (profiles.isEmpty ? [.uniform] : profiles).compactMap { profile in
            try? Framer.frame([], in: request.size, aspect: request.aspect, request: framing, attention: profile).crop
        }
        let middles = crops.map { (Double($0.x) + Double($0.width) / 2, Double($0.y) + Double($0.height) / 2) }
        let share = min(1, crops.map { Double($0.width) }.median / widest.width)
        let scale = share > 0.99 ? 1 : share
        let (width, height) = (widest.width * scale, widest.height * scale)
        let (x, y) = (middles.map(\.0).median - width / 2, middles.map(\.1).median - height / 2)
        return FractionalRect(x: x, y: y, width: width, height: height).clamped(to: request.size)
    }
}
