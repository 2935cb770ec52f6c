import Geometry
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// Focal points, in the plan and in the notation of other services.
@Suite(.limitedConcurrency) struct FocusDocumentTests {
    private let service: TestService
    private let pair: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        pair = try Images.pairJPEG.get()
    }

    private func document(_ query: String) async throws -> JSONValue {
        try await service.document("/frame?accuracy=low&\(query)", posting: pair)
    }

    @Test func `the notations of other services describe the same point`() async throws {
        let found = try await document("format=focus&focus=160px,100px,64px,40px&aspect=1:1")
        #expect(found["focus"] == .object(["x": .number(0.3), "y": .number(0.3)]))
        #expect(found["decision"] == "focus")
        #expect(found["source"]["width"].integer == 640)
        #expect(found["cloudflare"] == "fit=cover,gravity=0.3x0.3")
        #expect(found["cloudinary"] == "c_fill,g_xy_center,x_192,y_120")
        // A square of 400 pixels centred on 192 would start to the left of the image.
        #expect(found["css"] == "object-fit: cover; object-position: 0% 50%")
        #expect(found["imgix"] == "fit=crop&crop=focalpoint&fp-x=0.3&fp-y=0.3")
        #expect(found["imgproxy"] == "g:fp:0.3:0.3")
        let hotspot: JSONValue = .object([
            "x": .number(0.3), "y": .number(0.3), "width": .number(0.1), "height": .number(0.1),
        ])
        #expect(found["sanity"]["hotspot"] == hotspot)
        #expect(found["thumbor"] == "filters:focal(160x100:224x140)")
        #expect(found["craft"] == "0.3000;0.3000")
        #expect(found["directus"] == .object(["focal_point_x": .integer(192), "focal_point_y": .integer(120)]))
        #expect(found["payload"] == .object(["focalX": .integer(30), "focalY": .integer(30)]))
        #expect(found["strapi"]["focalPoint"] == .object(["x": .integer(30), "y": .integer(30)]))
        let columns: JSONValue = .object([
            "focal_point_x": .integer(192), "focal_point_y": .integer(120), "focal_point_width": .integer(64),
            "focal_point_height": .integer(40),
        ])
        #expect(found["wagtail"] == columns)
        #expect(found["wordpress"]["focalPoint"] == .object(["x": .number(0.3), "y": .number(0.3)]))
        let whole = try await document("format=focus&focus=160px,100px,64px,40px")
        #expect(whole["css"] == "object-fit: cover; object-position: 30% 30%")
    }

    @Test func `a crop at the focal point keeps the heads of the plan, for every aspect ratio`() async throws {
        let shapes = ["1:1", "16:9", "9:16", "4:5", "640:400", "5:1"]
        let plan = try await document("format=json&aspect=\(shapes.joined(separator: ","))")
        for (shape, crop) in zip(shapes, plan["crops"].elements) {
            let (x, y) = (try #require(crop["focus"]["x"].double), try #require(crop["focus"]["y"].double))
            let anchored = try await document("format=json&aspect=\(shape)&gravity=point:\(x),\(y)")
            for (kept, face) in zip(crop["faces"].elements, plan["faces"].elements)
            where kept["outcome"] == "kept" {
                #expect(anchored["crop"].rect.contains(face["head"].rect), "\(shape)")
            }
        }
        #expect(plan["focus"] == plan["crops"][0]["focus"])
        let focus = try await document("format=focus&aspect=1:1")
        #expect(focus["focus"] == plan["focus"])
    }

    @Test func `a region changes the focal point, which is still relative to the whole image`() async throws {
        let right = try await document("format=focus&region=0.5,0,0.5,1&gravity=center")
        #expect(right["focus"] == .object(["x": .number(0.75), "y": .number(0.5)]))
        #expect(right["imgproxy"] == "g:fp:0.75:0.5")
    }
}
