package import Framing
package import Geometry

/// Plans the crops of a whole clip.
package enum ClipPlanner {
    /// The crops of all frames.
    ///
    /// Deterministic, and linear in the number of frames.
    ///
    /// - Parameters:
    ///   - request: The picture and the shape.
    ///   - frameCount: The number of frames.
    ///   - shots: The first frames of the shots, in their order.
    ///   - samples: The detections in some frames, in their order.
    /// - Returns: A crop for each frame.
    package static func plan(
        _ request: MotionRequest,
        frameCount: Int,
        shots: [Int],
        samples: [FaceSample]
    ) -> [PlannedFrame] {
        let starts = [0] + shots.filter { $0 > 0 && $0 < frameCount }
        var planned: [PlannedFrame] = []
        planned.reserveCapacity(frameCount)
        let planner = ShotPlanner(request: request)
        for (shot, start) in starts.enumerated() {
            let end = shot + 1 < starts.count ? starts[shot + 1] : frameCount
            guard start < end else { continue }
            let crops = planner.plan(start..<end, samples: samples.filter { (start..<end).contains($0.frame) })
            for (index, (crop, faces)) in crops.enumerated() {
                planned.append(
                    PlannedFrame(
                        frame: start + index,
                        crop: crop,
                        isCut: index == 0 && start > 0,
                        shot: shot,
                        faces: faces
                    )
                )
            }
        }
        return planned
    }
}

/// What is asked of the crops of a moving picture.
package struct MotionRequest: Sendable {
    /// The size of a frame, in pixels.
    package var size: PixelSize
    /// Frames a second.
    package var fps: Double
    /// The shape of the crops.
    package var aspect: AspectRatio
    /// Gravity, fallback, zoom, padding and place, as for stills.
    package var framing: FramingRequest

    /// A request for crops of a shape.
    package init(size: PixelSize, fps: Double, aspect: AspectRatio, framing: FramingRequest = FramingRequest()) {
        self.size = size
        self.fps = fps
        self.aspect = aspect
        self.framing = framing
    }

    /// The widest crop of the shape.
    var widest: SlidingCrop { SlidingCrop(aspect, in: size) }
}

/// The crop of one frame of a moving picture.
package struct PlannedFrame: Hashable, Sendable {
    /// The number of the frame, counted from 0.
    package var frame: Int
    /// The crop inside the picture, in fractions of pixels.
    package var crop: FractionalRect
    /// Whether the crop jumps here: the frame begins a shot other than the first.
    package var isCut: Bool
    /// The number of the shot, counted from 0.
    package var shot: Int
    /// The number of people assumed in the frame.
    package var faces: Int

    /// A crop of a frame.
    package init(frame: Int, crop: FractionalRect, isCut: Bool, shot: Int, faces: Int) {
        self.frame = frame
        self.crop = crop
        self.isCut = isCut
        self.shot = shot
        self.faces = faces
    }
}
