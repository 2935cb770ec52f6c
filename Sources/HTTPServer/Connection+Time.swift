import CLinux

extension Connection {
    /// Closes or refuses what has taken too long; called on every tick of the loop.
    func checkTime(_ now: ContinuousClock.Instant) {
        if let deadline, now >= deadline {
            timedOut()
        } else if phase == .handling || phase == .writing || stage != .idle, hr_is_hung_up(channel.descriptor) {
            // A reset usually shows when it is read. It does not while reading is paused.
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
        // A handler has a deadline only after the client's FIN; an answer and a last look only until patience ends.
        case .handling, .writing, .lingering: close()
        case .closed: break
        }
    }
}
