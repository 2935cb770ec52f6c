import HeadroomAPI

extension RunIndex {
    /// Decides what becomes of a row, and remembers it.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - retriesFailed: Whether what failed in an earlier run is done again.
    ///   - name: The name of an earlier row of this run.
    /// - Returns: Work, the error of the row, or nothing to do.
    mutating func decide(
        _ row: InputRow,
        retriesFailed: Bool,
        name: (_ input: Int, _ number: Int) -> String
    ) -> RunLedger.Decision {
        let met = State.met(input: row.input, number: row.number)
        func once(_ identity: RowIdentity, _ decision: RunLedger.Decision) -> RunLedger.Decision {
            switch self[identity] {
            case .done, .met: .skip
            case .failed: retriesFailed ? decision : .skip
            case nil: decision
            }
        }
        let job: BatchJob
        switch row.job {
        case .success(let found): job = found
        case .failure(let error):
            let identity = RowIdentity(row: row.place)
            defer { self[identity] = met }
            return once(identity, .fail(error))
        }
        let identity = RowIdentity(key: job.key)
        if case .met(let input, let number) = self[identity] {
            let error = RowError(
                Self.duplicateKey,
                "The key \(ParameterError.shortened(job.key)) of \(row.place) is that of \(name(input, number)) too."
            )
            let identity = RowIdentity(row: row.place)
            defer { self[identity] = met }
            return once(identity, .fail(error))
        }
        defer { self[identity] = met }
        if let problem = RelativePath.problem(job.key) {
            let text = "The key \(ParameterError.shortened(job.key)) cannot be used: \(problem)."
            return once(identity, .fail(RowError("invalid-key", text)))
        }
        return once(identity, .work(job))
    }

}

extension TakenPaths {
    /// Takes the paths of the run's own files, so that no result replaces them.
    func reserve(_ configuration: BatchConfiguration) {
        guard case .folder(let folder) = configuration.target else { return }
        for file in [configuration.results, configuration.failures, configuration.findings] {
            guard let file, file.hasPrefix("\(folder)/") else { continue }
            take(String(file.dropFirst(folder.count + 1)))
        }
    }
}
