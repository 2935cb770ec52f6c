import Encodings
import Glibc

extension OpenFile: InputFile {
    func knownLength() -> Int? { length }
}

/// An open file, closed with its last reference.
final class OpenFile: Sendable {
    let descriptor: Int32
    /// The name in messages.
    let path: String

    /// Opens a file with flags of open(2); `-` with `O_RDONLY` is standard input.
    init(_ path: String, _ flags: Int32 = O_RDONLY) throws(BatchError) {
        if path == "-" {
            descriptor = dup(STDIN_FILENO)
            self.path = "standard input"
        } else {
            descriptor = open(path.systemPath, flags | O_CLOEXEC, 0o666)
            self.path = path
        }
        guard descriptor >= 0 else { throw .system(self.path) }
    }

    /// Unlocks before closing, because a forked child shares the descriptor and its lock until the child calls exec.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The length in bytes; nil unless it is a regular file.
    var length: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    func read(upTo count: Int) throws(BatchError) -> [UInt8] {
        try read(upTo: count) { Glibc.read(descriptor, $0, $1) }
    }

    func read(_ range: Range<Int>) throws(BatchError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        while bytes.count < range.count {
            let start = range.lowerBound + bytes.count
            let more = try read(upTo: range.upperBound - start) { pread(descriptor, $0, $1, start) }
            if more.isEmpty { break }
            if bytes.isEmpty { bytes = more } else { bytes += more }
        }
        return bytes
    }

    /// Writes all bytes at the position of the file.
    func write(_ bytes: [UInt8]) throws(BatchError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw .system(path)
            }
        }
    }

    /// Truncates the file, and moves the position to its end.
    func truncate(to length: Int) throws(BatchError) {
        guard ftruncate(descriptor, length) == 0, lseek(descriptor, length, SEEK_SET) == length else {
            throw .system(path)
        }
    }

    /// Locks the file or folder against other processes until it is closed; false if another process has locked it.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    private func read(
        upTo count: Int,
        _ call: (UnsafeMutableRawPointer?, Int) -> Int
    ) throws(BatchError) -> [UInt8] {
        while true {
            var number = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                number = call(buffer.baseAddress, count)
                filled = max(0, number)
            }
            if number >= 0 { return bytes }
            if errno != EINTR { throw .system(path) }
        }
    }
}
