import Framing
import Geometry
import Motion

/// The people of an animation over time.
struct PeopleInFrames {
    /// Frames a second, on average.
    let fps: Double
    /// The number of frames.
    var frames = 0
    /// The first frames of shots.
    var shots: [Int] = []
    /// The people in the frames that were searched.
    var samples: [FaceSample] = []

    init(fps: Double) { self.fps = fps }

    /// The crops of all frames, of the size of `crop`, in pixels of the upright source; nil if they do not move.
    func path(of crop: FramePlan.Crop, in size: PixelSize, framing: FramingRequest) -> [PixelRect]? {
        guard samples.contains(where: { !$0.faces.isEmpty }),
            let aspect = crop.aspect ?? AspectRatio(Double(size.width), Double(size.height))
        else { return nil }
        let request = MotionRequest(size: size, fps: fps, aspect: aspect, framing: framing)
        let planned = ClipPlanner.plan(request, frameCount: frames, shots: shots, samples: samples)
        let rects = planned.map { place($0.crop, crop.rect.size, in: size) }
        guard let first = rects.first, rects.contains(where: { $0 != first }) else { return nil }
        return rects
    }

    /// A rectangle of whole pixels with the middle of `crop`, inside the picture.
    private func place(_ crop: FractionalRect, _ side: PixelSize, in size: PixelSize) -> PixelRect {
        func start(_ middle: Double, _ length: Int, _ whole: Int) -> Int {
            let start = (middle - Double(length) / 2).rounded()
            return Int(min(max(start, 0), Double(max(0, whole - length))))
        }
        return PixelRect(
            x: start(crop.x + crop.width / 2, side.width, size.width),
            y: start(crop.y + crop.height / 2, side.height, size.height),
            width: side.width,
            height: side.height
        )
    }
}
