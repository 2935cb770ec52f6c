import Synchronization

/// The paths of results of this run and earlier ones; thread-safe.
final class TakenPaths: Sendable {
    private let paths = Mutex<Set<RowIdentity>>([])

    func contains(_ path: String) -> Bool { paths.withLock { $0.contains(RowIdentity(output: path)) } }

    @discardableResult
    func take(_ path: String) -> Bool { paths.withLock { $0.insert(RowIdentity(output: path)).inserted } }

    /// Takes either all paths of a row or no path.
    ///
    /// Returns the first path that is taken or repeated.
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

    /// Releases the paths of a row without a result.
    func release(_ names: [String]) {
        paths.withLock { paths in for name in names { paths.remove(RowIdentity(output: name)) } }
    }
}
