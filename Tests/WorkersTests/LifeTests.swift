import Foundation
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// The start, replacement and end of worker processes.
@Suite(.limitedConcurrency, .serialized) struct LifeTests {
    @Test func `a worker inherits only six descriptors and two environment variables`() throws {
        let service = try FaultyService(["inherited-state"])
        let variables = #"["SWIFT_BACKTRACE", "GLIBC_TUNABLES"]"#
        #expect(service.service.detectorName == "descriptors [0, 1, 2, 3, 4, 5] variables \(variables)")
    }

    @Test func `a pixel limit below the self-test's image does not prevent a worker from starting`() async throws {
        let service = try FaultyService(limits: PipelineLimits(decode: DecodeLimits(maxPixels: 1000)))
        #expect(service.service.hasWorkers)
        guard case .codec(.tooLarge) = await service.failure(of: try FaultyService.goodImage()) else {
            Issue.record("64×64 pixels are more than 1000")
            return
        }
    }

    /// Codecs are loaded inside the sandbox, so each codec must work without the calls that the sandbox denies.
    @Test(arguments: InputFormat.allCases, [false, true])
    func `the first image of a worker may have any format`(format: InputFormat, isAnimated: Bool) async throws {
        let output = OutputFormat.allCases.first { InputFormat($0) == format }
        let size = PixelSize(width: 32, height: 24)
        let source: [UInt8]
        if isAnimated {
            guard let output, output.keepsAnimation else { return }
            let writer = try AnimationEncoder.begin(output, size: size, plays: 0)
            try writer.add(TestImage.gradient(size), milliseconds: 50)
            try writer.add(TestImage.rgb(size) { _, _ in (90, 120, 60) }, milliseconds: 50)
            source = try writer.finish()
        } else {
            source = try format.sample ?? ImageEncoder.encode(TestImage.gradient(size), as: #require(output))
        }
        let service = try FaultyService()
        var job = FrameJob(source: source, target: .image(ImageOutput(format: output ?? .jpeg)))
        job.options.framing.gravity = .center
        job.options.resultSize.width = 12
        #expect(try await service.service.run(job).image != nil)
    }

    @Test func `a worker has a lower priority than the process that sends responses`() async throws {
        let service = try FaultyService()
        let worker = try #require(service.service.processIDs.first)
        let process = __priority_which_t(PRIO_PROCESS.rawValue)
        // Dispatch's threads may have a different niceness than the process.
        let answering = await withCheckedContinuation { continuation in
            DispatchQueue(label: "answers").async { continuation.resume(returning: getpriority(process, 0)) }
        }
        #expect(getpriority(process, id_t(worker)) > answering)
    }

    @Test func `a detector that cannot be loaded is reported as the reason for the failed start`() {
        let error = #expect(throws: WorkerExit.self) { try FaultyService(["broken"]) }
        #expect(error?.description == "cannot read the detector cats.svm: No such file or directory")
        #expect(error?.cause == .start)
    }

    @Test func `a worker that crashes or stays silent at its start is an error`() {
        let crash = #expect(throws: WorkerExit.self) { try FaultyService(["crash"]) }
        #expect(crash?.description.contains("SIGABRT") == true)
        let silence = #expect(throws: WorkerExit.self) {
            try FaultyService(["silent"]) { $0.startTimeout = .milliseconds(1) }
        }
        #expect(silence?.description.contains("took longer") == true)
        #expect(throws: WorkerExit.self) {
            try FaultyService { $0.command.program = "/nowhere/headroom" }
        }
    }

    @Test func `the first worker is the process that was started early`() async throws {
        let early = try #require(EarlyWorker(FaultyService.configuration(["faulty"]).command))
        let id = try #require(early.processID)
        let service = try FaultyService(workers: 2) { $0.early = early }
        #expect(early.processID == nil)
        #expect(service.service.processIDs.first == id)
        #expect(await eventually { service.service.processIDs.count == 2 })
        // Its successor is a different process.
        kill(id, SIGKILL)
        #expect(await eventually { service.service.processCounters?.restarts == 1 })
        #expect(!service.service.processIDs.contains(id))
    }

    @Test func `an early process is ended if its command differs or if it is not used`() throws {
        let command = try FaultyService.configuration(["silent"]).command
        let early = try #require(EarlyWorker(command))
        let id = try #require(early.processID)
        let service = try FaultyService { $0.early = early }
        #expect(service.service.processIDs.first != id)
        #expect(early.processID == nil)
        #expect(kill(id, 0) != 0)
        let unused = try #require(EarlyWorker(command).map { $0.processID })
        #expect(kill(try #require(unused), 0) != 0)
        #expect(EarlyWorker(WorkerCommand(program: "/nowhere/headroom", arguments: [])) == nil)
    }

    @Test func `killed workers are replaced, and no other request is lost`() async throws {
        let service = try FaultyService(workers: 2)
        let killed = await withTaskGroup(of: PipelineError?.self, returning: Int.self) { group in
            for index in 0..<300 {
                group.addTask {
                    // Each task represents one client.
                    await service.failure(of: (try? FaultyService.goodImage(variant: index)) ?? [])
                }
            }
            var killed = 0
            for _ in 0..<15 {
                guard let id = service.service.processIDs.randomElement(), kill(id, SIGKILL) == 0 else { continue }
                killed += 1
                _ = await eventually { !service.service.processIDs.contains(id) }
            }
            var failures: [PipelineError] = []
            for await failure in group { if let failure { failures.append(failure) } }
            #expect(failures.allSatisfy { $0.loss?.contains("SIGKILL") == true })
            #expect(failures.count <= killed)
            return killed
        }
        #expect(killed > 0)
        #expect(await eventually { service.service.processCounters?.alive == 2 })
        #expect(service.service.load == PoolLoad())
        // A worker killed from outside does not count against the image.
        #expect(service.service.processCounters?.crashQuarantine == 0)
    }

    /// Kills the only worker once its job is in progress.
    private func killWorker(of service: FaultyService) async throws {
        #expect(await eventually { service.service.load.bytesInFlight > 0 && service.service.processIDs.count == 1 })
        let id = try #require(service.service.processIDs.first)
        #expect(kill(id, SIGKILL) == 0)
        #expect(await eventually { service.service.processIDs.first.map { $0 != id } ?? true })
    }

    @Test func `a job whose worker is killed is repeated by another worker`() async throws {
        let service = try FaultyService()
        let image = try FaultyService.image(245)
        async let result = service.faces(in: image)
        try await killWorker(of: service)
        #expect(try await result.plan.faces.count == 1)
        #expect(service.ends == 1)
        #expect(service.service.processCounters?.restarts == 1)
        #expect(service.service.processCounters?.crashQuarantine == 0)
        #expect(service.service.load == PoolLoad())
    }

    @Test func `a job whose worker is killed twice fails, and its request is rejected`() async throws {
        let service = try FaultyService()
        let image = try FaultyService.image(245)
        async let failure = service.failure(of: image)
        for _ in 0..<2 { try await killWorker(of: service) }
        #expect(await failure?.loss?.contains("SIGKILL") == true)
        #expect(service.ends == 2)
        #expect(await eventually { service.service.hasWorkers })
        guard case .sourceRefused = await service.failure(of: image) else {
            Issue.record("the request was not rejected")
            return
        }
        // Other requests are served.
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
    }

    @Test func `a worker has a descriptive process name`() async throws {
        let service = try FaultyService()
        let id = try #require(service.service.processIDs.first)
        #expect(try String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8) == "\(FrameWorker.name)\n")
        #expect(FrameWorker.name.utf8.count <= 15)
    }

    @Test func `an idle worker that is killed is replaced before the next request`() async throws {
        let service = try FaultyService(workers: 2)
        #expect(await eventually { service.service.processIDs.count == 2 })
        let before = Set(service.service.processIDs)
        for id in before { kill(id, SIGKILL) }
        #expect(await eventually { before.isDisjoint(with: service.service.processIDs) && service.service.hasWorkers })
        #expect(await eventually { service.service.processCounters?.alive == 2 })
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
    }

    @Test func `an idle worker releases the memory that it kept for the next image`() async throws {
        let service = try FaultyService()
        var job = FrameJob(source: try FaultyService.image(100, side: 3000), target: .image(ImageOutput()))
        job.options.framing.gravity = .center
        _ = try await service.service.run(job)
        let id = try #require(service.service.processIDs.first)
        #expect(try await eventually { try kilobytes("VmHWM", of: id) - kilobytes("VmRSS", of: id) > 6 << 10 })
    }

    @Test func `while workers cannot start, retries are rare, and the first success restores the workers`()
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appending(path: "headroom-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let service = try FaultyService(["unless", file.path])
        #expect(service.service.hasWorkers)
        try Data().write(to: file)
        for id in service.service.processIDs { kill(id, SIGKILL) }
        #expect(await eventually { !service.service.hasWorkers })
        async let waiting = service.failure(of: try FaultyService.goodImage())
        let start = ContinuousClock.now
        let ends = service.ends
        #expect(await eventually { service.ends >= ends + 4 })
        // Four worker exits have three pauses between them, of at least 0.1, 0.2 and 0.4 s.
        #expect(ContinuousClock.now - start >= .milliseconds(700))
        #expect(!service.service.hasWorkers)
        try FileManager.default.removeItem(at: file)
        // The waiting request is served after the start.
        #expect(try await waiting == nil)
        #expect(service.service.hasWorkers)
    }

    @Test func `a cancelled job stops before the next detection pass, and its worker continues`() async throws {
        let service = try FaultyService()
        let id = service.service.processIDs
        let task = Task {
            // All detection passes take 1.5 s each.
            try await service.service.run(FrameJob(source: try FaultyService.image(245, side: 400), target: .plan))
        }
        #expect(await eventually { service.service.load.bytesInFlight > 0 })
        task.cancel()
        let error = await #expect(throws: PipelineError.self) { try await task.value }
        guard case .cancelled = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(service.service.processIDs == id)
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
        #expect(service.ends == 0)
    }

    @Test func `a job without memory before its deadline is rejected even if it has a worker`() async throws {
        // A detection that never ends and keeps its memory.
        let endless = try FaultyService.image(205, side: 1200)
        func occupied(memory: Int, _ body: (FaultyService) async throws -> Void) async throws {
            let faulty = try FaultyService(workers: 2, memory: memory) { $0.jobTimeout = .seconds(600) }
            let running = Task { await faulty.failure(of: endless) }
            #expect(await eventually { faulty.service.load.bytesInFlight > 0 })
            try await body(faulty)
            // A cancelled job is not repeated.
            running.cancel()
            for process in faulty.service.processIDs { kill(process, SIGKILL) }
            #expect(await running.value != nil)
        }
        var needed = 0
        try await occupied(memory: 256 << 20) { needed = $0.service.load.bytesInFlight }
        try await occupied(memory: needed * 3 / 2) { faulty in
            var job = FrameJob(source: try FaultyService.image(100, side: 1200), target: .plan)
            job.options.accuracy = .low
            let error = await #expect(throws: PipelineError.self) {
                _ = try await faulty.service.run(job, by: .now)
            }
            guard case .overloaded = error else {
                Issue.record("unexpected error: \(String(describing: error))")
                return
            }
            #expect(faulty.service.load.bytesInFlight == needed)
        }
    }

    @Test func `the spare worker replaces a killed worker, and another spare worker starts`() async throws {
        let service = try FaultyService { $0.hasSpareWorker = true }
        #expect(await eventually { service.service.spareProcessID != nil })
        let spare = try #require(service.service.spareProcessID)
        let worker = try #require(service.service.processIDs.first)
        #expect(service.service.processIDs == [worker])
        #expect(worker != spare)
        kill(worker, SIGKILL)
        #expect(await eventually { service.service.processIDs == [spare] })
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
        #expect(await eventually { service.service.spareProcessID.map { $0 != spare } ?? false })
        #expect(service.service.processIDs == [spare])
        #expect(service.service.processCounters?.restarts == 1)
        #expect(service.ends == 1)
    }

    @Test func `a spare worker that cannot start is not retried until a worker is replaced`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "headroom-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let service = try FaultyService(["unless", file.path]) { $0.hasSpareWorker = true }
        #expect(await eventually { service.service.spareProcessID != nil })
        let spare = try #require(service.service.spareProcessID)
        try Data().write(to: file)
        kill(try #require(service.service.processIDs.first), SIGKILL)
        // The killed worker, and the failed start of the next spare worker.
        #expect(await eventually { service.ends == 2 })
        #expect(service.service.processIDs == [spare])
        #expect(service.service.spareProcessID == nil)
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
        #expect(service.ends == 2)
        try FileManager.default.removeItem(at: file)
        kill(spare, SIGKILL)
        #expect(await eventually { service.service.spareProcessID != nil })
        #expect(service.service.processIDs.count == 1)
    }

    @Test func `if the spare worker is killed with the worker, both are replaced`() async throws {
        let service = try FaultyService { $0.hasSpareWorker = true }
        #expect(await eventually { service.service.spareProcessID != nil })
        let spare = try #require(service.service.spareProcessID)
        let worker = try #require(service.service.processIDs.first)
        for id in [spare, worker] { kill(id, SIGKILL) }
        #expect(
            await eventually {
                let current = service.service.processIDs + (service.service.spareProcessID.map { [$0] } ?? [])
                return current.count == 2 && Set(current).isDisjoint(with: [spare, worker])
            }
        )
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
        #expect(service.ends == 2)
    }

    @Test func `the spare worker ends with the service`() async throws {
        var service: FaultyService? = try FaultyService { $0.hasSpareWorker = true }
        let current = service?.service
        #expect(await eventually { current?.spareProcessID != nil })
        let spare = try spareID(of: service)
        service = nil
        _ = consume current
        #expect(await eventually { kill(spare, 0) != 0 })
    }

    @Test func `the processes end with the service`() async throws {
        var service: FaultyService? = try FaultyService(workers: 2)
        let current = service?.service
        #expect(await eventually { current?.processIDs.count == 2 })
        let ids = try await ids(of: service)
        service = nil
        _ = consume current
        #expect(await eventually { ids.allSatisfy { kill($0, 0) != 0 } })
    }

    private func spareID(of service: FaultyService?) throws -> Int32 {
        try #require(service?.service.spareProcessID)
    }

    private func ids(of service: FaultyService?) async throws -> [Int32] { try #require(service).service.processIDs }
}

/// A memory value of a process in /proc.
private func kilobytes(_ name: String, of process: Int32) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}
