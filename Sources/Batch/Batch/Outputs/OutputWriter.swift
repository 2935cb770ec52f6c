import Encodings
import Fetching
import Glibc

/// Moves finished files from the parts folder to their final paths, one row at a time.
struct OutputWriter {
    /// A finished file in the parts folder.
    struct Part: Sendable {
        var file: String
        /// Its path below the folder, or its name in the archive.
        var name: String
        var bytes: Int
    }

    private let target: OutputTarget
    private let begun: Double?
    /// The folder for parts; nil without outputs.
    let parts: PartsFolder?
    private var archive: ArchiveOutput?
    private var remote: ObjectArchive?
    private var folders: Set<Substring> = []
    private let sources: MemberFiles
    // The lock of the target until the run ends.
    private let lock: OpenFile?

    /// Locks and prepares the target.
    ///
    /// - Parameters:
    ///   - target: The destination of results.
    ///   - begun: The start of the run, which may be in an earlier process. Only files that changed later are replaced.
    ///     If it is nil, all files may be replaced.
    ///   - archiveLength: The length of the archive of earlier processes, in bytes.
    ///   - store: Writes buckets; nil without `s3:` URLs.
    ///   - buckets: Reads archives in buckets.
    /// - Throws: A ``BatchError`` if another run has locked the target, or if the archive does not match the journal.
    init(
        _ target: OutputTarget,
        changedSince begun: Double?,
        archiveLength: Int,
        store: ObjectStore?,
        buckets: ObjectReader?
    ) throws(BatchError) {
        self.target = target
        self.begun = begun
        sources = MemberFiles(buckets)
        guard let path = target.parts else {
            parts = nil
            lock = nil
            return
        }
        if case .folder(let folder) = target { try PartsFolder.create(folder) }
        try PartsFolder.create(path)
        let lock = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        guard lock.lock() else { throw BatchError("\(path) is in use by another run") }
        self.lock = lock
        parts = try PartsFolder(path)
        if case .archive(let file) = target {
            archive = try ArchiveOutput(file, parts: path, length: archiveLength, replaces: begun == nil)
        }
        if case .objectArchive(let place, _) = target, let store {
            let remote = ObjectArchive(store: store, place: place, hidden: path)
            let (complete, growing) = (Self.complete(path), ArchiveOutput.growing(path))
            if archiveLength > 0, access(complete.systemPath, F_OK) != 0, access(growing.systemPath, F_OK) != 0 {
                try remote.restore(archiveLength, to: growing)
            }
            archive = try ArchiveOutput(complete, parts: path, length: archiveLength, replaces: true)
            self.remote = remote
        }
    }

    /// The path of a complete archive until it is uploaded to its bucket.
    private static func complete(_ parts: String) -> String { "\(parts)/complete.tar" }

    var archiveLength: Int? { archive?.length }

    /// Moves the results of an image to their final paths, either all or none.
    ///
    /// - Parameters:
    ///   - results: Finished files in the parts folder.
    ///   - companions: Members of the source archive that are copied to an archive of results.
    ///   - textOnly: Whether only members that are ``PlainText`` are copied.
    /// - Returns: The names of the members that were not copied.
    /// - Throws: A ``RowError`` if only this row is affected; a ``BatchError`` if every row would be affected.
    mutating func place(_ results: [Part], companions: [ArchiveMember], textOnly: Bool) throws -> [String] {
        guard case .folder(let folder) = target else {
            defer { discard(results) }
            return try archive?.append(results, companions: companions, from: sources, textOnly: textOnly) ?? []
        }
        if let name = results.map(\.name).first(where: { isForeign("\(folder)/\($0)") }) {
            discard(results)
            throw RowError.output("\(name) exists but was not written by this run; use --restart to replace files")
        }
        for (index, result) in results.enumerated() {
            let parent = RelativePath.folder(of: result.name)
            do throws(BatchError) {
                if !parent.isEmpty, !folders.contains(parent) {
                    try PartsFolder.create("\(folder)/\(parent)")
                    folders.insert(parent)
                }
                guard rename(result.file.systemPath, "\(folder)/\(result.name)".systemPath) == 0 else {
                    throw BatchError.system("\(folder)/\(result.name)")
                }
            } catch {
                // Errors such as a file in place of a folder, or a folder in place of a file, affect only this path.
                guard [ENOTDIR, EISDIR, ENAMETOOLONG, EEXIST].contains(error.number) else { throw error }
                for placed in results[..<index] { unlink("\(folder)/\(placed.name)".systemPath) }
                discard(results)
                throw RowError.output(error.reason)
            }
        }
        return []
    }

    /// Whether a file existed before the run started.
    ///
    /// A newer file is a result that the same run wrote before it was killed.
    private func isForeign(_ path: String) -> Bool {
        guard let begun, let changed = ChangeTime.of(path) else { return false }
        return changed <= begun
    }

    /// Removes parts that will not be moved to their final paths.
    func discard(_ results: [Part]) { for result in results { unlink(result.file.systemPath) } }

    /// Finishes the archive if everything is done, and removes the hidden folder.
    mutating func finish(isComplete: Bool) throws(BatchError) {
        if isComplete { try archive?.finish() }
        if isComplete, let remote, let path = target.parts {
            try remote.send(Self.complete(path))
            unlink(Self.complete(path).systemPath)
        }
        guard isComplete || archive == nil else { return }
        try parts?.remove()
    }
}
