import Framing
import Geometry
import Imaging
import Pipeline
import TestImages
import Workers

/// A grid of several outputs from one image.
struct ResultSheet {
    /// The file of the sheet.
    let name: String
    /// The encoded image.
    let source: [UInt8]
    /// The number of outputs in a row.
    let columns: Int
    /// The job of each output; all outputs have the same size.
    let jobs: [(inout FrameJob) -> Void]

    private static let gap = 10

    /// Returns all outputs as one JPEG.
    ///
    /// - Precondition: There is at least one job.
    func image(_ service: WorkerService) async throws -> [UInt8] {
        var results: [PlanarImage] = []
        for change in jobs {
            var job = FrameJob(source: source, target: .image(ImageOutput(format: .png)))
            change(&job)
            guard let bytes = try await service.run(job).image?.bytes else {
                preconditionFailure("an image was asked for")
            }
            results.append(try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes)))
        }
        let tile = results[0].size
        let (across, down) = (tile.width + Self.gap, tile.height + Self.gap)
        let rows = (results.count + columns - 1) / columns
        let size = PixelSize(width: across * columns - Self.gap, height: down * rows - Self.gap)
        let white = DrawnFace.Colour(255, 255, 255)
        var scene = DrawnScene(size, top: white, bottom: white)
        for (index, result) in results.enumerated() {
            scene.image(result, x: index % columns * across, y: index / columns * down)
        }
        return try ImageEncoder.encode(try scene.image(), as: .jpeg)
    }
}

extension ResultSheet {
    /// The sheets of `docs/images`.
    static func all() throws -> [ResultSheet] {
        let scene = try ImageEncoder.encode(try ImageSet.scene().image(), as: .jpeg)
        let screen = try ImageEncoder.encode(try ImageSet.greenScreen().image(), as: .png)
        return [
            ResultSheet(name: "privacy.jpg", source: scene, columns: 3, jobs: [.blur, .pixelate, .fill].map(redacted)),
            ResultSheet(name: "filters.jpg", source: scene, columns: 4, jobs: filters.map(filtered)),
            ResultSheet(name: "stickers.jpg", source: scene, columns: 4, jobs: Sticker.own.map(decorated)),
            ResultSheet(
                name: "green-screen.jpg",
                source: screen,
                columns: 3,
                jobs: [nil, .color(sky), .blur].map(keyed)
            ),
            ResultSheet(name: "faces.jpg", source: scene, columns: 3, jobs: [1, 2, 3].map(aligned)),
        ]
    }

    /// The filters without a number, in the order of the table in `docs/filters.md`.
    private static let filters: [ImageFilter] = [
        .mono, .noir, .tonal, .sepia, .chrome, .fade, .instant, .process, .transfer, .invert, .vignette, .blur(4),
    ]

    private static let sky = KeyColor(red: 0x8f, green: 0xc0, blue: 0xe8)

    private static func square(_ job: inout FrameJob, side: Int) {
        job.options.aspects = [AspectRatio(1, 1)]
        job.options.resultSize.width = side
        job.options.framing.zoom = 0.5
    }

    private static func redacted(_ style: RedactionStyle) -> (inout FrameJob) -> Void {
        { job in
            square(&job, side: 300)
            job.options.redaction = Redaction(style: style)
        }
    }

    private static func filtered(_ filter: ImageFilter) -> (inout FrameJob) -> Void {
        { job in
            square(&job, side: 220)
            job.options.filters = [filter]
        }
    }

    private static func decorated(_ sticker: Sticker) -> (inout FrameJob) -> Void {
        { job in
            square(&job, side: 300)
            job.options.framing.padding = .fraction(0.8)
            job.options.stickers = [sticker]
        }
    }

    private static func keyed(_ backdrop: Backdrop?) -> (inout FrameJob) -> Void {
        { job in
            square(&job, side: 300)
            guard let backdrop else { return }
            job.options.key = ChromaKey(color: nil)
            job.options.backdrop = backdrop
        }
    }

    private static func aligned(_ face: Int) -> (inout FrameJob) -> Void {
        { job in
            job = FrameJob(source: job.source, target: .face(index: face, ImageOutput(format: .png)))
            square(&job, side: 200)
            job.options.resultSize.allowsEnlargement = true
            job.options.faceTurn = .eyes(height: 0.4)
        }
    }
}
