import Glibc

/// What the kernel says of a process in /proc/PID/stat; see proc_pid_stat(5).
package struct ProcessStatistics: Hashable, Sendable {
    /// Processor time, the kernel's for it included, in seconds.
    package var processorSeconds: Double
    /// When it was started, in seconds after the system was.
    package var startSeconds: Double
    /// Address space, in bytes.
    package var virtualBytes: Int
    /// Memory that it has now, in bytes.
    package var residentBytes: Int

    /// Of a process; nil when it is gone.
    package init?(of processID: Int32) {
        guard let text = KernelFile.text("/proc/\(processID)/stat") else { return nil }
        self.init(text, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)), pageBytes: sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Reads the file's text; nil when it is not what it should be.
    package init?(_ text: String, ticksPerSecond: Int, pageBytes: Int) {
        // The name stands in parentheses, and may hold blanks and parentheses itself.
        guard let nameEnd = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: nameEnd)...].split(whereSeparator: \.isWhitespace)
        // The first of them is field 3.
        func field(_ number: Int) -> Int? {
            fields.indices.contains(number - 3) ? Int(fields[number - 3]) : nil
        }
        guard let user = field(14), let system = field(15), let start = field(22), let virtual = field(23),
            let resident = field(24)
        else { return nil }
        processorSeconds = Double(user + system) / Double(ticksPerSecond)
        startSeconds = Double(start) / Double(ticksPerSecond)
        virtualBytes = virtual
        residentBytes = resident * pageBytes
    }
}

/// Small files that the kernel writes when they are read.
enum KernelFile {
    /// The text; nil when there is none.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = read(descriptor, &part, part.count), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
