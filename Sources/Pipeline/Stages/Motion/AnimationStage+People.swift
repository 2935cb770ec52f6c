import FaceDetection
import Framing
import Geometry
import Imaging
import Motion

extension AnimationStage {
    /// The time between searched frames in milliseconds, in which people move by less than a head.
    private static let searchInterval = 200

    /// The most people in a frame that a path regards, the largest: its time grows with their square.
    private static let mostPeople = 32

    /// Searches the frames that may begin a shot, one every fifth of a second, and the last one for people.
    ///
    /// - Parameters:
    ///   - search: The passes, of which the finest is used whose pixels in all frames are within
    ///     ``mostSearchedPixels``.
    ///   - spent: The pixels that other searches of the job looked at.
    ///   - detector: The detector of the worker.
    /// - Returns: The people; nil if there are too many frames to search.
    /// - Throws: ``PipelineError``.
    func people(
        _ search: FaceSearch,
        spent: Int,
        detector: inout any FaceDetector
    ) throws(PipelineError) -> PeopleInFrames? {
        let share = max(0, Self.mostSearchedPixels - spent) / max(1, animation.frames)
        guard let pass = search.plan.looks.last(where: { $0.workingSize.area <= share }) else { return nil }
        let fps = min(max(1000 * Double(animation.frames) / Double(max(1, animation.duration)), 1), 100)
        var shots = ShotDetector(fps: fps)
        var people = PeopleInFrames()
        var due = 0
        let stream = try frames()
        while let frame = try next(of: stream) {
            let thumbnail = try thumbnail(of: frame.image)
            let mayBeCut = shots.add(thumbnail)
            people.shots += shots.starts()
            // Nothing is known of the motion after the last search.
            if mayBeCut || people.duration >= due || people.frames == animation.frames - 1 {
                due = people.duration + Self.searchInterval
                let found = try faces(in: frame.image, search, pass, &detector)
                let sightings = found.prefix(Self.mostPeople).map { FaceSighting($0.subject) }
                people.samples.append(FaceSample(frame: people.frames, faces: sightings))
            }
            people.add(frame.milliseconds)
        }
        people.shots += shots.starts(isLast: true)
        return people
    }

    private func faces(
        in image: PlanarImage,
        _ search: FaceSearch,
        _ pass: SearchPlan.Look,
        _ detector: inout any FaceDetector
    ) throws(PipelineError) -> [Face] {
        var findings = FaceFindings(size: header.size, detectorName: detector.name)
        let luma: Plane
        do {
            luma = try image.luma()
        } catch {
            throw .codec(error)
        }
        try search.take(pass, of: luma, detector: &detector, into: &findings)
        let smallest = search.smallestFace ?? 0
        return findings.faces.filter { Double($0.box.size.longSide) >= smallest }.sorted(by: Face.isLarger)
    }

    /// A small picture of a frame: luma, and red and blue instead of chroma, which change as much.
    private func thumbnail(of image: PlanarImage) throws(PipelineError) -> Thumbnail {
        let size = PixelSize(width: Thumbnail.width, height: Thumbnail.height)
        do {
            let luma = try image.luma()
            var samples: [UInt8] = []
            for plane in [luma, image.planes.first ?? luma, image.planes.last ?? luma] {
                let whole = FractionalRect(PixelRect(plane.size))
                let small = try Resampler.resample(plane, region: whole, to: size, filter: .linear)
                samples += small.withUnsafeSamples { bytes in
                    (0..<size.height).flatMap { row in
                        bytes[row * small.bytesPerRow..<row * small.bytesPerRow + size.width]
                    }
                }
            }
            return Thumbnail(samples)
        } catch {
            throw .codec(error)
        }
    }
}
