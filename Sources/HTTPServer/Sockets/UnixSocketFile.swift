import Glibc

/// The file of a Unix socket, identified by device and inode, so that a server removes only its own.
struct UnixSocketFile: Sendable {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// The socket file at `path`; nil if there is none.
    init?(path: String) {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFSOCK else { return nil }
        self.path = path
        device = info.st_dev
        inode = info.st_ino
    }

    /// Deletes the file if it has not been replaced.
    func remove() {
        guard let current = UnixSocketFile(path: path), current.device == device, current.inode == inode else { return }
        unlink(path)
    }
}
