import Glibc

/// The time at which a file last changed or got its name, by the clock of its file system, in seconds since 1970.
enum ChangeTime {
    /// The time of a file or a link; nil if it does not exist.
    static func of(_ path: String) -> Double? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) / 1e9
    }

    /// Sets the times of a file to now, and returns that time; nil if it cannot be set.
    static func now(_ path: String) -> Double? { utimensat(AT_FDCWD, path, nil, 0) == 0 ? of(path) : nil }
}
