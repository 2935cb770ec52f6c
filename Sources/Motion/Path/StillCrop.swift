import Framing
import Geometry

/// The crop of a shot without people: attention, the fallback, or a requested place; it does not move.
enum StillCrop {
    /// The crop whose place is the median over the samples of a shot.
    static func crop(of samples: [FaceSample], request: MotionRequest, widest: SlidingCrop) -> FractionalRect {
        var framing = request.framing
        framing.fit = .cover
        if framing.fallback == .error || framing.fallback == .original { framing.fallback = .center }
        let profiles = samples.compactMap(\.attention)
        let crops = (profiles.isEmpty ? [.uniform] : profiles).compactMap { profile in
            try? Framer.frame([], in: request.size, aspect: request.aspect, request: framing, attention: profile).crop
        }
        let middles = crops.map { (Double($0.x) + Double($0.width) / 2, Double($0.y) + Double($0.height) / 2) }
        func median(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }
        let share = min(1, median(crops.map { Double($0.width) }) / widest.width)
        let scale = share > 0.99 ? 1 : share
        let (width, height) = (widest.width * scale, widest.height * scale)
        let (x, y) = (median(middles.map(\.0)) - width / 2, median(middles.map(\.1)) - height / 2)
        return FractionalRect(x: x, y: y, width: width, height: height).clamped(to: request.size)
    }
}
