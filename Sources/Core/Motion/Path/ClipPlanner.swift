import Framing
import Geometry

/// Plans the crops of a whole clip.
package enum ClipPlanner {
    /// Returns the crops of all frames, in the layout ``Layout/follow``.
    ///
    /// The result is deterministic, and the time is linear in the number of frames.
    ///
    /// - Parameters:
    ///   - request: The image and the aspect ratio; its layout is not used.
    ///   - frameCount: The number of frames.
    ///   - shots: The first frames of the shots, in order.
    ///   - samples: The detections in some frames, in order.
    /// - Returns: A crop for each frame.
    package static func plan(
        _ request: MotionRequest,
        frameCount: Int,
        shots: [Int],
        samples: [FaceSample]
    ) -> [PlannedFrame] {
        ranges(of: shots, frameCount: frameCount).flatMap { number, range in
            let own = samples.filter { range.contains($0.frame) }
            let planned = ShotPlanner(request: request).plan(range, samples: own)
            return zip(range, planned).map { frame, planned in
                PlannedFrame(
                    frame: frame,
                    crop: planned.crop,
                    isCut: frame == range.lowerBound && frame > 0,
                    shot: number,
                    faces: planned.faces
                )
            }
        }
    }

    /// Returns the frames of each shot that is not empty, with the number of the shot.
    ///
    /// - Parameters:
    ///   - shots: The first frames of the shots, in order; 0 is added, and frames outside the clip are ignored.
    ///   - frameCount: The number of frames of the clip.
    /// - Returns: Half-open ranges of frames, in order; numbers are counted from 0.
    package static func ranges(of shots: [Int], frameCount: Int) -> [(number: Int, frames: Range<Int>)] {
        let starts = [0] + shots.filter { $0 > 0 && $0 < frameCount }
        return starts.enumerated().compactMap { number, start in
            let end = number + 1 < starts.count ? starts[number + 1] : frameCount
            return start < end ? (number, start..<end) : nil
        }
    }
}
