import Encodings
import Fetching
import Glibc

/// The images below a folder, sorted by path, without hidden files and links to folders.
///
/// It keeps the names of one folder per depth in memory.
struct FolderReader: RowReader {
    private struct Entry {
        var name: String
        var isFolder: Bool
        /// Folders are sorted like the paths below them.
        var order: [UInt8] { FileName.bytes(of: isFolder ? name + "/" : name) }
    }

    private let root: String
    private let excluded: String?
    private var levels: [(path: String, entries: [Entry])] = []

    /// A reader of a folder, which skips the output folder.
    init(_ root: String, excluding excluded: String?) throws(BatchError) {
        self.root = root.last == "/" ? root : root + "/"
        self.excluded = excluded
        if !isExcluded(root) { levels = [("", try entries(of: ""))] }
    }

    mutating func next() throws(BatchError) -> InputRow? {
        while var level = levels.popLast() {
            guard let entry = level.entries.popLast() else { continue }
            levels.append(level)
            let path = level.path + entry.name
            if entry.isFolder {
                if !isExcluded(root + path) { levels.append((path + "/", try entries(of: path + "/"))) }
                continue
            }
            let job = BatchJob(key: JobKey.path(path), source: .file(root + path))
            return InputRow(job: .success(job), place: root + path)
        }
        return nil
    }

    /// Compares identities when a folder is reached, because the run may create the output folder after its start.
    private func isExcluded(_ path: String) -> Bool {
        guard let excluded, let identity = FileIdentity(excluded) else { return false }
        return FileIdentity(path) == identity
    }

    /// The entries in reverse order.
    private func entries(of path: String) throws(BatchError) -> [Entry] {
        var entries: [Entry] = []
        try FolderNames.forEach(in: root + path) { name, type in
            guard !name.hasPrefix("."), let isFolder = folderOrFile(root + path + name, type),
                isFolder || TarReader.isImage(name)
            else { return }
            entries.append(Entry(name: name, isFolder: isFolder))
        }
        return entries.map { ($0, $0.order) }.sorted { $1.1.lexicographicallyPrecedes($0.1) }.map { $0.0 }
    }

    /// True for a folder, false for a file, nil for links to folders and everything else.
    private func folderOrFile(_ path: String, _ type: Int32) -> Bool? {
        if type == Int32(DT_REG) { return false }
        var status = stat()
        guard lstat(path.systemPath, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFDIR { return true }
        guard stat(path.systemPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return false
    }
}

/// The visible images below a prefix of a bucket, sorted by the bytes of their keys.
struct ObjectLister: RowReader {
    private let reader: ObjectReader
    private let place: ObjectPlace
    /// A pattern that keys must match; nil for all keys.
    private let pattern: String?
    private let excluded: ObjectPlace?
    private var last = ""
    private var isAtEnd = false
    private var keys: ArraySlice<String> = []

    /// Creates a reader for a folder of a bucket, or for the objects whose keys match a pattern of glob(7).
    ///
    /// In the pattern, `*` does not match a slash.
    ///
    /// - Parameters:
    ///   - place: The bucket, and either the folder with its final slash or the pattern.
    ///   - isPattern: Whether it is a pattern.
    ///   - reader: Reads the bucket.
    ///   - excluded: The output prefix; its objects are skipped.
    init(_ place: ObjectPlace, isPattern: Bool, _ reader: ObjectReader, excluding excluded: ObjectPlace?) {
        pattern = isPattern ? place.key : nil
        let start = isPattern ? String(place.key.prefix { !Self.wildcards.contains($0) }) : place.key
        let place = ObjectPlace(bucket: place.bucket, key: start)
        self.place = place
        self.reader = reader
        // An output prefix above the inputs excludes nothing, because it would also exclude the inputs.
        let isBelow = excluded.map { $0.bucket == place.bucket && $0.key.utf8.count > place.key.utf8.count }
        self.excluded = isBelow == true ? excluded : nil
    }

    /// The characters that turn a key into a pattern.
    ///
    /// A question mark is not among them, because it starts the version of an object.
    static let wildcards: Set<Character> = ["*", "["]

    mutating func next() throws(BatchError) -> InputRow? {
        while true {
            while let key = keys.popFirst() {
                guard isWanted(key) else { continue }
                let object = ObjectPlace(bucket: place.bucket, key: key)
                // Without a pattern, row keys are relative to the place, as in a local folder. With a pattern, row keys
                // are complete object keys.
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
        guard TarReader.isImage(key) else { return false }
        if let excluded, key.utf8.starts(with: excluded.key.utf8) { return false }
        if let pattern { return fnmatch(pattern, key, FNM_PATHNAME | FNM_PERIOD) == 0 }
        let name = key.utf8.dropFirst(place.key.utf8.count)
        return !name.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
    }
}
