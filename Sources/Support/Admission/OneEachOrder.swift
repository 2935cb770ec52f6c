/// Runs at most one job per client at a time.
///
/// The next turn goes to the client that has waited longest. Each unknown client counts as a different client.
package struct OneEachOrder: TurnOrder {
    /// Creates the order, which is stateless.
    package init() {}

    package func client(of job: Client?) -> Client? { job }

    package func next(in line: WaitingLine<Client?>) -> Int? {
        var best: (index: Int, turn: ClientTally.Turn)?
        for (index, client) in line.waiting.enumerated() where client == nil || line.clients[client].running == 0 {
            let turn = line.clients.turn(of: client)
            if best.map({ turn < $0.turn }) ?? true { best = (index, turn) }
        }
        return best?.index
    }

    /// Returns the last job of the client with the most waiting jobs.
    ///
    /// Returns nil, so that the new job is rejected, unless this client has more waiting jobs than the new job's client
    /// would have.
    package func displaced(by client: Client?, in line: WaitingLine<Client?>) -> Int? {
        guard let maximum = line.clients.maxWaiting, maximum.count > line.clients[client].waiting + 1 else {
            return nil
        }
        return line.waiting.lastIndex { $0 == maximum.client }
    }

    package func wait(of client: Client?, in line: WaitingLine<Client?>) -> Duration {
        guard client != nil else { return line.estimate.wait(behind: line.waiting.count, places: line.places) }
        let own = line.estimate.wait(behind: line.clients[client].waiting, places: 1)
        let isFull = line.running.count >= line.places
        // Before each turn of this client, each other client gets at most one turn.
        let turns = line.clients[client].waiting + 1
        let ahead = line.clients.clients.reduce(0) { ahead, other in
            other == client ? ahead : ahead + min(line.clients[other].waiting, turns)
        }
        return isFull ? max(own, line.estimate.wait(behind: ahead, places: line.places)) : own
    }
}
