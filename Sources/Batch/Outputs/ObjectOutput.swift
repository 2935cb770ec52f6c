import Fetching
import HeadroomAPI

/// Writes results as objects, several at once; each appears when it is complete.
struct ObjectOutput: Sendable {
    private let store: ObjectStore
    private let place: ObjectPlace
    private let paths: TakenPaths

    /// An output.
    ///
    /// - Parameters:
    ///   - store: The buckets.
    ///   - place: The beginning of all keys.
    ///   - paths: The paths that other results have.
    init(_ store: ObjectStore, _ place: ObjectPlace, _ paths: TakenPaths) {
        self.store = store
        self.place = place
        self.paths = paths
    }

    /// Takes the paths of a picture's results before they are written.
    ///
    /// - Throws: A ``RowError`` if one of them is another result's, or the source, or cannot be a key.
    func claim(_ names: [String], of job: BatchJob) throws(RowError) {
        for name in names {
            let object = place.appending(name)
            if let problem = RelativePath.problem(name) ?? object.problem {
                throw .output("The path \(ParameterError.shortened(name)) cannot be used: \(problem).")
            }
            if case .url(let url) = job.source, (try? ObjectPlace(url)) == object {
                throw .output("The result \(name) would replace its source.")
            }
        }
        if let taken = paths.takeAll(names) { throw .output("Another result has the path \(taken).") }
    }

    /// Gives back paths without a result.
    func release(_ names: [String]) { paths.release(names) }

    /// Writes a result.
    func put(_ bytes: [UInt8], to name: String, type: String) async throws(FetchError) {
        try await store.put(bytes, to: place.appending(name), type: type)
    }
}
