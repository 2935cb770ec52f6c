import Fetching

/// Opens archives whose members are copied; one in a bucket stays open, because its members are neighbours.
final class MemberFiles {
    private let buckets: ObjectReader?
    private var last: (path: String, file: ObjectFile)?

    init(_ buckets: ObjectReader?) { self.buckets = buckets }

    func open(_ path: String) throws(BatchError) -> any InputFile {
        guard BatchInputs.isObject(path), let buckets else { return try OpenFile(path) }
        if let last, last.path == path { return last.file }
        guard let place = try? ObjectPlace(path) else { throw BatchError("\(path): not the URL of an object") }
        let file = ObjectFile(place, buckets)
        last = (path, file)
        return file
    }
}
