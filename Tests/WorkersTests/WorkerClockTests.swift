import CSandbox
import Foundation
import Glibc
import TestPacing
import Testing
import Workers

/// The limit of processor time must use the clock that the kernel uses to enforce the limit.
@Suite(.limitedConcurrency) struct WorkerClockTests {
    /// The clocks of a process.
    ///
    /// The raw values are the kernel's numbers in clock identifiers.
    private enum Clock: UInt32 {
        /// User and system time, counted in ticks; the kernel compares RLIMIT_CPU with it.
        case ticks = 0
        /// The time that the scheduler measures.
        case scheduler = 2

        /// The time of a process in seconds.
        func seconds(of process: pid_t) -> Double {
            var time = timespec()
            clock_gettime(clockid_t(truncatingIfNeeded: ~Int(process) << 3 | Int(rawValue)), &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }

    /// The soft limit for the processor time of a process, in seconds; nil for none.
    private func softLimit(of process: pid_t) throws -> Double? {
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max cpu time") })
        return Double(line.dropFirst("Max cpu time".count).split(separator: " ")[0])
    }

    @Test func `a worker whose clocks differ still gets the whole time for its job`() async throws {
        let worker = Process()
        let command = try FaultyService.configuration(["ticking"]).command
        worker.executableURL = URL(filePath: command.program)
        worker.arguments = command.arguments
        try worker.run()
        defer {
            // Signals that terminate a program gracefully may be blocked, because the child inherits the tests' signal
            // mask.
            kill(worker.processIdentifier, SIGKILL)
            worker.waitUntilExit()
        }
        let process = worker.processIdentifier
        // If a kernel uses one measurement for both clocks, they agree. The limit must also be correct in this case.
        let end = ContinuousClock.now + .seconds(20)
        _ = await eventually {
            Clock.ticks.seconds(of: process) - Clock.scheduler.seconds(of: process) > 2.5 || ContinuousClock.now > end
        }
        #expect(hr_worker_limit_time(process, 1) == 0)
        let limit = try #require(try softLimit(of: process))
        #expect(limit >= Clock.ticks.seconds(of: process))
    }

    @Test func `the time of a process that has ended is not limited`() throws {
        let worker = Process()
        worker.executableURL = URL(filePath: "/bin/true")
        try worker.run()
        worker.waitUntilExit()
        #expect(hr_worker_limit_time(worker.processIdentifier, 1) == -ESRCH)
    }
}
