import Glibc

/// The pictures below a folder, sorted by path; hidden files and links to folders are passed over.
///
/// It holds the names of one folder of each depth.
struct FolderReader: RowReader {
    private struct Entry {
        var name: String
        var isFolder: Bool
        /// Folders sort like the paths below them.
        var order: [UInt8] { Array((isFolder ? name + "/" : name).utf8) }
    }

    private let root: String
    private let excluded: String?
    private var levels: [(path: String, entries: [Entry])] = []

    /// A reader of a folder.
    ///
    /// - Parameters:
    ///   - root: The folder.
    ///   - excluded: A folder that is passed over: that of the results.
    /// - Throws: A ``BatchError`` if the folder cannot be read.
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

    /// Compared when the folder is met: the run may have created it since it began.
    private func isExcluded(_ path: String) -> Bool {
        guard let excluded, let identity = FileIdentity(excluded) else { return false }
        return FileIdentity(path) == identity
    }

    /// The entries in reverse order.
    private func entries(of path: String) throws(BatchError) -> [Entry] {
        var entries: [Entry] = []
        try FolderNames.forEach(in: root + path) { name, type in
            guard !name.hasPrefix("."), let isFolder = folderOrFile(root + path + name, type),
                isFolder || TarReader.isPicture(name)
            else { return }
            entries.append(Entry(name: name, isFolder: isFolder))
        }
        return entries.map { ($0, $0.order) }.sorted { $1.1.lexicographicallyPrecedes($0.1) }.map { $0.0 }
    }

    /// True for a folder, false for a file; nil for what is neither a folder nor a file, and for a link to a folder.
    private func folderOrFile(_ path: String, _ type: Int32) -> Bool? {
        if type == Int32(DT_REG) { return false }
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFDIR { return true }
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return false
    }
}
