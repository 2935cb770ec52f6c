import Foundation
import Geometry
import Imaging
import Logging
import Pipeline
import TestImages
import Testing
import Workers

/// A service whose workers are the executable `faulty-worker`.
struct FaultyService {
    let service: WorkerService

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
        service = try WorkerService(
            processes: configuration,
            limits: limits,
            pool: PoolConfiguration(workers: workers, queueLimit: queue, maxBytesInFlight: memory),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// The command for `faulty-worker`, which the build stores next to the test bundle.
    static func configuration(_ arguments: [String]) throws -> ProcessConfiguration {
        let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let program = tests.deletingLastPathComponent().appending(path: "faulty-worker").path
        var configuration = ProcessConfiguration(command: WorkerCommand(program: program, arguments: arguments))
        // A long timeout, because workers have a low priority and the machine may be busy.
        configuration.startTimeout = .seconds(60)
        return configuration
    }

    /// An image whose `brightness` selects a fault; `variant` changes only its bytes.
    static func image(_ brightness: Int, variant: Int = 0, side: Int = 64) throws -> [UInt8] {
        let size = PixelSize(width: side, height: side)
        let bytes = try ImageEncoder.encode(TestImage.gray(size) { _, _ in UInt8(brightness) }, as: .png)
        // Decoders ignore bytes after the end of a PNG.
        return bytes + Array("\(variant)".utf8)
    }

    /// An image with a face.
    static func goodImage(variant: Int = 0) throws -> [UInt8] { try image(100, variant: variant) }

    /// Detects faces.
    func faces(in source: [UInt8]) async throws(PipelineError) -> FrameResult {
        var job = FrameJob(source: source, target: .plan)
        job.options.accuracy = .low
        return try await service.run(job)
    }

    /// The error of a request; nil if it succeeds.
    func failure(of source: [UInt8]) async -> PipelineError? {
        do {
            let result = try await faces(in: source)
            #expect(result.plan.faces.allSatisfy { $0.confidence < 99 }, "a forbidden call was possible")
            return nil
        } catch {
            return error
        }
    }

    /// The number of processes that exited, for any reason.
    var ends: Int { service.processCounters?.ends.values.reduce(0, +) ?? 0 }
}

extension PipelineError {
    /// The reason for a worker exit; nil for other errors.
    var loss: String? {
        if case .workerLost(let reason) = self { reason } else { nil }
    }

    /// Whether the job exceeded its time limit: through its own processor time, or because the machine was busy.
    var isTimeout: Bool {
        if case .overloaded = self { true } else { loss?.contains("took longer than") == true }
    }

    /// Whether the bytes are rejected.
    var isRefusal: Bool {
        if case .sourceRefused = self { true } else { false }
    }
}
