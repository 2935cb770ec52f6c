import Admission
import Encodings
package import Fetching
import HeadroomAPI
import Requests
package import Workers

/// A run: reads rows, processes images concurrently, and writes results one after another.
package struct BatchRun {
    /// The reason why a run ended without an error.
    package enum End: Sendable, Equatable {
        /// Every row is done or has failed.
        case complete
        /// A stop was requested.
        case stopped
        /// There were more failures than allowed.
        case tooManyFailures
    }

    private let configuration: BatchConfiguration
    private let clock: BatchClock
    private let start: ContinuousClock.Instant
    private let stop: StopRequest
    private let report: @Sendable (BatchProgress) -> Void
    /// Returns the number of all rows; nil until they are counted.
    private let total: @Sendable () -> Int?
    private let failed: @Sendable (BatchFailure) -> Void

    /// A run.
    ///
    /// - Parameters:
    ///   - configuration: Its settings.
    ///   - clock: Measures times, and waits before retries.
    ///   - stop: Stops the run when requested.
    ///   - total: Returns the number of all rows; nil until they are counted.
    ///   - failed: Receives each row that has failed.
    ///   - report: Receives the progress, after each image.
    package init(
        _ configuration: BatchConfiguration,
        clock: BatchClock = .system,
        stop: StopRequest,
        total: @escaping @Sendable () -> Int? = { nil },
        failed: @escaping @Sendable (BatchFailure) -> Void = { _ in },
        report: @escaping @Sendable (BatchProgress) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.clock = clock
        start = clock.now()
        self.stop = stop
        self.total = total
        self.failed = failed
        self.report = report
    }

    /// Runs until all rows are done, a stop is requested, or too many rows have failed.
    ///
    /// - Parameters:
    ///   - inputs: The rows.
    ///   - service: Processes images; it must accept ``BatchConfiguration/inWork`` images at the same time.
    ///   - fetcher: Fetches URLs.
    ///   - store: Writes results to buckets, and reads archives there; nil without `s3:` URLs.
    /// - Returns: The reason for the end, and the counts of the run.
    /// - Throws: A ``BatchError`` if the run cannot start or continue; the journal contains the rows that were finished
    ///   before the error.
    package func run(
        _ inputs: BatchInputs,
        service: WorkerService,
        fetcher: ImageFetcher,
        store: ObjectStore? = nil
    ) async throws -> (end: End, tally: BatchTally) {
        let parameters = try JobParameters(configuration)
        try inputs.checkOutput()
        let journal = try Journal(
            configuration.results,
            settings: configuration.settingsDigest,
            restarts: configuration.restarts
        )
        let objects = try objects(store, journal)
        let writer = try OutputWriter(
            configuration.target,
            changedSince: journal.contents.begun,
            archiveLength: journal.contents.archiveLength,
            store: store,
            buckets: store.map { ObjectReader($0, retries: configuration.retries) }
        )
        let findings: FindingsStore? = if let path = configuration.findings { try FindingsStore(path) } else { nil }
        let images = ImageService(
            workers: service,
            caches: ServiceCaches(detections: findings, service: service, fetcher: fetcher),
            // Jobs wait without a practical limit, because the number of images in progress is limited.
            queueTimeout: .seconds(86_400),
            overlays: configuration.overlays
        )
        let work = ImageWork(
            loader: SourceLoader(images: images, gate: ByteGate(limit: configuration.maxBytesInWork)),
            images: images,
            findings: findings,
            parameters: parameters,
            parts: writer.parts,
            objects: objects,
            retries: Retries(policy: configuration.retries, clock: clock, stop: stop),
            running: ByteGate(limit: configuration.running),
            configuration: configuration,
            clock: clock
        )
        var ledger = RunLedger(configuration, journal: journal, writer: writer)
        let end = try await run(RowFeed(inputs), work, &ledger)
        try ledger.finish(isComplete: end == .complete)
        report(progress(ledger.tally, isFinal: true))
        return (end, ledger.tally)
    }

    private func objects(_ store: ObjectStore?, _ journal: Journal) throws(BatchError) -> ObjectOutput? {
        guard let place = configuration.target.place else { return nil }
        guard let store else { throw BatchError(usage: "\(place.url): s3: URLs are disabled; set --s3-buckets") }
        if let reason = store.refusal(of: place) { throw BatchError(usage: "\(place.url): \(reason)") }
        guard case .objects = configuration.target else { return nil }
        return ObjectOutput(store: store, place: place, paths: journal.contents.paths)
    }

    private func progress(_ tally: BatchTally, isFinal: Bool = false) -> BatchProgress {
        BatchProgress(tally, total: total(), time: clock.now() - start, isFinal: isFinal)
    }
}

extension BatchRun {
    private enum Event {
        /// ``RowFeed/next()`` has a row, or the input has ended.
        case feed
        case outcome(Int, ImageWork.Outcome)
    }

    /// Starts rows within the limits of concurrency and order, and writes their outcomes.
    private func run(_ feed: RowFeed, _ work: ImageWork, _ ledger: inout RunLedger) async throws -> End {
        stop.whenRequested { [weak feed] in feed?.close() }
        return try await withThrowingTaskGroup(of: Event.self) { group -> End in
            defer { feed.close() }
            var order = ResultOrder(configuration.order, window: configuration.window)
            var (inWork, hasRows, isWaiting) = (0, true, false)
            while true {
                let isStopping = stop.isRequested || ledger.hasTooManyFailures
                if !isStopping, hasRows, !isWaiting, inWork < configuration.inWork, order.hasRoom {
                    switch try feed.next() {
                    case .later:
                        isWaiting = true
                        group.addTask {
                            await feed.ready()
                            return .feed
                        }
                        continue
                    case .end:
                        hasRows = false
                        continue
                    case .row(let row):
                        switch ledger.decide(row, of: feed) {
                        case .skip: continue
                        case .fail(let error):
                            let number = order.begin(row)
                            order.end(number, ImageWork.Outcome(result: .failure(error)))
                        case .work(let job):
                            let number = order.begin(row)
                            inWork += 1
                            group.addTask { .outcome(number, try await work.run(job)) }
                            continue
                        }
                    }
                } else if inWork > 0 || isWaiting && !isStopping, let event = try await group.next() {
                    switch event {
                    case .feed: isWaiting = false
                    case .outcome(let number, let outcome):
                        inWork -= 1
                        order.end(number, outcome)
                    }
                } else {
                    break
                }
                while let (row, outcome) = order.next() {
                    if let failure = try ledger.write(row, outcome) { failed(failure) }
                    report(progress(ledger.tally))
                }
            }
            // Outcomes of rows after an abandoned row are also written.
            while let (row, outcome) = order.next(isEnding: true) {
                if let failure = try ledger.write(row, outcome) { failed(failure) }
            }
            if ledger.hasTooManyFailures { return .tooManyFailures }
            return hasRows || ledger.hasAbandoned ? .stopped : .complete
        }
    }
}
