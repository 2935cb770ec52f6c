import CLinux

extension Connection {
    /// Closes or refuses the connection if its deadline has passed; called on every tick of the loop.
    func checkTime(_ now: ContinuousClock.Instant) {
        checkDelivery(now)
        if awaitsAcknowledgement { requestPiece() }
        if let deadline, now >= deadline {
            timedOut()
        } else if phase == .handling || phase == .writing || stage != .idle, hr_is_hung_up(channel.descriptor) {
            // A reset is normally detected by a read, but not while reading is paused.
            close()
        }
    }

    private func timedOut() {
        switch phase {
        case .reading:
            switch parser.stage(input) {
            case .idle: close()
            case .head: refuse(.headerTimeout)
            case .body: refuse(.bodyTimeout)
            }
        case .writing: cutOff("the client does not read its response")
        // A handler has a deadline only after the client's FIN.
        case .handling, .lingering: close()
        case .closed: break
        }
    }
}
