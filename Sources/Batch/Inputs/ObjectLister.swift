import Fetching
import Glibc

/// The pictures below the beginning of a key, in the order of their keys' bytes; hidden ones are passed over.
struct ObjectLister: RowReader {
    private let reader: ObjectReader
    private let place: ObjectPlace
    /// A pattern that keys have to match; nil for all.
    private let pattern: String?
    private let excluded: ObjectPlace?
    private var last = ""
    private var isAtEnd = false
    private var keys: ArraySlice<String> = []

    /// A reader of a folder of a bucket.
    ///
    /// - Parameters:
    ///   - place: The bucket, and the folder with its slash.
    ///   - reader: Reads the bucket.
    ///   - excluded: The place of the results, which are no inputs.
    init(_ place: ObjectPlace, _ reader: ObjectReader, excluding excluded: ObjectPlace?) {
        self.init(place, matching: nil, reader, excluding: excluded)
    }

    /// A reader of the objects whose keys match a pattern of glob(7), in which no `*` stands for a slash.
    init(matching pattern: ObjectPlace, _ reader: ObjectReader, excluding excluded: ObjectPlace?) {
        let start = String(pattern.key.prefix { !Self.wildcards.contains($0) })
        self.init(
            ObjectPlace(bucket: pattern.bucket, key: start),
            matching: pattern.key,
            reader,
            excluding: excluded
        )
    }

    private init(
        _ place: ObjectPlace,
        matching pattern: String?,
        _ reader: ObjectReader,
        excluding excluded: ObjectPlace?
    ) {
        self.place = place
        self.pattern = pattern
        self.reader = reader
        // Results beside their sources are not told from them.
        let isBelow = excluded.map { $0.bucket == place.bucket && $0.key.utf8.count > place.key.utf8.count }
        self.excluded = isBelow == true ? excluded : nil
    }

    /// Characters that make a key a pattern; a question mark does not, because it begins the version of an object.
    static let wildcards: Set<Character> = ["*", "["]

    mutating func next() throws(BatchError) -> InputRow? {
        while true {
            while let key = keys.popFirst() {
                guard isWanted(key) else { continue }
                let object = ObjectPlace(bucket: place.bucket, key: key)
                // As with a folder, keys of rows are relative to it; those of a pattern are whole.
                let name = pattern == nil ? String(key.dropFirst(place.key.count)) : key
                let row = BatchJob(key: JobKey.path(name), source: .url(object.url))
                return InputRow(job: .success(row), place: object.url)
            }
            guard !isAtEnd else { return nil }
            let page = try reader.list(place, after: last)
            keys = page.keys[...]
            last = page.keys.last ?? last
            isAtEnd = !page.isTruncated
        }
    }

    private func isWanted(_ key: String) -> Bool {
        guard TarReader.isPicture(key) else { return false }
        if let excluded, key.utf8.starts(with: excluded.key.utf8) { return false }
        if let pattern { return fnmatch(pattern, key, FNM_PATHNAME | FNM_PERIOD) == 0 }
        let name = key.utf8.dropFirst(place.key.utf8.count)
        return !name.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
    }
}
