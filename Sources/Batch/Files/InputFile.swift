import Encodings
import Fetching
import Glibc

/// The reason why a run cannot begin or continue, as a sentence for the user.
package struct BatchError: Error, Equatable {
    package let reason: String
    package let isUsage: Bool
    /// `errno` of a failed system call; 0 for other errors.
    let number: Int32

    /// A failure that the arguments did not cause.
    package init(_ reason: String, number: Int32 = 0) {
        self.reason = reason
        self.number = number
        isUsage = false
    }

    package init(usage reason: String) {
        self.reason = reason
        number = 0
        isUsage = true
    }

    /// The failure of the last system call with a file.
    static func system(_ path: String, _ number: Int32 = errno) -> BatchError {
        BatchError("\(path): \(RegularFile.Failure.system(number).reason)", number: number)
    }
}

/// A readable file: of this machine, or of a bucket.
protocol InputFile: Sendable {
    /// The name in messages.
    var path: String { get }

    /// The length in bytes; nil for a pipe.
    func knownLength() throws(BatchError) -> Int?

    /// Reads the next bytes, fewer at the end; moves the position, so a file has one such reader.
    func read(upTo count: Int) throws(BatchError) -> [UInt8]

    /// The bytes of a range, fewer if the file ends before.
    func read(_ range: Range<Int>) throws(BatchError) -> [UInt8]
}

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

    /// Unlocks before closing: a forked child shares the descriptor, and with it the lock, until its exec.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The length in bytes; nil for anything but a regular file.
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

    /// Cuts the file, and moves its position to the end.
    func truncate(to length: Int) throws(BatchError) {
        guard ftruncate(descriptor, length) == 0, lseek(descriptor, length, SEEK_SET) == length else {
            throw .system(path)
        }
    }

    /// Locks the file or folder against other processes until it is closed; false if another one has locked it.
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

/// The names in a folder.
enum FolderNames {
    /// Calls `body` with the name and the type (`DT_REG` and others) of every entry, `.` and `..` too, in no order.
    ///
    /// - Throws: A ``BatchError`` if the folder cannot be opened, or the error of `body`.
    static func forEach(
        in path: String,
        _ body: (_ name: String, _ type: Int32) throws(BatchError) -> Void
    ) throws(BatchError) {
        guard let folder = opendir(path.systemPath) else { throw .system(path) }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { FileName.text(of: $0) }
            }
            try body(name, Int32(entry.pointee.d_type))
        }
    }
}

/// The identity of a file or folder, independent of its path.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt
    private let number: UInt

    /// Nil if it does not exist.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}

/// The time at which a file or its name last changed (`st_ctime`), by its file system's clock, in seconds since 1970.
enum ChangeTime {
    /// The time of a file or a link; nil if it does not exist.
    static func of(_ path: String) -> Double? {
        var status = stat()
        guard lstat(path.systemPath, &status) == 0 else { return nil }
        return Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) / 1e9
    }

    /// Sets the times of a file to now, and returns that time; nil if it cannot be set.
    static func now(_ path: String) -> Double? { utimensat(AT_FDCWD, path.systemPath, nil, 0) == 0 ? of(path) : nil }
}

/// Rules for paths below the output folder.
///
/// Keys come from rows that strangers may have written, so a path must not lead out of the folder.
package enum RelativePath {
    /// The longest path in bytes.
    package static let maxBytes = 1024
    /// The longest component in bytes: file systems allow 255.
    static let maxComponentBytes = 240

    /// The prefix of hidden folders of unfinished files; paths of results must not have it.
    static let reserved = ".headroom-parts"

    /// Why a text is not a path below a folder, as the end of a sentence; nil if it is valid.
    package static func problem(_ path: String) -> String? {
        let path = FileName.bytes(of: path)
        if path.isEmpty { return "it is empty" }
        if path.count > maxBytes { return "it has more than \(maxBytes) bytes" }
        if path.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "it has a control character" }
        if path.first == UInt8(ascii: "/") { return "it is an absolute path" }
        for component in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if component.isEmpty { return "it has an empty component" }
            if component.elementsEqual(".".utf8) || component.elementsEqual("..".utf8) {
                return "it has the component \(String(decoding: component, as: UTF8.self))"
            }
            if component.count > maxComponentBytes { return "a component has more than \(maxComponentBytes) bytes" }
            if component.starts(with: reserved.utf8) { return "\(reserved) is a reserved name" }
        }
        return nil
    }

    /// The folder of a path with a `/` at its end; empty if there is none.
    static func folder(of path: String) -> Substring {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return path[...slash]
    }

    static func folderEnd(of path: String) -> String.Index {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    }

    /// The hidden path beside a file in which unfinished results are kept.
    static func hidden(beside path: String) -> String {
        let start = folderEnd(of: path)
        return "\(path[..<start])\(reserved)-\(path[start...])"
    }

    /// The path without the extension of its last component.
    static func withoutExtension(_ path: String) -> String {
        let name = path.utf8[folderEnd(of: path)...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return path }
        return String(path[..<dot])
    }

    /// The extension of the last component, in lower case; empty if there is none.
    static func pathExtension(_ path: String) -> String {
        let name = path.utf8[folderEnd(of: path)...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(path[path.utf8.index(after: dot)...]).lowercased()
    }
}
