import ArgumentParser
import Batch
import Foundation
import Synchronization
import SystemLimits
import Telemetry
import Workers

/// `headroom batch`: crops any number of pictures, and goes on where it was stopped.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Crops any number of pictures, and goes on where it was stopped.",
        discussion: """
            Reads folders, patterns, pictures, lists of paths or URLs (.txt), JSON lines (.jsonl), CSV and tar archives. \
            Rows of JSON lines and CSV name url or file, and may name key and any option below as a parameter of /frame.

            Writes one line a picture to the results file, which is the journal too: the same command goes on with what is \
            missing. SIGINT and SIGTERM finish the pictures that workers have begun; a second signal stops at once.

            EXAMPLES
              headroom batch photos/ --aspect 1:1 --width 400 --output avatars/
              headroom batch jobs.jsonl --aspect 1:1 --output out/ --failures failed.jsonl
              headroom batch shards/a.tar --aspect 4:5 --output a-4x5.tar
              headroom batch urls.txt --plans --results plans.jsonl
              headroom batch failed.jsonl --aspect 1:1 --output more/

            EXIT STATUS
              0 if no more pictures failed than --max-failures allows, else 1; 130 and 143 after SIGINT and SIGTERM.
            """
    )

    @OptionGroup var batch: BatchOptions

    @OptionGroup(title: "Crop") var picture: PictureOptions

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    @OptionGroup(title: "URLs") var fetching: BatchFetchOptions

    func run() async throws {
        let settings = try BatchSettings(self, environment: ProcessInfo.processInfo.environment)
        do {
            if batch.dryRun { return try dryRun(settings) }
            try await run(settings)
        } catch let error as BatchError {
            throw error.isUsage ? CommandFailure.usage(error.reason) : CommandFailure(error.reason)
        }
    }

    private func dryRun(_ settings: BatchSettings) throws {
        let summary = try DryRun(settings.batch).run(settings.inputs) { fields in
            try StandardStream.output.write(fields.map(QuotedText.escaped).joined(separator: "\t") + "\n")
        }
        StandardStream.error.writeLine(
            "\(summary.jobs) to do, \(summary.done) done before, \(summary.problems) refused; nothing was done"
        )
    }

    private func run(_ settings: BatchSettings) async throws {
        Allocator.configure()
        _ = OpenFileLimit.raise()
        let stop = StopRequest()
        let signalNumber = Atomic<Int32>(0)
        let display = BatchDisplay()
        let signals = try SignalListener([SIGINT, SIGTERM]) { number in
            let (isFirst, _) = signalNumber.compareExchange(expected: 0, desired: number, ordering: .relaxed)
            // Workers are active, so nothing may be torn down as exit(3) would.
            guard isFirst else { _exit(128 + number) }
            display.say("stopping when the pictures that workers have begun are done; a second signal stops at once")
            stop.request()
        }
        defer { signals.stop() }
        let service = try settings.service()
        let count = RowCount(settings)
        let run = BatchRun(
            settings.batch,
            stop: stop,
            total: { count.value },
            failed: display.show(failure:),
            report: display.show
        )
        let (end, tally) = try await run.run(
            settings.inputs,
            service: service,
            fetcher: settings.fetcher,
            store: settings.store
        )
        let limit = settings.batch.failureLimit
        // What failed before counts too: a run that goes on must not hide it.
        let failed = tally.failed + tally.failedBefore
        let isExceeded = limit.isExceeded(failed, of: tally.done + tally.failed + tally.skipped)
        switch end {
        case .complete: if isExceeded { display.say(Self.failures(tally, settings.batch.results)) }
        case .tooManyFailures:
            display.say("stopped after \(tally.failed) failures; the same command goes on with the rest")
        case .stopped:
            display.say("stopped; the same command goes on with the rest")
            throw ExitCode(128 + signalNumber.load(ordering: .relaxed))
        }
        if isExceeded { throw ExitCode.failure }
    }

    /// How many rows have failed, in this run and before.
    private static func failures(_ tally: BatchTally, _ results: String) -> String {
        guard tally.failedBefore > 0 else { return "\(tally.failed) failed: \(results) says why" }
        let before = "\(tally.failedBefore) failed in earlier runs, which --retry-failed tries again"
        return tally.failed == 0
            ? "\(before): \(results) says why" : "\(tally.failed) failed, and \(before): \(results) says why"
    }
}
