import Fetching

extension BatchInputs {
    /// Whether an argument names something in a bucket.
    package static func isObject(_ argument: String) -> Bool { argument.prefix(5).lowercased() == "s3://" }

    /// The rows of an argument in a bucket; nil for a single picture.
    func objects(_ argument: String, _ kind: InputKind?) throws(BatchError) -> (any RowReader)? {
        let isPattern = argument.contains { ObjectLister.wildcards.contains($0) }
        let kind = kind ?? (isPattern ? .folder : InputKind(object: argument))
        if kind == .picture { return nil }
        guard let buckets else { throw BatchError(usage: "\(argument): buckets are read with --s3-buckets") }
        let place: ObjectPlace
        do throws(FetchError) { place = try ObjectPlace(argument) } catch {
            throw BatchError(usage: "\(argument): \(error)")
        }
        if kind == .folder {
            guard !isPattern else { return ObjectLister(matching: place, buckets, excluding: excludedObjects) }
            let isFolder = place.key.isEmpty || place.key.hasSuffix("/")
            return ObjectLister(isFolder ? place : place.appending("/"), buckets, excluding: excludedObjects)
        }
        return try reader(of: ObjectFile(place, buckets), kind)
    }

    private var excludedObjects: ObjectPlace? { excluded.flatMap { try? ObjectPlace($0 + "/") } }
}

extension InputKind {
    /// The kind of a place in a bucket: a folder if it ends with a slash, or is a bucket.
    fileprivate init(object: String) {
        let isBucket = !object.dropFirst(5).contains("/")
        self = isBucket || object.hasSuffix("/") ? .folder : InputKind(named: object)
    }
}
