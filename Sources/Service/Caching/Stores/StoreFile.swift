import CLinux
import Encodings
import Glibc

/// File system calls for a result store.
///
/// All of them block.
enum StoreFile {
    /// The failure of a call on a file or folder.
    struct Failure: Error {
        let number: Int32
        let call: String

        var isMissing: Bool { number == ENOENT }

        /// The reason as it appears in the log.
        var reason: StoreFailure { StoreFailure("\(call): \(String(cString: hr_error_text(number)))") }
    }

    /// The size and times of a file.
    struct Description {
        let isRegular: Bool
        let size: Int
        /// The time of the last use or change, in nanoseconds since 1970.
        let used: Int
        /// The time of the last change, in seconds since 1970.
        let changed: Int

        fileprivate init(_ status: stat) {
            isRegular = status.st_mode & S_IFMT == S_IFREG
            size = status.st_size
            used = max(Self.nanoseconds(status.st_atim), Self.nanoseconds(status.st_mtim))
            changed = status.st_mtim.tv_sec
        }

        private static func nanoseconds(_ time: timespec) -> Int {
            time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ time.tv_nsec
        }

        /// The size in bytes, rounded up to whole blocks, as in most file systems.
        var usedBytes: Int { StoreFile.usedBytes(size) }
    }

    /// The block size of most file systems, in bytes.
    private static let blockBytes = 4096

    static func usedBytes(_ size: Int) -> Int {
        max(1, (size + blockBytes - 1) / blockBytes) * blockBytes
    }

    /// Opens a file; the caller closes it.
    ///
    /// Does not follow a symbolic link at the end of the path.
    static func open(_ path: String, _ flags: Int32 = O_RDONLY) throws(Failure) -> Int32 {
        while true {
            // O_NONBLOCK is needed because opening a named pipe would block.
            let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
            let file = Glibc.open(path.systemPath, flags, 0o660)
            if file >= 0 { return file }
            let number = errno
            guard number == EINTR else { throw Failure(number: number, call: "open") }
        }
    }

    static func describe(_ file: Int32) throws(Failure) -> Description {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure(number: errno, call: "fstat") }
        return Description(status)
    }

    /// Returns the description of a path; nil if there is none.
    ///
    /// Does not follow a symbolic link.
    static func describe(_ path: String) -> Description? {
        var status = stat()
        return lstat(path.systemPath, &status) == 0 ? Description(status) : nil
    }

    /// Reads up to a number of bytes from an offset.
    static func read(_ file: Int32, at offset: Int = 0, count: Int) throws(Failure) -> [UInt8] {
        guard count > 0 else { return [] }
        var failure: Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let read = pread(file, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
                if read < 0 {
                    let number = errno
                    if number == EINTR { continue }
                    failure = Failure(number: number, call: "read")
                    return
                }
                if read == 0 { return }
                filled += read
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all bytes at an offset.
    static func write(_ bytes: [UInt8], to file: Int32, at offset: Int = 0) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(file, buffer.baseAddress.map { $0 + written }, bytes.count - written, off_t(offset + written))
            }
            if count < 0 {
                let number = errno
                if number == EINTR { continue }
                throw Failure(number: number, call: "write")
            }
            written += count
        }
    }

    /// Closes a file that was written.
    ///
    /// Network file systems and quotas may report errors only here.
    static func finish(_ file: Int32) throws(Failure) {
        guard close(file) == 0 else {
            let number = errno
            // In Linux, the descriptor is closed even after EINTR.
            guard number == EINTR else { throw Failure(number: number, call: "close") }
            return
        }
    }

    static func synchronize(_ file: Int32) throws(Failure) {
        guard fsync(file) == 0 else { throw Failure(number: errno, call: "fsync") }
    }

    static func rename(_ path: String, to other: String) throws(Failure) {
        guard Glibc.rename(path.systemPath, other.systemPath) == 0 else {
            throw Failure(number: errno, call: "rename")
        }
    }

    /// Removes a file.
    ///
    /// Returns whether it was removed.
    @discardableResult
    static func remove(_ path: String) -> Bool { unlink(path.systemPath) == 0 }

    /// Creates a folder unless it already exists.
    static func createFolder(_ path: String) throws(Failure) {
        guard mkdir(path.systemPath, 0o770) == 0 else {
            let number = errno
            guard number == EEXIST else { throw Failure(number: number, call: "mkdir") }
            return
        }
    }

    /// Sets the time of the last use to now, without changing the time of the last change.
    static func markUsed(_ file: Int32) {
        // The values of UTIME_NOW and UTIME_OMIT, which Swift does not import.
        var times = (timespec(tv_sec: 0, tv_nsec: (1 << 30) - 1), timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2))
        withUnsafePointer(to: &times) { pointer in
            pointer.withMemoryRebound(to: timespec.self, capacity: 2) { _ = futimens(file, $0) }
        }
    }

    /// Calls a function with each name in a folder except `.` and `..`.
    ///
    /// Does nothing if the folder cannot be read.
    static func forEachName(in path: String, _ body: (String) -> Void) {
        guard let folder = opendir(path.systemPath) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { FileName.text(of: $0) }
            }
            if name != ".", name != ".." { body(name) }
        }
    }
}
