import CLandmarkTrainer
import FaceDetection
import Foundation
import Geometry
import Imaging
import Pipeline
import Workers

/// A line of landmarks.jsonl: a picture and the marks of its faces, in pixels of the upright picture.
struct MarkedPicture: Decodable {
    struct Marks: Decodable {
        var leftEye: [Double]
        var rightEye: [Double]
        var nose: [Double]
        var mouthLeft: [Double]
        var mouthRight: [Double]
        /// Of both eyes, from the viewer's left to the right.
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

    /// The pictures of a file of JSON lines.
    static func read(_ file: URL) throws -> [MarkedPicture] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            try JSONDecoder().decode(MarkedPicture.self, from: Data(line.utf8))
        }
    }

    /// The marked faces that the detector finds: those whose nose is in a box.
    func faces(in folder: URL, service: WorkerService) async throws -> [MarkedFace] {
        let bytes = try [UInt8](Data(contentsOf: folder.appending(path: file)))
        let found = try await service.run(FrameJob(source: bytes, target: .plan)).plan.faces
        let luma = try ImageDecoder.decodeLuma(bytes, header: try ImageHeader.read(bytes))
        return faces.compactMap { marks in
            let nose = marks.points[2]
            let near = found.filter {
                Double($0.box.x) < nose.x && nose.x < Double($0.box.maxX) && Double($0.box.y) < nose.y
                    && nose.y < Double($0.box.maxY)
            }
            let nearest = near.min { distance($0, nose) < distance($1, nose) }
            return nearest.map { MarkedFace($0, marks.points, in: luma, of: file) }
        }
    }

    private func distance(_ face: Face, _ point: PixelPoint) -> Double {
        abs(Double(face.box.x) + Double(face.box.width) / 2 - point.x)
            + abs(Double(face.box.y) + Double(face.box.height) / 2 - point.y)
    }
}

/// A marked face with the picture around it.
struct MarkedFace {
    /// HR_TRAINER_SIDE rows of as many grey pixels, with the detector's box in the middle.
    let pixels: [UInt8]
    /// The marks, in pixels of that picture.
    let points: [PixelPoint]
    let pose: UInt32
    /// The name of the picture: its faces stay together in a validation.
    let file: String

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
        let scale = Double(HR_TRAINER_BOX) / side
        points = marks.map {
            PixelPoint(
                x: ($0.x - centre.x) * scale + Double(length) / 2,
                y: ($0.y - centre.y) * scale + Double(length) / 2
            )
        }
        pose = UInt32(face.pose.flatMap(Pose.partsOfFrontalDetector.firstIndex) ?? 0)
        self.file = file
    }
}
