import Foundation
import Framing
import Geometry
import Glibc
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Workers of a service with inherited hard limits, for example from ulimit, systemd or a container.
@Suite(.limitedConcurrency, .serialized) struct InheritedLimitTests {
    private static let addressSpace = RLIMIT_AS.rawValue
    private static let fileSize = RLIMIT_FSIZE.rawValue
    private static let processorTime = RLIMIT_CPU.rawValue

    /// The hard limit of a process in /proc; nil for none.
    private func hardLimit(_ name: String, of process: Int32) throws -> UInt64? {
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
        return UInt64(line.dropFirst(name.count).split(separator: " ")[1])
    }

    /// An incompressible PNG, so that the job and its reply are about as large as the PNG.
    private func noise(side: Int) throws -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let image = try TestImage.gray(PixelSize(width: side, height: side)) { _, _ in
            UInt8.random(in: 0...128, using: &generator)
        }
        return try ImageEncoder.encode(image, as: .png)
    }

    @Test(arguments: [
        (addressSpace, "Max address space", UInt64(4 << 30)), (fileSize, "Max file size", 64 << 20),
        (processorTime, "Max cpu time", 300),
    ])
    func `a hard limit is not changed, and images are processed below it`(
        resource: UInt32,
        name: String,
        value: UInt64
    ) async throws {
        let service = try FaultyService(["limited", "\(resource)", "\(value)"])
        let process = try #require(service.service.processIDs.first)
        for variant in 0..<3 {
            #expect(await service.failure(of: try FaultyService.goodImage(variant: variant)) == nil)
        }
        #expect(try hardLimit(name, of: process) == value)
        #expect(service.ends == 0)
    }

    @Test func `a reply that a limit on file sizes prevents does not count against the image`() async throws {
        let service = try FaultyService(["limited", "\(Self.fileSize)", "\(256 << 10)"])
        var job = FrameJob(source: try noise(side: 900), target: .image(ImageOutput(format: .png)))
        job.options.framing.gravity = .center
        for _ in 0..<2 {
            let error = await #expect(throws: PipelineError.self) { _ = try await service.service.run(job) }
            #expect(error?.loss?.contains("ulimit -f") == true || error?.loss?.contains("hard limits") == true)
        }
        #expect(service.service.processCounters?.crashQuarantine == 0)
        #expect(service.service.processCounters?.ends == [.environment: 2])
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
    }

    @Test func `the self-test may take longer than a job`() async throws {
        let service = try FaultyService { $0.jobTimeout = .nanoseconds(1) }
        #expect(service.service.processIDs.count == 1)
        #expect(await service.failure(of: try FaultyService.goodImage())?.isTimeout == true)
    }

    @Test func `a worker that cannot process a small image is not ready, and the error names the limit`() {
        // The limit is less than the memory that the program needs before its first job.
        let memory = #expect(throws: WorkerExit.self) {
            try FaultyService(["limited", "\(Self.addressSpace)", "\(48 << 20)"])
        }
        #expect(memory != nil)
        let file = #expect(throws: WorkerExit.self) { try FaultyService(["limited", "\(Self.fileSize)", "16"]) }
        #expect(file != nil)
        let unfit = #expect(throws: WorkerExit.self) { try FaultyService(["lying", "unfit"]) }
        #expect(unfit?.cause == .start)
        #expect(unfit?.description.contains("self-test") == true)
    }
}
