import Geometry
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// Sizes and positions that depend on the image: percentages, fractions, offsets, and boxes with another orientation.
@Suite(.limitedConcurrency) struct SizeRouteTests {
    private let service: TestService
    private let image: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        let image = try TestImage.quadrants(PixelSize(width: 200, height: 101))
        self.image = try ImageEncoder.encode(image, as: .png)
    }

    /// Parameters, the crop as x, y, width and height, and the output's width and height.
    private static let rows: [(query: String, crop: [Int], result: [Int])] = [
        ("width=50%25", [0, 0, 200, 101], [100, 51]), ("height=50%25&fit=inside", [0, 0, 200, 101], [101, 51]),
        ("width=50%25&height=25%25&gravity=center", [0, 25, 200, 50], [100, 25]),
        ("width=25%25&aspect=1:1&gravity=left", [0, 0, 101, 101], [50, 50]),
        ("width=100&height=100&gravity=left&offset=10px,0", [10, 0, 101, 101], [100, 100]),
        ("width=100&height=100&gravity=right&offset=10px,0", [89, 0, 101, 101], [100, 100]),
        ("width=100&height=100&gravity=top-left&offset=0.25,0.5", [51, 0, 101, 101], [100, 100]),
        ("width=100&height=100&gravity=left&offset=-30px,0", [0, 0, 101, 101], [100, 100]),
        ("width=101&height=101&gravity=center&offset=0.5px,0.5px", [50, 0, 101, 101], [101, 101]),
        ("width=100&height=101&gravity=center&offset=0.5px,0.5px", [50, 0, 100, 101], [100, 101]),
        ("width=98&height=101&gravity=center&offset=0.5px,0.5px", [52, 0, 98, 101], [98, 101]),
        ("width=40&height=30&fit=crop&gravity=bottom-right", [160, 71, 40, 30], [40, 30]),
        ("width=900&height=30&fit=crop&gravity=center", [0, 35, 200, 30], [200, 30]),
        ("height=30&fit=crop&gravity=bottom", [0, 71, 200, 30], [200, 30]),
        ("width=100&height=40&boxOrientation=inside&gravity=top", [0, 0, 200, 80], [100, 40]),
        ("width=50&height=100&boxOrientation=inside&gravity=top", [0, 0, 200, 101], [50, 25]),
        ("width=101&height=40&fit=inside&dpr=0.5", [0, 0, 200, 101], [40, 20]),
        ("width=300&height=300&fit=inside&dpr=0.5", [0, 0, 200, 101], [100, 51]),
        ("width=300&height=80&fit=limit&gravity=top&dpr=0.5", [0, 0, 200, 80], [100, 40]),
        ("width=9000&height=5&fit=crop&gravity=top", [0, 0, 200, 5], [200, 5]),
        ("region=top-right:20px:0.1,50px,40px", [130, 10, 50, 40], [50, 40]),
        ("region=center:0.5px:0.5px,100px,99px", [50, 2, 100, 99], [100, 99]),
    ]

    @Test func `the image determines the crop and the output size`() async throws {
        for row in Self.rows {
            let plan = try await service.document("/frame?format=json&\(row.query)", posting: image)
            let crop = plan["crop"].rect
            #expect([crop.x, crop.y, crop.width, crop.height] == row.crop, "\(row.query)")
            let reply = try await service.request("POST", "/frame?format=png&\(row.query)", body: image)
            let size = try ImageHeader.read(reply.body).size
            #expect([size.width, size.height] == row.result, "\(row.query)")
        }
    }

    @Test(arguments: [
        ("width=0%25", "width"), ("width=101%25", "width"), ("width=%25", "width"), ("height=5.5", "height"),
        ("dpr=0.05", "dpr"), ("offset=1px", "offset"), ("offset=1px,2", "offset"), ("offset=1px,1px", "offset"),
        ("offset=1px,1px&gravity=point:0.5,0.5", "offset"), ("offset=1px,1px&gravity=top&fit=pad", "offset"),
        ("boxOrientation=inside&aspect=1:1", "boxOrientation"), ("region=top:1px,2px,3px", "region"),
        ("region=point:0.5:0.5:1px:1px,2px,3px", "region"), ("fit=crop&focus=0,0,0.1,0.1&offset=1px,1px", "offset"),
    ])
    func `an invalid value is rejected by name`(query: String, name: String) async throws {
        let reply = try await service.request("POST", "/frame?\(query)", body: image)
        let text = String(decoding: reply.body, as: UTF8.self)
        #expect(reply.status == 400 && text.contains("\"\(name)\""), "\(text)")
    }

    @Test func `the mean colour fills bars`() async throws {
        let reply = try await service.request(
            "POST",
            "/frame?width=101&height=101&fit=pad&background=average&format=png",
            body: self.image
        )
        let image = try ImageDecoder.decode(reply.body, header: try ImageHeader.read(reply.body))
        let colors = TestImage.quadrantColors
        let means = [colors.map(\.red), colors.map(\.green), colors.map(\.blue)].map { samples in
            samples.reduce(0) { $0 + Int($1) } / 4
        }
        for (plane, mean) in zip(image.planes, means) { #expect(abs(Int(plane[x: 50, y: 2]) - mean) <= 3) }
    }
}
