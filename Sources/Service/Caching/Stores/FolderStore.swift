import Cryptography
import Encodings
import Glibc
import Synchronization

/// A folder that stores each value in one file.
///
/// Files are distributed over 256 folders by the digest of their keys. A value is written to a temporary file, which is
/// then renamed, so that a reader sees either the whole entry or none. Entries are not flushed to disk with fsync(2).
/// After a power failure, a file may therefore be incomplete, and its digest detects this. Only purges use fsync(2).
///
/// The size limit is divided equally among groups of these folders. A group is scanned (names, sizes and times of its
/// files) when this process first writes to it, when its size exceeds its limit, and, while values are written, at most
/// every ten minutes. A scan removes the least recently used values above the limit. Nothing is scanned when the
/// process starts. Several processes may share the folder, because each process scans the files of all of them.
package final class FolderStore: StoreBackend {
    /// The number of folders.
    static let shards = 256
    /// The minimum size limit of a group of folders, in bytes.
    static let groupBytes = 256 << 20
    /// The maximum size of a value, in bytes.
    ///
    /// A quarter of a group's limit is another maximum.
    package static let largestValueBytes = 16 << 20
    /// A group that exceeds its limit is reduced to this percentage of the limit.
    static let keptPercentage = 90
    /// The maximum time between two scans of a group while values are written, in seconds.
    static let groupLifetime = 600
    /// The minimum age of the time of the last use before it is updated, in seconds.
    static let useInterval = 3600
    /// The minimum age, in seconds, of temporary files that are removed.
    ///
    /// A process that ended has left them.
    static let temporaryLifetime = 3600

    private struct Group {
        /// The size of all files at the last scan plus the size of the values written since; nil before the first scan.
        var bytes: Int?
        var readAt = 0
    }

    private struct State {
        var groups: [Group]
        var evictions = 0
        var damaged = 0
        /// Whether a purge has hidden values whose files have not been removed.
        var hasHidden = false
    }

    package let name: String
    private let folder: String
    private let limit: Int
    private let lifetime: Int
    private let now: @Sendable () -> Int
    private let purges: PurgeTable
    private let groupCount: Int
    private let state: Mutex<State>

    /// Creates a store in a folder, without accessing the folder.
    ///
    /// The folder must exist when values are read or written.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - limit: The size limit of all values, in bytes.
    ///   - lifetime: The lifetime of values in seconds, at most ``StoredEntry/maxLifetime``.
    ///   - now: The clock, in seconds since 1970.
    package init(_ path: String, limit: Int, lifetime: Int, now: @escaping @Sendable () -> Int) {
        name = path
        // The number is the version of the folder layout.
        folder = path + "/results-1"
        self.limit = limit
        self.lifetime = min(lifetime, StoredEntry.maxLifetime)
        self.now = now
        purges = PurgeTable(path: folder + "/purges", temporary: folder + "/new", now: now)
        var groups = 1
        while groups < Self.shards, limit / (2 * groups) >= Self.groupBytes { groups *= 2 }
        groupCount = groups
        state = Mutex(State(groups: [Group](repeating: Group(), count: groups)))
    }

    package var maxValueBytes: Int { min(Self.largestValueBytes, groupLimit / 4) }

    package var writers: Int { 1 }

    package var damaged: Int { state.withLock { $0.damaged } }

    package var usage: StoreUsage? {
        state.withLock { state in
            let bytes = state.groups.reduce(0) { $0 + ($1.bytes ?? 0) }
            return StoreUsage(bytes: bytes, limit: limit, evictions: state.evictions)
        }
    }

    private var groupLimit: Int { limit / groupCount }

    // MARK: Reading

    package func read(_ key: StoredKey) throws(StoreFailure) -> [UInt8]? {
        do throws(StoreFile.Failure) {
            return try read(key, at: place(of: key).path)
        } catch {
            guard error.isMissing else { throw error.reason }
            return nil
        }
    }

    private func read(_ key: StoredKey, at path: String) throws(StoreFile.Failure) -> [UInt8]? {
        let file: Int32
        do throws(StoreFile.Failure) {
            file = try StoreFile.open(path)
        } catch {
            // A link, or a device without a driver. It is not a file of this store.
            guard error.number == ELOOP || error.number == ENXIO else { throw error }
            removeDamaged(path)
            return nil
        }
        defer { close(file) }
        let description = try StoreFile.describe(file)
        guard description.isRegular, description.size <= maxValueBytes + StoredEntry.maxOverhead,
            let entry = StoredEntry(try StoreFile.read(file, count: description.size), for: key)
        else {
            removeDamaged(path)
            return nil
        }
        guard entry.isCurrent(at: now()), try !purges.hides(Set(key.labels + entry.key.labels), began: entry.began)
        else {
            StoreFile.remove(path)
            return nil
        }
        if description.used / 1_000_000_000 < now() - Self.useInterval { StoreFile.markUsed(file) }
        return entry.value
    }

    private func removeDamaged(_ path: String) {
        StoreFile.remove(path)
        state.withLock { $0.damaged += 1 }
    }

    // MARK: Writing

    package func write(_ value: [UInt8], for key: StoredKey, began: Int) throws(StoreFailure) {
        let entry = StoredEntry(value, for: key, began: began, end: now() + lifetime)
        guard value.count <= maxValueBytes, let bytes = entry.encoded else {
            throw StoreFailure("a value of \(value.count) bytes is too large")
        }
        let place = place(of: key)
        do throws(StoreFile.Failure) {
            try createFolders(place.folder)
            guard try !purges.hides(key.labels, began: began) else { return }
            try write(bytes, to: place.path)
        } catch {
            // The folders may be emptied while the service runs.
            if error.isMissing { try? createFolders() }
            throw error.reason
        }
        account(for: StoreFile.usedBytes(bytes.count), in: place.group)
    }

    private func write(_ bytes: [UInt8], to path: String) throws(StoreFile.Failure) {
        let temporary = "\(folder)/new/\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let file = try StoreFile.open(temporary, O_WRONLY | O_CREAT | O_EXCL)
        do throws(StoreFile.Failure) {
            do throws(StoreFile.Failure) {
                try StoreFile.write(bytes, to: file)
            } catch {
                close(file)
                throw error
            }
            try StoreFile.finish(file)
            try StoreFile.rename(temporary, to: path)
        } catch {
            StoreFile.remove(temporary)
            throw error
        }
    }

    /// Creates the folder of an entry and its parents, except the folder of the store itself.
    ///
    /// If the file system is not mounted, nothing is written.
    private func createFolders(_ shard: String) throws(StoreFile.Failure) {
        do throws(StoreFile.Failure) {
            try StoreFile.createFolder(shard)
        } catch {
            guard error.isMissing else { throw error }
            try createFolders()
            try StoreFile.createFolder(shard)
        }
    }

    private func createFolders() throws(StoreFile.Failure) {
        try StoreFile.createFolder(folder)
        try StoreFile.createFolder(folder + "/new")
    }

    /// Returns the file for a key, the folder of the file, and the group of the folder.
    private func place(of key: StoredKey) -> (path: String, folder: String, group: Int) {
        let digest = SHA256.digest(of: Array(key.text.utf8))
        let shard = Int(digest.first ?? 0)
        let folder = Self.path(of: shard, in: folder)
        return ("\(folder)/\(Hexadecimal.text(digest))", folder, shard * groupCount / Self.shards)
    }

    private static func path(of shard: Int, in folder: String) -> String {
        "\(folder)/\(Hexadecimal.text([UInt8(clamping: shard)]))"
    }

    // MARK: Limits

    /// Adds a written entry to its group, and scans the group if this is due.
    private func account(for bytes: Int, in group: Int) {
        let time = now()
        let isDue = state.withLock { state -> Bool in
            guard let known = state.groups[group].bytes, time - state.groups[group].readAt < Self.groupLifetime else {
                return true
            }
            state.groups[group].bytes = known + bytes
            return known + bytes > groupLimit
        }
        if isDue { limit(group) }
    }

    /// An entry that may be removed.
    private struct Candidate {
        let path: String
        let bytes: Int
        let used: Int
    }

    /// Scans a group.
    ///
    /// Removes expired entries and, above the limit, the least recently used entries.
    private func limit(_ group: Int) {
        let time = now()
        var (candidates, bytes) = ([Candidate](), 0)
        forEachEntry(in: group) { path, entry in
            guard entry.changed + lifetime > time else {
                StoreFile.remove(path)
                return
            }
            candidates.append(Candidate(path: path, bytes: entry.usedBytes, used: entry.used))
            bytes += entry.usedBytes
        }
        var evictions = 0
        if bytes > groupLimit {
            let target = groupLimit / 100 * Self.keptPercentage
            for candidate in candidates.sorted(by: { $0.used < $1.used }) {
                guard bytes > target else { break }
                // Another process may have removed the file. Its bytes are free in either case.
                if StoreFile.remove(candidate.path) { evictions += 1 }
                bytes -= candidate.bytes
            }
        }
        state.withLock { state in
            state.groups[group].bytes = bytes
            state.groups[group].readAt = time
            state.evictions += evictions
        }
    }

    private func forEachEntry(in group: Int, _ body: (String, StoreFile.Description) -> Void) {
        let count = Self.shards / groupCount
        for shard in group * count..<(group + 1) * count {
            let folder = Self.path(of: shard, in: folder)
            StoreFile.forEachName(in: folder) { name in
                let path = "\(folder)/\(name)"
                if let description = StoreFile.describe(path), description.isRegular { body(path, description) }
            }
        }
    }

    // MARK: Purging

    package func purge(_ labels: [String]) throws(StoreFailure) {
        do throws(StoreFile.Failure) {
            try createFolders(Self.path(of: 0, in: folder))
            try purges.hide(labels)
        } catch {
            throw error.reason
        }
        state.withLock { $0.hasHidden = true }
    }

    /// Scans all groups, removes old temporary files and, after a purge, removes the files of hidden values.
    package func maintain() {
        let time = now()
        StoreFile.forEachName(in: folder + "/new") { name in
            let path = "\(folder)/new/\(name)"
            if let entry = StoreFile.describe(path), entry.changed + Self.temporaryLifetime < time {
                StoreFile.remove(path)
            }
        }
        let hasHidden = state.withLock { state in
            defer { state.hasHidden = false }
            return state.hasHidden
        }
        for group in 0..<groupCount {
            if hasHidden { removeHidden(in: group) }
            limit(group)
        }
    }

    /// Removes the files of values that a purge hides.
    ///
    /// Reads only the start of each file.
    private func removeHidden(in group: Int) {
        forEachEntry(in: group) { path, description in
            guard let file = try? StoreFile.open(path) else { return }
            defer { close(file) }
            let count = min(description.size, StoredEntry.maxOverhead)
            guard let bytes = try? StoreFile.read(file, count: count), let head = StoredEntry.Head(bytes),
                (try? purges.hides(head.key.labels, began: head.began)) == true
            else { return }
            StoreFile.remove(path)
        }
    }
}

extension FolderStore {
    /// Returns the reason why a folder cannot store values, as the predicate of a sentence; nil if it can.
    ///
    /// Writes, renames and removes a small file.
    package static func problem(with path: String) -> String? {
        let name = "\(path)/headroom-check-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        do throws(StoreFile.Failure) {
            let file = try StoreFile.open(name, O_WRONLY | O_CREAT | O_EXCL)
            defer {
                StoreFile.remove(name)
                StoreFile.remove(name + "-renamed")
            }
            do throws(StoreFile.Failure) {
                try StoreFile.write([0], to: file)
            } catch {
                close(file)
                throw error
            }
            try StoreFile.finish(file)
            try StoreFile.rename(name, to: name + "-renamed")
            return nil
        } catch {
            return error.reason.description
        }
    }

    /// Whether a path is a folder; symbolic links are followed.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path.systemPath, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the free space in a folder that this user can use, in bytes; nil if unknown.
    package static func freeBytes(of path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path.systemPath, &status) == 0 else { return nil }
        let (bytes, isTooLarge) = UInt(status.f_bavail).multipliedReportingOverflow(by: UInt(status.f_frsize))
        return isTooLarge ? .max : Int(clamping: bytes)
    }

    /// Returns the size of the files in the folder of a store, in bytes.
    ///
    /// It reads only their names and sizes.
    package static func storedBytes(in path: String) -> Int {
        var bytes = 0
        for shard in 0..<shards {
            let folder = Self.path(of: shard, in: path + "/results-1")
            StoreFile.forEachName(in: folder) { name in
                bytes += StoreFile.describe("\(folder)/\(name)")?.usedBytes ?? 0
            }
        }
        return bytes
    }
}
