import Framing
import Geometry
import Testing

@Suite struct SubjectCropTests {
    private static let size = PixelSize(width: 900, height: 300)

    private static func subject(
        _ kind: SubjectClass,
        _ x: Double,
        _ y: Double,
        _ width: Double,
        _ height: Double,
        score: Double = 0.8
    ) -> DetectedSubject {
        DetectedSubject(kind, box: FractionalRect(x: x, y: y, width: width, height: height), score: score)
    }

    private static func frame(
        _ detected: [DetectedSubject],
        people: [Subject] = [],
        gravity: Gravity = .faces,
        fallback: Fallback = .attention,
        zoom: Double = 0
    ) throws -> Frame {
        var request = FramingRequest()
        (request.gravity, request.fallback, request.zoom) = (gravity, fallback, zoom)
        let square = try #require(AspectRatio(1, 1))
        return try Framer.frame(people, in: size, aspect: square, request: request, detected: detected)
    }

    @Test(arguments: [
        ("a person from behind", [subject(.person, 640, 40, 90, 250)], 640.0, 730.0),
        ("a dog", [subject(.dog, 20, 150, 160, 120)], 20, 180),
        (
            "a person next to a small chair", [subject(.person, 100, 20, 120, 270), subject(.chair, 700, 200, 60, 80)],
            100, 220
        ),
        (
            "an animal rather than a thing", [subject(.cat, 700, 100, 120, 120), subject(.vase, 60, 90, 130, 130)], 700,
            820
        ),
        (
            "a certain subject", [subject(.car, 60, 90, 200, 130, score: 0.35), subject(.car, 640, 90, 200, 130)], 640,
            840
        ),
    ])
    func `the crop shows the subject`(name: String, detected: [DetectedSubject], left: Double, right: Double) throws {
        let frame = try Self.frame(detected)
        #expect(frame.decision == .subject, "\(name)")
        #expect(Double(frame.crop.x) <= left && Double(frame.crop.maxX) >= right, "\(name): \(frame.crop)")
        #expect(frame.subjectArea.map { frame.crop.contains($0) } ?? false, "\(name)")
    }

    @Test func `without a certain subject, the fallback applies`() throws {
        #expect(try Self.frame([]).decision == .fallback(.attention))
        #expect(
            try Self.frame([Self.subject(.person, 100, 10, 90, 200, score: 0.29)]).decision == .fallback(.attention)
        )
        let person = Self.subject(.person, 100, 10, 90, 200)
        #expect(try Self.frame([person], fallback: .center).decision == .fallback(.center))
        #expect(try Self.frame([person], gravity: .subject, fallback: .center).decision == .subject)
        #expect(try Self.frame([person], gravity: .object([WantedClass(.dog)])).decision == .fallback(.attention))
        #expect(throws: FramingError.noFace(.subject)) { try Self.frame([], gravity: .subject, fallback: .error) }
    }

    @Test func `requested classes have their weights, and other classes have none`() throws {
        let detected = [Self.subject(.dog, 20, 100, 200, 180), Self.subject(.cat, 680, 100, 200, 180)]
        for (classes, left) in [
            ([WantedClass(.dog)], 20.0), ([WantedClass(.cat)], 680),
            ([WantedClass(.dog, weight: 3), WantedClass(.cat)], 20),
            ([WantedClass(.dog), WantedClass(.cat, weight: 3)], 680),
        ] {
            let frame = try Self.frame(detected, gravity: .object(classes))
            #expect(frame.decision == .object)
            #expect(Double(frame.crop.x) <= left && Double(frame.crop.maxX) >= left + 200, "\(classes)")
        }
    }

    @Test func `a detected face makes its person certain`() throws {
        let head = PixelRect(x: 700, y: 40, width: 60, height: 80)
        let person = Subject(face: head, head: head)
        let dog = Self.subject(.dog, 20, 200, 60, 60)
        let frame = try Self.frame([dog], people: [person], gravity: .subject)
        #expect(frame.crop.contains(head) && frame.decision == .subject)
        // Unless subjects are requested, only faces determine the crop.
        #expect(try Self.frame([dog], people: [person]).decision == .faces)
    }

    @Test func `zoom keeps the subject`() throws {
        let dog = Self.subject(.dog, 300, 100, 120, 100)
        let (wide, tight) = (try Self.frame([dog]).crop, try Self.frame([dog], zoom: 1).crop)
        #expect(tight.width < wide.width && wide.contains(tight))
        #expect(tight.x <= 300 && tight.maxX >= 420 && tight.y <= 100 && tight.maxY >= 200)
    }

    @Test func `hostile boxes and scores cause no crash`() throws {
        let numbers = [
            0, -1, 1e-300, 0.5, 250, 900, 1e9, 1e300, -1e300, .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
        ]
        for x in numbers {
            for width in numbers {
                for score in [0.5, .nan, .infinity, -1, 2] {
                    let detected = [
                        Self.subject(.person, x, width, width, x, score: score),
                        Self.subject(.dog, x, x, width, width, score: score),
                    ]
                    for gravity in [Gravity.faces, .subject, .object([WantedClass(.dog, weight: 1e-3)])] {
                        let frame = try Self.frame(detected, gravity: gravity, zoom: 0.5)
                        #expect(PixelRect(Self.size).contains(frame.crop) && frame.crop.area > 0)
                    }
                }
            }
        }
        let many = (0..<5000).map { Self.subject(.person, Double($0 % 900), Double($0 % 300), 5, 5) }
        #expect(try Self.frame(many).decision == .subject)
    }

    @Test func `every class has a unique word that identifies it`() {
        let words = SubjectClass.allCases.map(\.word)
        #expect(Set(words).count == 80)
        for kind in SubjectClass.allCases { #expect(SubjectClass(word: kind.word) == kind) }
        #expect(SubjectClass(word: "traffic light") == nil && SubjectClass(word: "traffic-light") == .trafficLight)
    }
}
