import Glibc

/// The statistics of a process in /proc/PID/stat; see proc_pid_stat(5).
package struct ProcessStatistics: Hashable, Sendable {
    /// Processor time in user and kernel mode, in seconds.
    package var processorSeconds: Double
    /// The start time, in seconds after the system's boot.
    package var startSeconds: Double
    /// Address space, in bytes.
    package var virtualBytes: Int
    /// Resident memory, in bytes.
    package var residentBytes: Int

    /// Reads the statistics of a process; nil if it has ended.
    package init?(of processID: Int32) {
        guard let text = KernelFile.text("/proc/\(processID)/stat") else { return nil }
        self.init(text, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)), pageBytes: sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Parses the file's text; nil if it is invalid.
    package init?(_ text: String, ticksPerSecond: Int, pageBytes: Int) {
        // The name in parentheses may contain blanks and parentheses.
        guard let nameEnd = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: nameEnd)...].split(whereSeparator: \.isWhitespace)
        // The first element is field 3.
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
