import CForbiddenCalls
import Framing
import Geometry
import Pipeline
import TestPacing
import Testing
import Workers

/// A bad image fails only its own request.
@Suite(.limitedConcurrency, .serialized) struct FaultTests {
    @Test(arguments: [
        (200, "SIGSEGV", WorkerExit.Cause.crash),
        (215, "system call 00", .denied),
        (220, "system call 00041", .denied),
        (225, "system call 00059", .denied),
        (230, "system call 00", .denied),
        (235, "system call 00009", .denied),
        (240, "system call 00062", .denied),
    ])
    func `a crash or a forbidden operation ends the worker, and the worker is replaced`(
        brightness: Int,
        reason: String,
        cause: WorkerExit.Cause
    ) async throws {
        let service = try FaultyService()
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
        let failure = await service.failure(of: try FaultyService.image(brightness))
        let loss = try #require(failure?.loss, "\(String(describing: failure))")
        // The system call numbers are for x86-64.
        #if arch(x86_64)
        #expect(loss.contains(reason))
        #endif
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
        #expect(service.service.processCounters?.ends == [cause: 1])
        #expect(service.service.processCounters?.restarts == 1)
        #expect(service.service.processCounters?.alive == 1)
    }

    @Test(arguments: 0..<hr_forbidden_count())
    func `every system call that the sandbox forbids ends the worker`(call: Int32) async throws {
        let service = try FaultyService(["calling", "\(call)"])
        let name = String(cString: hr_forbidden_name(call))
        let failure = await service.failure(of: try FaultyService.image(240))
        #expect(failure?.loss?.contains("system call") == true, "\(name): \(String(describing: failure))")
        #expect(service.service.processCounters?.ends == [.denied: 1], "\(name)")
    }

    @Test func `an endless loop is ended at its time limit`() async throws {
        let service = try FaultyService { $0.jobTimeout = .seconds(3) }
        let start = ContinuousClock.now
        let failure = await service.failure(of: try FaultyService.image(205))
        #expect(failure?.isTimeout == true)
        #expect(ContinuousClock.now - start >= .seconds(3))
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
        #expect(service.service.processCounters?.ends == [.timeout: 1])
    }

    @Test func `a job that allocates endlessly gets no more than its estimate and the reserve`() async throws {
        let service = try FaultyService { $0.spareBytes = 96 << 20 }
        let failure = await service.failure(of: try FaultyService.image(210))
        let loss = try #require(failure?.loss)
        let mebibytes = try #require(loss.firstMatch(of: /had (\d+) MiB/).flatMap { Int($0.1) })
        #expect(mebibytes <= 160)
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
        #expect(service.service.processCounters?.ends == [.crash: 1])
    }

    @Test func `a worker that logs endlessly is ended after its job`() async throws {
        let service = try FaultyService()
        let id = service.service.processIDs
        _ = try? await service.faces(in: try FaultyService.image(250))
        #expect(await eventually { service.service.processIDs.count == 1 && service.service.processIDs != id })
        #expect(await service.failure(of: try FaultyService.goodImage()) == nil)
    }

    @Test func `bytes that ended a worker are rejected for every request, and end no other worker`() async throws {
        let service = try FaultyService(workers: 2)
        let bad = try FaultyService.image(200)
        #expect(await service.failure(of: bad)?.loss != nil)
        for response in [FrameJob.Target.plan, .image(ImageOutput()), .facePlan(index: 1)] {
            let error = await #expect(throws: PipelineError.self) {
                try await service.service.run(FrameJob(source: bad, target: response))
            }
            #expect(error?.isRefusal == true)
        }
        #expect(service.ends == 1)
        #expect(service.service.processCounters?.refusals == 3)
        #expect(service.service.processCounters?.crashQuarantine == 1)
        // An image with other bytes counts as a different image.
        #expect(await service.failure(of: try FaultyService.image(200, variant: 1))?.loss != nil)
        #expect(service.ends == 2)
    }

    @Test func `many requests with the same bad bytes end no more workers than there are`() async throws {
        let service = try FaultyService(workers: 2)
        let bad = try FaultyService.image(200)
        let failures = await withTaskGroup(of: PipelineError?.self) { group in
            for _ in 0..<40 { group.addTask { await service.failure(of: bad) } }
            var failures: [PipelineError] = []
            for await failure in group { if let failure { failures.append(failure) } }
            return failures
        }
        #expect(failures.count == 40)
        #expect(failures.count { $0.loss != nil } <= 2)
        #expect(failures.allSatisfy { $0.loss != nil || $0.isRefusal })
        #expect(service.ends <= 2)
    }

    @Test func `a request that took too long is rejected, and others for the same image are processed`() async throws {
        let service = try FaultyService { $0.jobTimeout = .seconds(2) }
        let slow = try FaultyService.image(205)
        var timeouts = 0
        var failure = await service.failure(of: slow)
        // On a busy machine, a timeout only makes the image suspicious, up to six times.
        while failure?.isTimeout == true, timeouts < 6 {
            timeouts += 1
            failure = await service.failure(of: slow)
        }
        #expect(timeouts > 0)
        #expect(failure?.isRefusal == true)
        var crop = FrameJob(source: slow, target: .image(ImageOutput()))
        crop.options.framing.gravity = .center
        #expect(try await service.service.run(crop).image != nil)
        #expect(service.ends == timeouts)
    }

    @Test func `bytes are accepted again when their rejection expires`() async throws {
        let service = try FaultyService { $0.refusalTime = .milliseconds(1) }
        let bad = try FaultyService.image(200)
        #expect(await service.failure(of: bad)?.loss != nil)
        #expect(await eventually { await service.failure(of: bad)?.loss != nil })
    }

    @Test func `good requests get responses while bad requests end workers`() async throws {
        let service = try FaultyService(workers: 2)
        let outcomes = await withTaskGroup(of: (isBad: Bool, failure: PipelineError?).self) { group in
            for index in 0..<60 {
                group.addTask {
                    let isBad = index % 6 == 0
                    let image = try? FaultyService.image(isBad ? 200 : 100, variant: index)
                    return (isBad, await service.failure(of: image ?? []))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 60)
        #expect(outcomes.allSatisfy { $0.isBad == ($0.failure?.loss != nil) })
        #expect(service.service.load == PoolLoad())
        #expect(await eventually { service.service.processCounters?.alive == 2 })
    }

    @Test(arguments: [
        "garbage", "nothing", "long", "deaf", "missing", "script", "type", "size", "overflow", "source", "bars",
        "crops", "time", "faces", "images", "findings", "failure", "flat", "score", "look", "endless", "twice",
    ])
    func `a worker that sends a forged reply is ended`(lie: String) async throws {
        let service = try FaultyService(["lying", lie]) { $0.jobTimeout = .seconds(20) }
        let job = FrameJob(source: try FaultyService.goodImage(), target: .image(ImageOutput()))
        let error = await #expect(throws: PipelineError.self) { _ = try await service.service.run(job) }
        #expect(error?.loss != nil)
        // A worker that closes its connection looks like a worker that was killed from outside, so its job is repeated
        // once.
        #expect(service.ends == (lie == "deaf" ? 2 : 1))
        #expect(await eventually { service.service.processCounters?.alive == 1 })
    }

    @Test(arguments: ["boast", "shrink"])
    func `a worker with an impossible greeting does not start`(lie: String) {
        let error = #expect(throws: WorkerExit.self) { try FaultyService(["lying", lie]) }
        #expect(error?.cause == .breach)
    }

    @Test func `a valid worker works, and its request for too much memory is rejected`() async throws {
        let job = FrameJob(source: try FaultyService.goodImage(), target: .image(ImageOutput()))
        let honest = try FaultyService(["lying", "honest"])
        #expect(try await honest.service.run(job).image?.size == PixelSize(width: 64, height: 64))
        let greedy = try FaultyService(["lying", "greedy"])
        for _ in 0..<2 {
            let error = await #expect(throws: PipelineError.self) { _ = try await greedy.service.run(job) }
            guard case .tooMuchMemory = error else {
                Issue.record("unexpected error: \(String(describing: error))")
                return
            }
        }
        #expect(greedy.ends == 0)
    }
}
