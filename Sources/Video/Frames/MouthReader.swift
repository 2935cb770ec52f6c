import FaceDetection
import Geometry
import Imaging
import Pipeline

/// Extracts patches of mouths from the frames of a video, to determine the speaker.
struct MouthReader {
    /// The minimum distance between the eyes, in pixels.
    ///
    /// The mouth of a smaller face has too few pixels.
    static let minEyes = 9.0
    /// The minimum confidence of landmarks in HOG's boxes, which is not a probability.
    private static let minConfidence = 0.2
    /// The motion of a face between two frames that halves the measured motion of its lips, because it blurs them.
    ///
    /// The unit is the distance between the eyes.
    private static let blurring = 0.2
    /// The sides of the patches, in units of the distance between the eyes.
    private static let (width, mouthHeight, restHeight) = (1.6, 1.15, 0.6)
    /// The distance from the eyes down to the centre of the reference patch, in units of the distance between the eyes.
    ///
    /// The patch shows nose and cheeks, but not the eyes, because they blink.
    private static let restPlace = 0.5
    /// The distance from the corners of the mouth down to the centre of the mouth patch, where the lower lip moves, in
    /// units of the distance between the eyes.
    private static let mouthPlace = 0.1

    private let boxed, near: LandmarkModel

    /// - Throws: ``PipelineError/detector(_:)`` if the landmarks cannot be read.
    init() throws(PipelineError) {
        boxed = try LandmarkModel.loaded()
        near = try detecting("landmarks") { try LandmarkModel.near.get() }
    }

    /// A face's mouth in a frame.
    struct Reading {
        let patch: MouthPatch
        let landmarks: FaceLandmarks
    }

    /// The mouth of a face; nil if it is too small or not visible, or if its landmarks are uncertain.
    func reading(of face: Face, in luma: Plane) throws(PipelineError) -> Reading? {
        let found = try detecting("landmarks") { () throws -> FaceLandmarks? in
            try luma.withView { (view) throws -> FaceLandmarks? in
                if face.finder == .network, let rough = face.roughLandmarks {
                    return try near.landmarks(near: rough, in: view).flatMap(\.ifSure)
                }
                guard face.pose != nil, face.box.width > 1, face.box.height > 1 else { return nil }
                let found = try boxed.landmarks(of: Detection(box: face.box, confidence: 1, pose: face.pose), in: view)
                return found.flatMap { $0.confidence >= Self.minConfidence ? $0 : nil }
            }
        }
        guard let found else { return nil }
        return luma.withUnsafeSamples { Self.patch(found, $0, luma) }.map { Reading(patch: $0, landmarks: found) }
    }

    /// The motion of the lips of a face over successive frames; the face was found in the last frame.
    ///
    /// - Returns: The mean of ``MouthPatch/lips(to:)`` over the frames; nil if the mouth was visible in fewer than two
    ///   frames.
    func lips(of face: Face, in frames: [Plane]) throws(PipelineError) -> Double? {
        guard let last = frames.last, let here = try reading(of: face, in: last) else { return nil }
        var (readings, next) = ([here], here)
        for frame in frames.dropLast().reversed() {
            guard let before = try reading(of: face, in: frame), before.landmarks.isNear(next.landmarks) else { break }
            readings.append(before)
            next = before
        }
        guard readings.count > 1 else { return nil }
        let motions = zip(readings, readings.dropFirst()).map { later, earlier in
            let own = later.landmarks.motion(from: earlier.landmarks) / Self.blurring
            return earlier.patch.lips(to: later.patch) / (1 + own * own)
        }
        return motions.reduce(0, +) / Double(motions.count)
    }

    /// The patches at landmarks, upright; nil if the face is too small.
    private static func patch(
        _ landmarks: FaceLandmarks,
        _ samples: UnsafeBufferPointer<UInt8>,
        _ luma: Plane
    ) -> MouthPatch? {
        let (left, right) = (landmarks.leftEye, landmarks.rightEye)
        let (across, down) = (right.x - left.x, right.y - left.y)
        let eyes = (across * across + down * down).squareRoot()
        guard eyes >= minEyes, eyes < 1e5 else { return nil }
        let axis = (x: across / eyes, y: down / eyes)
        let middle = left.middle(to: right)
        let mouth = landmarks.mouthLeft.middle(to: landmarks.mouthRight)
        // Uses the axis of the face, so that a mouth pulled to one side does not move the patch.
        let depth = (mouth.x - middle.x) * -axis.y + (mouth.y - middle.y) * axis.x
        guard (0.4...2).contains(depth / eyes) else { return nil }
        func samplesOf(_ place: Double, height: Double) -> [UInt8] {
            let centre = PixelPoint(x: middle.x - axis.y * place, y: middle.y + axis.x * place)
            let steps = (width * eyes / Double(MouthPatch.width), height * eyes / Double(MouthPatch.height))
            return sampled(samples, luma, centre, axis, steps)
        }
        return MouthPatch(
            mouth: samplesOf(depth + mouthPlace * eyes, height: mouthHeight),
            rest: samplesOf(restPlace * eyes, height: restHeight)
        )
    }

    /// The means of pixels on a rotated grid.
    ///
    /// Beyond the frame, its edge pixels are repeated.
    private static func sampled(
        _ samples: UnsafeBufferPointer<UInt8>,
        _ luma: Plane,
        _ centre: PixelPoint,
        _ axis: (x: Double, y: Double),
        _ steps: (across: Double, down: Double)
    ) -> [UInt8] {
        let finest = max(1, min(8, Int(max(steps.across, steps.down).rounded(.up))))
        var result: [UInt8] = []
        result.reserveCapacity(MouthPatch.width * MouthPatch.height)
        for row in 0..<MouthPatch.height {
            for column in 0..<MouthPatch.width {
                var sum = 0.0
                for part in 0..<finest * finest {
                    let (right, below) = (part % finest, part / finest)
                    let u =
                        (Double(column) - Double(MouthPatch.width) / 2 + (Double(right) + 0.5) / Double(finest))
                        * steps.across
                    let v =
                        (Double(row) - Double(MouthPatch.height) / 2 + (Double(below) + 0.5) / Double(finest))
                        * steps.down
                    sum += sample(
                        samples,
                        luma,
                        centre.x + u * axis.x - v * axis.y - 0.5,
                        centre.y + u * axis.y + v * axis.x - 0.5
                    )
                }
                result.append(UInt8(min(255, max(0, (sum / Double(finest * finest)).rounded()))))
            }
        }
        return result
    }

    /// The luma at a position, by linear interpolation between four pixels.
    private static func sample(_ samples: UnsafeBufferPointer<UInt8>, _ luma: Plane, _ x: Double, _ y: Double) -> Double
    {
        let (x, y) = (min(max(x, 0), Double(luma.size.width - 1)), min(max(y, 0), Double(luma.size.height - 1)))
        let (left, top) = (Int(x), Int(y))
        let (right, below) = (min(left + 1, luma.size.width - 1), min(top + 1, luma.size.height - 1))
        let (u, v) = (x - Double(left), y - Double(top))
        func at(_ x: Int, _ y: Int) -> Double { Double(samples[y * luma.bytesPerRow + x]) }
        return (1 - v) * ((1 - u) * at(left, top) + u * at(right, top)) + v
            * ((1 - u) * at(left, below) + u * at(right, below))
    }
}

extension FaceLandmarks {
    /// The motion of eyes and nose since another frame, in units of the distance between the eyes.
    fileprivate func motion(from other: FaceLandmarks) -> Double {
        let still =
            leftEye.distance(to: other.leftEye) + rightEye.distance(to: other.rightEye) + nose.distance(to: other.nose)
        return still / 3 / max(1, leftEye.distance(to: rightEye))
    }
}
