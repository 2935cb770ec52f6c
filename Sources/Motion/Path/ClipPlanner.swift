import Geometry

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
