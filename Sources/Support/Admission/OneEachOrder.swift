/// One job per client at a time.
///
/// Turns go to the client that has waited longest. Unknown clients count as different ones.
package struct OneEachOrder: TurnOrder {
    /// The order, which has no state of its own.
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

    /// The last job of the client with the most waiting jobs.
    ///
    /// Nil, so that the new job is refused, unless that client has more of them than the new job's client would have.
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
        // Of each other client, one job at most comes first, as often as the client has jobs itself.
        let turns = line.clients[client].waiting + 1
        let ahead = line.clients.clients.reduce(0) { ahead, other in
            other == client ? ahead : ahead + min(line.clients[other].waiting, turns)
        }
        return isFull ? max(own, line.estimate.wait(behind: ahead, places: line.places)) : own
    }
}
