import Synchronization

/// The paths that results have, in this run and earlier ones; safe from any thread.
final class TakenPaths: Sendable {
    private let paths = Mutex<Set<RowIdentity>>([])

    /// Whether a path is another result's.
    func contains(_ path: String) -> Bool { paths.withLock { $0.contains(RowIdentity(output: path)) } }

    /// Takes a path; false if it is taken.
    @discardableResult
    func take(_ path: String) -> Bool { paths.withLock { $0.insert(RowIdentity(output: path)).inserted } }

    /// Takes all paths of a row, or none of them.
    ///
    /// - Returns: The first that is taken, or is there twice; nil if the row has them now.
    func takeAll(_ names: [String]) -> String? {
        paths.withLock { paths in
            var taken: [RowIdentity] = []
            for name in names {
                let identity = RowIdentity(output: name)
                guard paths.insert(identity).inserted else {
                    for each in taken { paths.remove(each) }
                    return name
                }
                taken.append(identity)
            }
            return nil
        }
    }

    /// Gives back the paths of a row that has no result.
    func release(_ names: [String]) {
        paths.withLock { paths in for name in names { paths.remove(RowIdentity(output: name)) } }
    }
}
