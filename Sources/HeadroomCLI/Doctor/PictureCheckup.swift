import DrawnFaces
import FaceDetection
import FramePipeline
import Framing
import HeadroomAPI
import ImageCodec
import Isolation
import Logging

/// Whether pictures can be worked on, and how fast: the service's own way, with a picture of one drawn face.
struct PictureCheckup {
    /// 1.2 megapixels, in which the detector looks twice.
    private static let size = PixelSize(width: 1280, height: 960)
    private static let face = DrawnFace(x: 700, y: 300, side: 220)

    /// What each megapixel may take a detector, in milliseconds, before it is worth a word: several times what
    /// processors with AVX2 take.
    private static let slowDetection = 150.0

    private let settings: ServeSettings
    private let logger: Logger

    init(_ settings: ServeSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// One for the processor, for worker processes, for the detector, and for the formats.
    func findings() async -> [Finding] {
        let (service, isolation) = makeService()
        guard let service else { return [processor, isolation] }
        return [processor, isolation] + (await results(of: service))
    }

    private var processor: Finding {
        switch HOGDetector.Instructions.best {
        case .avx512: .ok("processor", "AVX-512 is used to find faces.")
        case .avx2: .ok("processor", "AVX2 is used to find faces.")
        case .plain:
            .warn(
                "processor",
                "There is no AVX2, so dlib itself finds faces.",
                advice: "Take a machine with AVX2 (2013 or later): it finds the same faces several times faster."
            )
        }
    }

    /// Workers as the service has them, or threads where it could not have those.
    private func makeService() -> (FrameService?, Finding) {
        let pool = PoolConfiguration(
            workers: 1,
            queueLimit: 16,
            maxBytesInFlight: settings.service.pool.maxBytesInFlight
        )
        let limits = PipelineLimits()
        do {
            guard settings.isolation == .process else {
                let service = try FrameService(model: try settings.detector.model(), limits: limits, pool: pool)
                return (
                    service,
                    .warn(
                        "workers",
                        "Workers are threads of the service.",
                        advice: "Leave --isolation out, unless every picture is trusted."
                    )
                )
            }
            let processes = ProcessConfiguration(
                command: WorkerEntry.command(settings.detector),
                jobTimeout: settings.jobTimeout
            )
            let service = try FrameService(processes: processes, limits: limits, pool: pool, logger: logger)
            return (service, .ok("workers", "A worker process has started and closed its doors."))
        } catch let end as WorkerEnd where end.cause == .sandbox {
            return (
                nil,
                .fail(
                    "workers",
                    "A worker process cannot close its doors: \(end).",
                    advice: "Let the container's seccomp profile pass seccomp(2) and prctl(2)."
                )
            )
        } catch {
            return (
                nil,
                .fail("workers", "No worker can start: \(error).", advice: "Check --detector, and memory.")
            )
        }
    }

    private func results(of service: FrameService) async -> [Finding] {
        var detection: Finding?
        var broken: [String] = []
        for format in ImageFormat.allCases {
            do {
                let source = try ImageEncoder.encode(try Self.picture(), as: format)
                var job = FrameJob(source: source, answer: .image(ImageOutput(format: format)))
                job.aspects = [AspectRatio("1:1")]
                // The second one finds the code and the tables in place.
                _ = try await service.run(job)
                let result = try await service.run(job)
                if detection == nil { detection = self.detection(result.plan) }
                let image = result.image.map(\.bytes) ?? []
                _ = try ImageDecoder.decode(image, header: try ImageHeader.read(image))
            } catch {
                broken.append("\(format.rawValue) (\(error))")
            }
        }
        let names = ImageFormat.allCases.map(\.rawValue).joined(separator: ", ")
        let formats: Finding =
            broken.isEmpty
            ? .ok("formats", "Pictures of \(names) are read and written.")
            : .fail(
                "formats",
                "Pictures cannot be read and written: \(broken.joined(separator: ", ")).",
                advice: "Install the libraries that this program was built with, in the same versions."
            )
        return (detection.map { [$0] } ?? []) + [formats]
    }

    private func detection(_ plan: FramePlan) -> Finding {
        let looks = plan.detector?.looks ?? []
        let megapixels = looks.reduce(0) { $0 + Double($1.workingSize.area) } / 1_000_000
        let milliseconds = looks.reduce(0) { $0 + $1.duration / .milliseconds(1) }
        let speed = megapixels > 0 ? milliseconds / megapixels : 0
        let time = "\((speed * 10).rounded() / 10) ms a megapixel"
        if case .file = settings.detector {
            return .ok("detector", "A detector of your own runs, in \(time); what it finds is not checked.")
        }
        guard plan.faces.count == 1, plan.faces[0].box.intersection(Self.face.box).area * 2 > Self.face.box.area else {
            return .fail(
                "detector",
                "\(plan.faces.count) faces were found where one was drawn, or not where it is.",
                advice: "Build the program anew for this machine; --detector dlib does without code for its processor."
            )
        }
        guard speed < Self.slowDetection else {
            return .warn(
                "detector",
                "The drawn face was found, in \(time), which is slow.",
                advice: "Give the service processors of its own, and a release build."
            )
        }
        return .ok("detector", "The drawn face was found, in \(time).")
    }

    private static func picture() throws -> PlanarImage {
        let bytes = DrawnFace.rgb([face], size: size)
        let planes = try (0..<3).map { plane in
            try Plane(size) { x, y in bytes[(y * size.width + x) * 3 + plane] }
        }
        return PlanarImage(size: size, colorModel: .rgb, planes: planes)
    }
}
