import FaceDetection
import Foundation
import Geometry
import Imaging

/// The network's detections in a rotated or smaller copy of an image, where the errors of its points are different.
struct TurnedImages {
    /// Degrees clockwise, and the long side of the network's input.
    private static let passes: [(degrees: Double, longSide: Int)] = [
        (0, 320), (20, 640), (-20, 640), (40, 640), (-40, 640), (55, 640), (-55, 640),
    ]
    /// Corresponds to a network score of 0.6.
    private static let minConfidence = -0.312

    private struct Pass {
        let turn: Double
        let found: [[PixelPoint]]
    }

    private var passes: [Pass] = []

    init(_ image: PlanarImage, network: FaceNetwork) throws {
        for pass in Self.passes {
            let turn = pass.degrees * .pi / 180
            let (cosine, sine) = (cos(turn), sin(turn))
            let (width, height) = (Double(image.size.width), Double(image.size.height))
            let whole = PixelSize(
                rounding: width * abs(cosine) + height * abs(sine),
                width * abs(sine) + height * abs(cosine)
            )
            let input = FaceNetwork.inputSize(of: whole, longSide: pass.longSide)
            let scale = Double(input.width) / Double(whole.width)
            let small = try Resampler.resample(
                image,
                region: FractionalRect(PixelRect(image.size)),
                to: PixelSize(rounding: max(1, width * scale), max(1, height * scale)),
                model: .rgb,
                filter: .linear
            )
            let planes = try small.planes.prefix(3).map { try Self.turned($0, to: input, cosine, sine) }
            let found = try Self.view(planes[0]) { red in
                try Self.view(planes[1]) { green in
                    try Self.view(planes[2]) { blue in
                        try network.detect(red: red, green: green, blue: blue, threshold: Self.minConfidence)
                    }
                }
            }
            passes.append(
                Pass(
                    turn: turn,
                    found: found.compactMap(\.landmarks).map { landmarks in
                        landmarks.points.map { point in
                            let x = (point.x - Double(input.width) / 2) / scale
                            let y = (point.y - Double(input.height) / 2) / scale
                            return PixelPoint(
                                x: width / 2 + x * cosine + y * sine,
                                y: height / 2 - x * sine + y * cosine
                            )
                        }
                    }
                )
            )
        }
    }

    /// Returns the points that the network found for a marked face, in pixels of the image, for each pass that found the face.
    func starts(of marks: [PixelPoint]) -> [NearFace.Start] {
        let (centre, size) = Self.measure(Array(marks.prefix(5)))
        return passes.compactMap { pass in
            let fitting = pass.found.map { ($0, Self.measure($0)) }.filter { _, one in
                Self.apart(one.centre, centre) < 0.9 * size && one.size > 0.5 * size && one.size < 2 * size
            }
            let nearest = fitting.min { Self.apart($0.1.centre, centre) < Self.apart($1.1.centre, centre) }
            return nearest.map { NearFace.Start(rough: $0.0, turn: pass.turn) }
        }
    }

    private static func measure(_ points: [PixelPoint]) -> (centre: PixelPoint, size: Double) {
        let count = Double(points.count)
        let centre = PixelPoint(
            x: points.reduce(0) { $0 + $1.x } / count,
            y: points.reduce(0) { $0 + $1.y } / count
        )
        return (centre, points.reduce(0) { $0 + apart($1, centre) } / count)
    }

    private static func apart(_ one: PixelPoint, _ other: PixelPoint) -> Double {
        hypot(one.x - other.x, one.y - other.y)
    }

    /// Returns a larger plane that contains the plane, rotated about its centre, on black.
    private static func turned(_ plane: Plane, to size: PixelSize, _ cosine: Double, _ sine: Double) throws -> Plane {
        let (middleX, middleY) = (Double(plane.size.width) / 2, Double(plane.size.height) / 2)
        return try plane.withUnsafeSamples { samples in
            try Plane(size) { x, y in
                let u = Double(x) + 0.5 - Double(size.width) / 2, v = Double(y) + 0.5 - Double(size.height) / 2
                let fromX = middleX + u * cosine + v * sine - 0.5, fromY = middleY - u * sine + v * cosine - 0.5
                let (left, top) = (Int(fromX.rounded(.down)), Int(fromY.rounded(.down)))
                guard left >= 0, top >= 0, left + 1 < plane.size.width, top + 1 < plane.size.height else { return 0 }
                let (right, below) = (fromX - Double(left), fromY - Double(top))
                func at(_ x: Int, _ y: Int) -> Double { Double(samples[y * plane.bytesPerRow + x]) }
                let upper = at(left, top) * (1 - right) + at(left + 1, top) * right
                let lower = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right
                return UInt8((upper * (1 - below) + lower * below).rounded())
            }
        }
    }

    private static func view<Value>(_ plane: Plane, _ body: (LumaImage) throws -> Value) throws -> Value {
        try plane.withUnsafeSamples { samples in
            guard let pixels = samples.baseAddress else { throw DetectionError.invalidImage }
            return try body(LumaImage(pixels: pixels, size: plane.size, bytesPerRow: plane.bytesPerRow))
        }
    }
}
