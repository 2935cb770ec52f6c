import FaceDetection
import Framing
import Geometry
import HeadroomAPI
import Imaging
import Logging
import Pipeline
import Requests
import Workers

/// Checks the processing of pictures and its speed, with the service's own code and a drawn picture with one face.
struct PictureCheckup {
    /// 1.2 megapixels, for which the detector makes two passes.
    private static let size = PixelSize(width: 1280, height: 960)
    private static let face = DrawnFace(x: 700, y: 300, side: 220)

    /// Milliseconds of detection per megapixel above which a warning is given: several times the time of processors
    /// with AVX2.
    private static let slowDetection = 150.0

    private let settings: ServeSettings
    private let logger: Logger

    init(_ settings: ServeSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// One finding each for the processor, worker processes, the detector, and the formats.
    func findings() async -> [Finding] {
        let (service, isolation) = makeService()
        guard let service else { return [processor, isolation] }
        return [processor, isolation] + (await results(of: service))
    }

    private var processor: Finding {
        switch HOGDetector.Instructions.best {
        case .avx512: .ok("processor", "Detection uses AVX-512.")
        case .avx2: .ok("processor", "Detection uses AVX2.")
        case .neonDot: .ok("processor", "Detection uses NEON with dot products.")
        case .neon: .ok("processor", "Detection uses NEON.")
        case .sse4:
            .warn(
                "processor",
                "The CPU has no AVX2, so detection uses SSE4.1.",
                advice: "Use a CPU with AVX2 (2013 or later): detection is faster."
            )
        case .plain:
            .warn(
                "processor",
                "The CPU has neither SSE4.1 nor NEON, so detection uses dlib.",
                advice: "Use an x86-64 CPU with AVX2 (2013 or later) or arm64: detection is several times faster."
            )
        }
    }

    /// A service with the configured workers, or with threads if those cannot start.
    private func makeService() -> (WorkerService?, Finding) {
        let pool = PoolConfiguration(
            workers: 1,
            queueLimit: 16,
            maxBytesInFlight: settings.service.pool.maxBytesInFlight
        )
        let limits = PipelineLimits()
        do {
            guard settings.isolation == .process else {
                let service = try WorkerService(model: try settings.detector.model(), limits: limits, pool: pool)
                return (
                    service,
                    .warn(
                        "workers",
                        "Workers are threads of the service.",
                        advice: "Remove --isolation thread unless every picture is trusted."
                    )
                )
            }
            let processes = ProcessConfiguration(
                command: WorkerEntry.command(settings.detector),
                jobTimeout: settings.jobTimeout
            )
            let service = try WorkerService(processes: processes, limits: limits, pool: pool, logger: logger)
            return (service, .ok("workers", "A worker process has started and entered its sandbox."))
        } catch let end as WorkerEnd where end.cause == .sandbox {
            return (
                nil,
                .fail(
                    "workers",
                    "A worker process cannot enter its sandbox: \(end).",
                    advice: "Allow seccomp(2) and prctl(2) in the container's seccomp profile."
                )
            )
        } catch let end as WorkerEnd where end.cause == .environment {
            return (
                nil,
                .fail(
                    "workers",
                    "No worker can process a picture: \(end).",
                    advice: "Raise or remove that limit; the line \"limits\" shows the required values."
                )
            )
        } catch {
            return (
                nil,
                .fail("workers", "No worker can start: \(error).", advice: "Check --detector and the memory limit.")
            )
        }
    }

    private func results(of service: WorkerService) async -> [Finding] {
        var detection: Finding?
        var broken: [String] = []
        var speeds: [String] = []
        for format in ImageFormat.allCases {
            do {
                let source = try ImageEncoder.encode(try Self.picture(), as: format)
                var job = FrameJob(source: source, answer: .image(ImageOutput(format: format)))
                job.options.aspects = [AspectRatio(1, 1)]
                // The second run excludes the time for loading code and tables.
                _ = try await service.run(job)
                let result = try await service.run(job)
                if detection == nil { detection = self.detection(result.plan) }
                let image = result.image.map(\.bytes) ?? []
                _ = try ImageDecoder.decode(image, header: try ImageHeader.read(image))
                job.options.aspects = [nil]
                job.options.framing.gravity = .center
                speeds.append("\(format.rawValue) \(Self.speed(try await service.run(job).times))")
            } catch {
                broken.append("\(format.rawValue) (\(error))")
            }
        }
        for format in SourceFormat.allCases {
            guard let sample = format.sample else { continue }
            var job = FrameJob(source: sample, answer: .image(ImageOutput()))
            job.options.framing.gravity = .center
            do {
                _ = try await service.run(job)
            } catch {
                broken.append("\(format.rawValue) (\(error))")
            }
        }
        let names = SourceFormat.allCases.map(\.rawValue).joined(separator: ", ")
        let formats: Finding =
            broken.isEmpty
            ? .ok("formats", "The formats \(names) work.")
            : .fail(
                "formats",
                "These formats fail: \(broken.joined(separator: ", ")).",
                advice: "Install the library versions that this program was built with."
            )
        let speed = Finding.ok(
            "speed",
            "Reading and writing a megapixel takes, in ms: \(speeds.joined(separator: ", ")). Others are only read."
        )
        return (detection.map { [$0] } ?? []) + [formats, speed]
    }

    /// The time for reading and for writing a megapixel, in milliseconds.
    private static func speed(_ times: StageTimes) -> String {
        let megapixels = Double(size.area) / 1_000_000
        let (read, written) = (times.decode / .milliseconds(1), times.encode / .milliseconds(1))
        return "\(Int((read / megapixels).rounded())) and \(Int((written / megapixels).rounded()))"
    }

    private func detection(_ plan: FramePlan) -> Finding {
        let looks = plan.detector?.looks ?? []
        let megapixels = looks.reduce(0) { $0 + Double($1.workingSize.area) } / 1_000_000
        let milliseconds = looks.reduce(0) { $0 + $1.duration / .milliseconds(1) }
        let speed = megapixels > 0 ? milliseconds / megapixels : 0
        let name = plan.detector?.name ?? ""
        let time = "\((speed * 10).rounded() / 10) ms per megapixel with \(name)"
        if !settings.detector.findsFaces {
            return .ok("detector", "The custom detector runs in \(time); its results are not checked.")
        }
        guard plan.faces.count == 1, plan.faces[0].box.intersection(Self.face.box).area * 2 > Self.face.box.area else {
            return .fail(
                "detector",
                "Detection of a drawn face gave \(plan.faces.count) faces, or another position.",
                advice: "Rebuild the program on this machine, or use --detector dlib, which has no CPU-specific code."
            )
        }
        guard speed < Self.slowDetection else {
            return .warn(
                "detector",
                "Detection of a drawn face works in \(time), which is slow.",
                advice: "Use dedicated CPUs and a release build."
            )
        }
        return .ok("detector", "Detection of a drawn face works in \(time).")
    }

    private static func picture() throws -> PlanarImage {
        let bytes = DrawnFace.rgb([face], size: size)
        let planes = try (0..<3).map { plane in
            try Plane(size) { x, y in bytes[(y * size.width + x) * 3 + plane] }
        }
        return PlanarImage(size: size, colorModel: .rgb, planes: planes)
    }
}
