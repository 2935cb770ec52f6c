import Cryptography
import Encodings
import Glibc

/// The times of the latest purges, in a file that all processes with the same folder share.
///
/// The file has a fixed number of slots. The digest of a label selects its slot, which contains the time of the latest
/// purge of any label in this slot. A purge of one label therefore also hides older values of other labels in the slot,
/// which must then be computed again. Values whose computation began before the file was created are also hidden. If
/// the file is lost, the store therefore hides all values instead of returning purged values.
///
/// The file is opened for each use, because network file systems show changes by other machines only in files that are
/// opened later.
struct PurgeTable: Sendable {
    /// The number of slots.
    static let slots = 1 << 17
    /// Values whose computation began up to this many seconds after a purge are hidden, because clocks differ.
    static let margin = 5

    private static let mark = Array("HRP1\0\0\0\0".utf8)
    private static let slotBytes = 8
    /// The size of the mark and of the time of creation, which fits one slot.
    private static let headBytes = 16
    private static let bytes = headBytes + slots * slotBytes

    private let path: String
    /// A folder on the same file system, for temporary files.
    private let temporary: String
    private let now: @Sendable () -> Int

    init(path: String, temporary: String, now: @escaping @Sendable () -> Int) {
        self.path = path
        self.temporary = temporary
        self.now = now
    }

    /// Whether a purge hides a value.
    ///
    /// - Parameters:
    ///   - labels: The labels of the value and of the request.
    ///   - began: The time before the value's sources were read, in seconds since 1970.
    /// - Returns: True if the value must not be served.
    /// - Throws: The reason why the file cannot be read or created. The value must not be served in this case.
    func hides(_ labels: some Sequence<String>, began: Int) throws(StoreFile.Failure) -> Bool {
        let file = try opened(O_RDONLY)
        defer { close(file) }
        let created = try StoreFile.read(file, at: Self.mark.count, count: Self.slotBytes)
        if began < Self.number(created) { return true }
        for label in labels {
            let time = Self.number(try StoreFile.read(file, at: Self.offset(of: label), count: Self.slotBytes))
            if time > 0, began <= time + Self.margin { return true }
        }
        return false
    }

    /// Hides all existing values that have one of the labels.
    ///
    /// The file is flushed to disk before this function returns.
    func hide(_ labels: some Sequence<String>) throws(StoreFile.Failure) {
        let file = try opened(O_RDWR)
        defer { close(file) }
        let time = withUnsafeBytes(of: Int64(now()).littleEndian) { Array($0) }
        for label in labels { try StoreFile.write(time, to: file, at: Self.offset(of: label)) }
        try StoreFile.synchronize(file)
    }

    /// Opens the file and, if it is missing or damaged, first creates it.
    ///
    /// The caller closes it.
    private func opened(_ flags: Int32) throws(StoreFile.Failure) -> Int32 {
        var isDamaged = false
        for _ in 0..<2 {
            if let file = try opened(flags, &isDamaged) { return file }
            try create(replacing: isDamaged)
        }
        return try StoreFile.open(path, flags)
    }

    /// Opens the file; nil if it is missing or damaged.
    private func opened(_ flags: Int32, _ isDamaged: inout Bool) throws(StoreFile.Failure) -> Int32? {
        let file: Int32
        do throws(StoreFile.Failure) {
            file = try StoreFile.open(path, flags)
        } catch {
            guard error.isMissing || error.number == ELOOP else { throw error }
            isDamaged = !error.isMissing
            return nil
        }
        do throws(StoreFile.Failure) {
            if try isValid(file) { return file }
        } catch {
            close(file)
            throw error
        }
        close(file)
        isDamaged = true
        return nil
    }

    private func isValid(_ file: Int32) throws(StoreFile.Failure) -> Bool {
        let description = try StoreFile.describe(file)
        guard description.isRegular, description.size == Self.bytes else { return false }
        return try StoreFile.read(file, count: Self.mark.count) == Self.mark
    }

    /// Creates an empty file with all its blocks allocated, so that a purge succeeds even on a full disk.
    private func create(replacing: Bool) throws(StoreFile.Failure) {
        let name = "\(temporary)/purges-\(UInt64.random(in: 0 ... .max))"
        let file = try StoreFile.open(name, O_RDWR | O_CREAT | O_EXCL)
        defer { StoreFile.remove(name) }
        do throws(StoreFile.Failure) {
            var bytes = Self.mark + withUnsafeBytes(of: Int64(now()).littleEndian) { Array($0) }
            bytes += [UInt8](repeating: 0, count: Self.bytes - bytes.count)
            try StoreFile.write(bytes, to: file)
            try StoreFile.synchronize(file)
        } catch {
            close(file)
            throw error
        }
        try StoreFile.finish(file)
        // link(2) does not replace a file that another process may have created at the same time.
        if !replacing, link(name.systemPath, path.systemPath) == 0 || errno == EEXIST { return }
        try StoreFile.rename(name, to: path)
    }

    private static func offset(of label: String) -> Int {
        let digest = SHA256.digest(of: Array(label.utf8))
        let slot = digest.prefix(4).reduce(0) { $0 << 8 | Int($1) } % slots
        return headBytes + slot * slotBytes
    }

    /// Reads a time.
    ///
    /// An implausible time in a damaged slot becomes a time in the distant future, which hides values.
    private static func number(_ bytes: [UInt8]) -> Int {
        let number = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(clamping: min(number, 1 << 40))
    }
}
