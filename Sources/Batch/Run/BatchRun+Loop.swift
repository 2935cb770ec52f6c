extension BatchRun {
    private enum Event {
        /// The feed has a row, or has ended.
        case feed
        case outcome(Int, PictureWork.Outcome)
    }

    /// Begins rows as long as there is room, and writes what they became.
    func run(_ feed: RowFeed, _ work: PictureWork, _ ledger: inout RunLedger) async throws -> End {
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
                            order.end(number, PictureWork.Outcome(.failure(error)))
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
                    try ledger.write(row, outcome)
                    report(progress(ledger.tally))
                }
            }
            // What waits for a row before it that was abandoned is finished too.
            while let (row, outcome) = order.next(isEnding: true) { try ledger.write(row, outcome) }
            if ledger.hasTooManyFailures { return .tooManyFailures }
            return hasRows || ledger.hasAbandoned ? .stopped : .complete
        }
    }
}
