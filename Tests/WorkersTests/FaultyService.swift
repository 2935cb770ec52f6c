import Foundation
import Geometry
import Imaging
import Logging
import Pipeline
import TestPictures
import Testing
import Workers

/// A service whose workers are the executable `faulty-worker`.
struct FaultyService {
    let service: FrameService

    init(
        _ arguments: [String] = ["faulty"],
        workers: Int = 1,
        queue: Int = 512,
        memory: Int = 256 << 20,
        limits: PipelineLimits = PipelineLimits(),
        _ change: (inout ProcessConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = try Self.configuration(arguments)
        change(&configuration)
        service = try FrameService(
            processes: configuration,
            limits: limits,
            pool: PoolConfiguration(workers: workers, queueLimit: queue, maxBytesInFlight: memory),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// What starts `faulty-worker`, which the build puts beside the bundle of the tests.
    static func configuration(_ arguments: [String]) throws -> ProcessConfiguration {
        let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let program = tests.deletingLastPathComponent().appending(path: "faulty-worker").path
        var configuration = ProcessConfiguration(command: WorkerCommand(program: program, arguments: arguments))
        // A loaded machine gives little to workers, which stand back.
        configuration.startTimeout = .seconds(60)
        return configuration
    }

    /// A picture that makes a worker misbehave in the way that `brightness` stands for; `variant` changes its bytes and
    /// nothing else.
    static func picture(_ brightness: Int, variant: Int = 0, side: Int = 64) throws -> [UInt8] {
        let size = PixelSize(width: side, height: side)
        let bytes = try ImageEncoder.encode(TestImage.gray(size) { _, _ in UInt8(brightness) }, as: .png)
        // Behind the end of a PNG nobody looks.
        return bytes + Array("\(variant)".utf8)
    }

    /// A picture in which there is a face.
    static func goodPicture(variant: Int = 0) throws -> [UInt8] { try picture(100, variant: variant) }

    /// Looks for faces.
    func faces(in source: [UInt8]) async throws(PipelineError) -> FrameResult {
        var job = FrameJob(source: source, answer: .plan)
        job.options.accuracy = .low
        return try await service.run(job)
    }

    /// Why there is no answer; nil when there is one.
    func failure(of source: [UInt8]) async -> PipelineError? {
        do {
            let result = try await faces(in: source)
            #expect(result.plan.faces.allSatisfy { $0.confidence < 99 }, "what is forbidden was possible")
            return nil
        } catch {
            return error
        }
    }

    /// How many processes ended, by all causes.
    var ends: Int { service.processCounters?.ends.values.reduce(0, +) ?? 0 }
}

extension PipelineError {
    /// Why the worker was lost; nil for other errors.
    var loss: String? {
        if case .workerLost(let reason) = self { reason } else { nil }
    }

    /// Whether the bytes are refused.
    var isRefusal: Bool {
        if case .sourceRefused = self { true } else { false }
    }
}
