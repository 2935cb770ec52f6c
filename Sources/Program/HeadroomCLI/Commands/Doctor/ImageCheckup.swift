import FaceDetection
import Framing
import Geometry
import HeadroomAPI
import Imaging
import Logging
import Pipeline
import Requests
import Workers

/// Checks the processing of images and its speed, with the service's own code and a drawn image with one face.
struct ImageCheckup {
    /// The size of the test image: 1.2 megapixels, which the detector searches in two passes.
    private static let size = PixelSize(width: 1280, height: 960)
    private static let face = DrawnFace(x: 700, y: 300, side: 220)

    /// The detection time, in milliseconds per megapixel, above which a warning is printed.
    ///
    /// Processors with AVX2 need only a fraction of it.
    private static let slowDetection = 150.0

    let settings: ServeSettings
    let logger: Logger

    /// One finding for each of processor, worker processes, detector and formats.
    func findings() async -> [Finding] {
        let (service, isolation) = makeService()
        guard let service else { return [processor, isolation] }
        return [processor, isolation] + (await results(of: service))
    }

    private var processor: Finding {
        switch HOGDetector.Instructions.best {
        case .avx512: Finding("processor", "Detection uses AVX-512.")
        case .avx2: Finding("processor", "Detection uses AVX2.")
        case .neonDot: Finding("processor", "Detection uses NEON with dot products.")
        case .neon: Finding("processor", "Detection uses NEON.")
        case .sse4:
            Finding(
                "processor",
                "The CPU has no AVX2, so detection uses SSE4.1.",
                warn: "Use a CPU with AVX2 (2013 or later): detection is faster."
            )
        case .plain:
            Finding(
                "processor",
                "The CPU has neither SSE4.1 nor NEON, so detection uses dlib.",
                warn: "Use an x86-64 CPU with AVX2 (2013 or later) or arm64: detection is several times faster."
            )
        }
    }

    /// A service with the configured workers, or with threads if workers cannot start.
    private func makeService() -> (WorkerService?, Finding) {
        let pool = PoolConfiguration(
            workers: 1,
            queueLimit: 16,
            maxBytesInFlight: settings.service.pool.maxBytesInFlight
        )
        let limits = PipelineLimits()
        do {
            let service = try settings.isolation.service(
                settings.detector,
                limits: limits,
                pool: pool,
                jobTimeout: settings.jobTimeout,
                logger: logger
            )
            if settings.isolation == .process {
                return (service, Finding("workers", "A worker process has started and entered its sandbox."))
            }
            let advice = "Remove --isolation thread unless you trust every image."
            return (service, Finding("workers", "Workers are threads of the service.", warn: advice))
        } catch let end as WorkerExit where end.cause == .sandbox {
            let advice = "Allow seccomp(2) and prctl(2) in the container's seccomp profile."
            return (nil, Finding("workers", "A worker process cannot enter its sandbox: \(end).", fail: advice))
        } catch let end as WorkerExit where end.cause == .environment {
            let advice = "Raise or remove this limit; the line \"limits\" shows the required values."
            return (nil, Finding("workers", "No worker can process an image: \(end).", fail: advice))
        } catch {
            let advice = "Check --detector and the memory limit."
            return (nil, Finding("workers", "No worker can start: \(error).", fail: advice))
        }
    }

    private func results(of service: WorkerService) async -> [Finding] {
        var detection: Finding?
        var broken: [String] = []
        var speeds: [String] = []
        for format in OutputFormat.allCases {
            do {
                let source = try ImageEncoder.encode(try Self.image(), as: format)
                var job = FrameJob(source: source, target: .image(ImageOutput(format: format)))
                job.options.aspects = [AspectRatio(1, 1)]
                // The first run also loads code and tables, so only the second run is measured.
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
        for format in InputFormat.allCases {
            guard let sample = format.sample else { continue }
            var job = FrameJob(source: sample, target: .image(ImageOutput()))
            job.options.framing.gravity = .center
            do {
                _ = try await service.run(job)
            } catch {
                broken.append("\(format.rawValue) (\(error))")
            }
        }
        let names = InputFormat.allCases.map(\.rawValue).joined(separator: ", ")
        let formats = Finding(
            "formats",
            broken.isEmpty ? "The formats \(names) work." : "These formats fail: \(broken.joined(separator: ", ")).",
            fail: broken.isEmpty ? nil : "Install the library versions that this program was built with."
        )
        let speed = Finding(
            "speed",
            "Reading and writing a megapixel takes, in ms: \(speeds.joined(separator: ", ")). Other formats are only read."
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
        let passes = plan.detector?.passes ?? []
        let megapixels = passes.reduce(0) { $0 + Double($1.workingSize.area) } / 1_000_000
        let milliseconds = passes.reduce(0) { $0 + $1.duration / .milliseconds(1) }
        let speed = megapixels > 0 ? milliseconds / megapixels : 0
        let name = plan.detector?.name ?? ""
        let time = "\((speed * 10).rounded() / 10) ms per megapixel with \(name)"
        if !settings.detector.findsFaces {
            return Finding("detector", "The custom detector runs in \(time); its results are not checked.")
        }
        guard plan.faces.count == 1, plan.faces[0].box.intersection(Self.face.box).area * 2 > Self.face.box.area else {
            return Finding(
                "detector",
                "Detection of a drawn face returned \(plan.faces.count) faces, or a wrong position.",
                fail: "Rebuild the program on this machine, or use --detector dlib, which has no CPU-specific code."
            )
        }
        guard speed < Self.slowDetection else {
            return Finding(
                "detector",
                "Detection of a drawn face works in \(time), which is slow.",
                warn: "Use dedicated CPUs and a release build."
            )
        }
        return Finding("detector", "Detection of a drawn face works in \(time).")
    }

    private static func image() throws -> PlanarImage {
        let bytes = DrawnFace.rgb([face], size: size)
        let planes = try (0..<3).map { plane in
            try Plane(size) { x, y in bytes[(y * size.width + x) * 3 + plane] }
        }
        return PlanarImage(size: size, colorModel: .rgb, planes: planes)
    }
}
