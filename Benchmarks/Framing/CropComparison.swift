import Foundation
import Framing
import Geometry

/// Computes crops of recorded images with constants that differ from the program's constants.
struct CropComparison {
    private let images: [RecordedImage]
    private let aspects: [AspectRatio]

    /// The different constants, by name.
    private struct Difference: Decodable {
        var people: [String: Double]?
        var subjects: [String: Double]?
        var padding: Double?
    }

    init(rows path: String, aspects: [String]) throws {
        images = try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(RecordedImage.self, from: $0)
        }
        self.aspects = aspects.map { text in
            let sides = text.split(separator: ":").compactMap { Double($0) }
            guard sides.count == 2, let aspect = AspectRatio(sides[0], sides[1]) else { fail("no aspect: \(text)") }
            return aspect
        }
    }

    /// Returns the crops of each image: left, top, width and height, one for each aspect ratio.
    func crops(with line: Data) throws -> [[[Int]]] {
        let difference = try JSONDecoder().decode(Difference.self, from: line)
        let constants = try Self.changed(PeopleConstants.chosen, by: difference.people ?? [:])
        let ofSubjects = try Self.changed(SubjectConstants.chosen, by: difference.subjects ?? [:])
        var request = FramingRequest()
        if let padding = difference.padding { request.padding = .fraction(padding) }
        return try images.map { image in
            let people =
                difference.people?["tolerance"] == nil
                ? image.people : image.people.map { $0.tolerating(constants.tolerance) }
            let attention = image.attention?.profile ?? .uniform
            let objects = people.isEmpty ? image.objects ?? [] : []
            let placement = SubjectPlacement(objects, in: image.size, constants: ofSubjects)
            return try aspects.map { aspect in
                let found = Framer.subjectCrop(
                    placement,
                    in: image.size,
                    aspect: aspect,
                    request: request,
                    attention: attention
                )
                let crop =
                    try found
                    ?? Framer.frame(
                        people,
                        in: image.size,
                        aspect: aspect,
                        request: request,
                        attention: attention,
                        constants: constants
                    ).crop
                return [crop.x, crop.y, crop.width, crop.height]
            }
        }
    }

    /// The program's constants, by name.
    static func constants() throws -> [String: [String: Double]] {
        var people = try values(of: PeopleConstants.chosen)
        if case .fraction(let padding) = FramingRequest().padding { people["padding"] = padding }
        return ["people": people, "subjects": try values(of: SubjectConstants.chosen)]
    }

    private static func values(of constants: some Encodable) throws -> [String: Double] {
        try JSONDecoder().decode([String: Double].self, from: JSONEncoder().encode(constants))
    }

    /// Returns constants in which some values, given by name, are replaced.
    private static func changed<Constants: Codable>(
        _ constants: Constants,
        by values: [String: Double]
    ) throws -> Constants {
        if values.isEmpty { return constants }
        var all = try Self.values(of: constants)
        for (name, value) in values {
            guard all.updateValue(value, forKey: name) != nil else { fail("no constant: \(name)") }
        }
        return try JSONDecoder().decode(Constants.self, from: JSONEncoder().encode(all))
    }
}

extension Subject {
    /// Returns the person with a different tolerance for uncertain edges, as a fraction of the face's height.
    fileprivate func tolerating(_ fraction: Double) -> Subject {
        var subject = self
        subject.tolerance = Int((fraction * Double(face.height)).rounded())
        return subject
    }
}
