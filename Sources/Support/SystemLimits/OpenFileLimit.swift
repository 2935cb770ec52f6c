import Glibc

/// The limit of open files and sockets of the process (RLIMIT_NOFILE).
package enum OpenFileLimit {
    /// Raises the soft limit to the hard limit, and returns the current limit; 0 if it cannot be read.
    ///
    /// The soft limit is 1024 on most systems, for programs that use select(2); neither this program nor libcurl uses
    /// it. A service with thousands of connections needs more. The server reserves some descriptors because Dispatch,
    /// which opens its own descriptors, traps if none are free.
    package static func raise() -> UInt {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 ? raised.rlim_cur : limit.rlim_cur
    }
}
