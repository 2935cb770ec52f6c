import CLandmarkTrainer
import FaceDetection
import Foundation
import Geometry
import Imaging
import Pipeline
import Workers

/// A line of landmarks.jsonl: an image and the marked landmarks of its faces, in pixels of the upright image.
struct MarkedImage: Decodable {
    struct Marks: Decodable {
        var leftEye: [Double]
        var rightEye: [Double]
        var nose: [Double]
        var mouthLeft: [Double]
        var mouthRight: [Double]
        /// The marked corners of both eyes, from left to right in the image.
        var eyeCorners: [[Double]]
        var chin: [Double]

        /// All points in the order of CLandmarks.
        var points: [PixelPoint] {
            ([leftEye, rightEye, nose, mouthLeft, mouthRight] + eyeCorners + [chin])
                .map { PixelPoint(x: $0[0], y: $0[1]) }
        }
    }

    var file: String
    var faces: [Marks]

    /// Returns the images of a JSON Lines file.
    static func read(_ file: URL) throws -> [MarkedImage] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            try JSONDecoder().decode(MarkedImage.self, from: Data(line.utf8))
        }
    }

    /// Returns the marked faces that HOG finds, with its boxes; a box must contain the nose.
    func boxedFaces(in folder: URL, hog: WorkerService) async throws -> [MarkedFace] {
        let bytes = try [UInt8](Data(contentsOf: folder.appending(path: file)))
        let found = try await hog.run(FrameJob(source: bytes, target: .plan)).plan.faces
        let luma = try ImageDecoder.decodeLuma(bytes, header: try ImageHeader.read(bytes))
        return faces.compactMap { marks in
            nearest(found, marks).map { MarkedFace($0, marks.points, in: luma, of: file) }
        }
    }

    /// Returns the marked faces that the network finds, with its points in the image and in rotated and smaller copies.
    func nearFaces(in folder: URL, service: WorkerService, network: FaceNetwork) async throws -> [NearFace] {
        let bytes = try [UInt8](Data(contentsOf: folder.appending(path: file)))
        let found = try await service.run(FrameJob(source: bytes, target: .plan)).plan.faces
        let header = try ImageHeader.read(bytes)
        let luma = try ImageDecoder.decodeLuma(bytes, header: header)
        let turned = try TurnedImages(try ImageDecoder.decode(bytes, header: header), network: network)
        return faces.compactMap { marks in
            guard let face = nearest(found, marks), let rough = face.roughLandmarks else { return nil }
            let starts = [NearFace.Start(rough: rough.points, turn: 0)] + turned.starts(of: marks.points)
            return NearFace(MarkedFace(face, marks.points, in: luma, of: file), starts, isConfirmed: face.isConfirmed)
        }
    }

    private func nearest(_ found: [Face], _ marks: Marks) -> Face? {
        let nose = marks.points[2]
        let near = found.filter {
            Double($0.box.x) < nose.x && nose.x < Double($0.box.maxX) && Double($0.box.y) < nose.y
                && nose.y < Double($0.box.maxY)
        }
        return near.min { distance($0, nose) < distance($1, nose) }
    }

    private func distance(_ face: Face, _ point: PixelPoint) -> Double {
        abs(Double(face.box.x) + Double(face.box.width) / 2 - point.x)
            + abs(Double(face.box.y) + Double(face.box.height) / 2 - point.y)
    }
}

/// A marked face with the image around it.
struct MarkedFace {
    /// A square of HR_TRAINER_SIDE grey pixels on a side, with the detector's box in the centre.
    let pixels: [UInt8]
    /// The marks, in pixels of this square.
    private(set) var points: [PixelPoint]
    let pose: UInt32
    /// The name of the image; the faces of one image stay together in a validation.
    let file: String
    /// The centre and the side of the detector's box in the image.
    private let centre: PixelPoint
    private let side: Double

    /// Converts a point of the image to a position in ``pixels``.
    func cut(_ point: PixelPoint) -> PixelPoint {
        let scale = Double(HR_TRAINER_BOX) / side
        return PixelPoint(
            x: (point.x - centre.x) * scale + Double(HR_TRAINER_SIDE) / 2,
            y: (point.y - centre.y) * scale + Double(HR_TRAINER_SIDE) / 2
        )
    }

    init(_ face: Face, _ marks: [PixelPoint], in luma: Plane, of file: String) {
        let centre = PixelPoint(
            x: Double(face.box.x) + Double(face.box.width) / 2,
            y: Double(face.box.y) + Double(face.box.height) / 2
        )
        let side = Double(face.box.width + face.box.height) / 2
        let length = Int(HR_TRAINER_SIDE)
        var pixels = [UInt8](repeating: 0, count: length * length)
        luma.withUnsafeSamples { samples in
            guard let first = samples.baseAddress else { return }
            _ = hr_trainer_cut(
                first,
                luma.size.width,
                luma.size.height,
                luma.bytesPerRow,
                centre.x,
                centre.y,
                side,
                &pixels
            )
        }
        self.pixels = pixels
        (self.centre, self.side) = (centre, side)
        points = []
        pose = UInt32(face.pose.flatMap(Pose.partsOfFrontalDetector.firstIndex) ?? 0)
        self.file = file
        points = marks.map(cut)
    }
}

/// A marked face that the network found.
struct NearFace {
    /// The network's points, in an image that was rotated clockwise by `turn` radians.
    struct Start {
        var rough: [PixelPoint]
        let turn: Double
    }

    let face: MarkedFace
    /// The points in pixels of the face's image; the first element belongs to the unchanged image.
    let starts: [Start]
    /// Whether HOG also found the face.
    let isConfirmed: Bool

    init(_ face: MarkedFace, _ starts: [Start], isConfirmed: Bool) {
        self.face = face
        self.starts = starts.prefix(Int(HR_TRAINER_STARTS)).map { start in
            Start(rough: start.rough.map(face.cut), turn: start.turn)
        }
        self.isConfirmed = isConfirmed
    }
}
