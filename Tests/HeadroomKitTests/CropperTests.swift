import HeadroomKit
import Imaging
import TestPacing
import TestImages
import Testing

/// The public API, as a program uses it.
@Suite(.limitedConcurrency) struct CropperTests {
    private static let face = DrawnFace(x: 420, y: 120, side: 160)
    private static let image = Result { try DrawnImage(width: 900, height: 500, faces: [face]).jpeg() }
    private static let nobody = Result { try DrawnImage(width: 300, height: 200).png() }
    private static let cropper = Result { try Cropper(workers: 2) }

    private let cropper: Cropper

    init() throws { cropper = try Self.cropper.get() }

    @Test func `a crop has the requested aspect ratio and format, and contains the whole head`() async throws {
        let options = CropOptions(aspect: "1:1", width: 200, format: .webp)
        guard case .cropped(let crop) = try await cropper.crop(try Self.image.get(), options) else {
            Issue.record("no face was found in the image")
            return
        }
        #expect(crop.size == PixelSize(width: 200, height: 200) && crop.plan.size == crop.size)
        #expect(crop.mediaType == "image/webp" && crop.fileExtension == "webp" && crop.bytes.count > 100)
        #expect(crop.plan.decision == "faces" && crop.plan.keepsFaces == [true] && !crop.plan.isFallback)
    }

    @Test func `without a face the crop is the fallback's crop or an error`() async throws {
        let nobody = try Self.nobody.get()
        guard case .noFace(let crop?) = try await cropper.crop(nobody, ["aspect": "1:1", "fallback": "center"]) else {
            Issue.record("a face was found in an image without people")
            return
        }
        #expect(crop.plan.rect == PixelRect(x: 50, y: 0, width: 200, height: 200))
        #expect(crop.plan.decision == "fallback:center" && crop.plan.isFallback && crop.mediaType == "image/png")
        guard case .noFace(nil) = try await cropper.crop(nobody, ["aspect": "1:1", "fallback": "error"]) else {
            Issue.record("there is a crop in spite of fallback=error")
            return
        }
        #expect(try await cropper.plan(nobody, ["fallback": "error"]) == nil)
        // A crop that does not depend on faces is possible.
        guard case .cropped = try await cropper.crop(nobody, ["gravity": "center"]) else {
            Issue.record("gravity=center failed without a face")
            return
        }
    }

    #if Subjects
    @Test func `without a face the crop contains people and animals, which the plan lists`() async throws {
        var scene = DrawnScene(
            PixelSize(width: 1600, height: 900),
            top: DrawnScene.Colour(104, 164, 214),
            bottom: DrawnScene.Colour(246, 232, 206)
        )
        scene.hills(crest: 612, valley: 657, length: 2080, phase: 0.8, DrawnScene.Colour(104, 158, 84))
        DrawnHiker(x: 1270, foot: 830, head: 95).draw(in: &scene)
        DrawnDog(x: 1031, foot: 842, legs: 60).draw(in: &scene)
        let image = try ImageEncoder.encode(try scene.image(), as: .png)
        let plan = try #require(try await cropper.plan(image, ["aspect": "1:1"]))
        let probable = plan.subjects.filter { $0.score >= 0.3 }
        #expect(plan.faces.isEmpty && Set(probable.map(\.name)) == ["person", "dog"])
        #expect(plan.subjects.map(\.score) == plan.subjects.map(\.score).sorted(by: >))
        let crop = try #require(plan.crops.first)
        #expect(crop.decision == "subject" && !crop.isFallback && crop.keepsFaces.isEmpty)
        for subject in probable { #expect(crop.rect.contains(subject.box) && subject.head != nil, "\(subject)") }
        guard case .cropped(let made) = try await cropper.crop(image, ["aspect": "1:1"]) else {
            Issue.record("the crop around the subjects is a fallback")
            return
        }
        #expect(made.plan.rect == crop.rect)
        let dog = try await cropper.plan(image, ["aspect": "1:1", "gravity": "object:dog"])
        #expect(dog?.crops.map(\.decision) == ["object"])
    }
    #endif

    @Test func `several aspect ratios share one detection and keep their order`() async throws {
        let image = try Self.image.get()
        let results = try await cropper.crops(image, shapes: ["16:9", "1:1", "9:16"], ["height": "90"])
        #expect(results.compactMap(\.crop?.size.width) == [160, 90, 51])
        for (shape, result) in zip(["16:9", "1:1", "9:16"], results) {
            let one = try await cropper.crop(image, ["aspect": shape, "height": "90"]).crop
            #expect(one?.plan.rect == result.crop?.plan.rect && one?.size == result.crop?.size)
        }
        #expect(try await cropper.crops(image, shapes: []).isEmpty)
        let plan = try #require(try await cropper.plan(image, ["aspect": "16:9,1:1"]))
        #expect(plan.size == PixelSize(width: 900, height: 500) && plan.crops.count == 2 && plan.faces.count == 1)
        #expect(String(decoding: plan.json, as: UTF8.self).contains("\"crops\""))
    }

    @Test func `faces have boxes and heads`() async throws {
        let faces = try await cropper.faces(in: try Self.image.get())
        let face = try #require(faces.first)
        #expect(
            faces.count == 1 && face.head.contains(face.box) && (0.5...1).contains(face.confidence) && face.score > 0
        )
        #expect(face.box.intersection(Self.face.box).area > Self.face.box.area / 2)
    }

    static let refused: [(options: CropOptions, words: [String])] = [
        (["width": "0"], ["width=0", "1 to 16384"]), (["widht": "3"], ["widht", "Did you mean width?"]),
        (["zoom": "2", "fit": "clip"], ["zoom=2", "fit=clip"]),
        (["url": "http://example.com/"], ["url is not allowed here"]),
        (["format": "json"], ["format=json", "webp"]), (["width": "auto"], ["width=auto"]),
        (["aspect": "1:1,2:1"], ["several ratios"]), (["watermark": "nobody"], ["watermark=nobody", "one of"]),
        (["region": "2000px,0,10px,10px"], ["region starts outside"]),
    ]

    @Test(arguments: refused)
    func `invalid options are an error with one sentence for each`(
        options: CropOptions,
        words: [String]
    ) async throws {
        let error = await #expect(throws: CropError.self) {
            try await cropper.crop(try Self.image.get(), options)
        }
        guard case .invalidOptions(let sentences)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        for word in words { #expect(sentences.contains { $0.contains(word) }, "\(sentences)") }
    }

    @Test func `data that are not an image cause a typed error`() async throws {
        let image = try Self.image.get()
        for (bytes, isExpected) in [
            (Array("hello".utf8), { if case .unsupportedImage = $0 { true } else { false } }),
            ([], { if case .unsupportedImage = $0 { true } else { false } }),
            (Array(image.prefix(200)), { if case .unreadableImage = $0 { true } else { false } }),
        ] as [([UInt8], (CropError) -> Bool)] {
            let error = await #expect(throws: CropError.self) { try await cropper.crop(bytes) }
            #expect(error.map(isExpected) == true, "\(String(describing: error))")
        }
        var limits = Cropper.Limits()
        limits.pixels = 1000
        let small = try Cropper(workers: 1, limits: limits)
        let error = await #expect(throws: CropError.self) { try await small.crop(image) }
        guard case .tooLarge? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `watermarks are selected by name`() async throws {
        var logo = DrawnImage(width: 40, height: 20)
        logo.background = 0
        let marked = try Cropper(workers: 1, watermarks: ["logo": try logo.png()])
        let image = try Self.image.get()
        let crop = try #require(try await marked.crop(image, ["watermark": "logo", "format": "png"]).crop)
        let plain = try #require(try await cropper.crop(image, ["format": "png"]).crop)
        #expect(crop.bytes != plain.bytes && crop.size == plain.size)
    }

    /// Finds one object in the lower right quarter of every image.
    private struct Corner: FaceDetector {
        let name = "corner"
        let smallestDetectableSide = 10

        func detect(in image: LumaImage, threshold: Double) -> [Detection] {
            let (width, height) = (image.size.width / 4, image.size.height / 4)
            return [Detection(box: PixelRect(x: 3 * width, y: 3 * height, width: width, height: height), confidence: 9)]
        }
    }

    @Test func `crops are centred on the detections of a custom detector`() async throws {
        let cropper = try Cropper(workers: 1, detector: FaceDetectorModel(name: "corner") { Corner() })
        guard case .cropped(let crop) = try await cropper.crop(try Self.nobody.get(), ["aspect": "1:2"]) else {
            Issue.record("the detector found nothing")
            return
        }
        #expect(crop.plan.rect.maxX == 300)
    }

    @Test func `many tasks can use one cropper`() async throws {
        let image = try Self.image.get()
        let sizes = try await withThrowingTaskGroup(of: Int?.self) { group in
            for width in 100..<140 {
                group.addTask { [cropper] in try await cropper.crop(image, CropOptions(width: width)).crop?.size.width
                }
            }
            return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        #expect(sizes == Set((100..<140).map(Optional.some)))
    }
}
