import Foundation
import Geometry
import Pipeline
import Requests

/// The results of a check of many pictures, as text or JSON.
struct CheckReport: Sendable {
    var pictures: [CheckedPicture]
    /// Pictures that could not be read.
    var unreadable: Int

    var faces: Int { pictures.reduce(0) { $0 + $1.faces.count } }
    var crops: Int { pictures.reduce(0) { $0 + $1.crops.count } }
    var cutCrops: Int { pictures.reduce(0) { $0 + $1.crops.count { !$0.cut.isEmpty } } }
    var withoutFace: Int { pictures.count { $0.faces.isEmpty } }
    var uncertainFaces: Int { pictures.reduce(0) { $0 + $1.uncertain.count } }

    /// One line per finding, and a summary.
    var text: String { (pictures.flatMap(Self.lines) + [summary]).map { "\($0)\n" }.joined() }

    /// The counts, as a sentence.
    var summary: String {
        var words = [
            Self.count(pictures.count, "picture"), Self.count(faces, "face"), Self.count(crops, "crop"),
            "\(cutCrops) that cut a head", "\(withoutFace) without a face",
        ]
        if uncertainFaces > 0 { words.append("\(uncertainFaces) uncertain") }
        if unreadable > 0 { words.append("\(unreadable) not readable") }
        return words.joined(separator: ", ")
    }

    private static func lines(_ picture: CheckedPicture) -> [String] {
        if picture.faces.isEmpty { return ["\(picture.file): no face"] }
        let cuts = picture.crops.filter { !$0.cut.isEmpty }.map { crop in
            "\(picture.file): \(crop.aspect) cuts \(crop.cut.count) of \(count(picture.faces.count, "head"))"
        }
        let doubts = picture.uncertain.map { number in
            let confidence = String(format: "%.2f", picture.faces[number - 1].confidence)
            return "\(picture.file): face \(number) is uncertain (\(confidence))"
        }
        return cuts + doubts
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// The report as one JSON document with a line end.
    var json: String {
        String(decoding: JSONDocument.bytes(of: Document(self), isPretty: true), as: UTF8.self)
    }
}

/// The JSON form of the report.
private struct Document: Encodable {
    struct Summary: Encodable {
        var pictures, faces, crops, cutCrops, withoutFace, uncertainFaces, unreadable: Int
    }

    struct Picture: Encodable {
        var file: String
        var width, height: Int
        var faces: [Face]
        var crops: [Crop]
    }

    struct Face: Encodable {
        var head: Rect
        var confidence: Double
        var uncertain: Bool
    }

    struct Crop: Encodable {
        var aspect, decision: String
        var crop: Rect
        /// The faces whose heads are cut, counted from 1.
        var cut: [Int]
    }

    struct Rect: Encodable {
        var x, y, width, height: Int

        init(_ rect: PixelRect) { (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height) }
    }

    var summary: Summary
    var pictures: [Picture]

    init(_ report: CheckReport) {
        summary = Summary(
            pictures: report.pictures.count,
            faces: report.faces,
            crops: report.crops,
            cutCrops: report.cutCrops,
            withoutFace: report.withoutFace,
            uncertainFaces: report.uncertainFaces,
            unreadable: report.unreadable
        )
        pictures = report.pictures.map { picture in
            Picture(
                file: picture.file,
                width: picture.size.width,
                height: picture.size.height,
                faces: picture.faces.map { face in
                    let isUncertain = face.confidence < CheckedPicture.leastConfidence
                    return Face(head: Rect(face.head), confidence: face.confidence, uncertain: isUncertain)
                },
                crops: picture.crops.map {
                    Crop(aspect: $0.aspect, decision: $0.decision, crop: Rect($0.rect), cut: $0.cut)
                }
            )
        }
    }
}
