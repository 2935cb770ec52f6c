import Glibc

/// The process's limit on open files and sockets (RLIMIT_NOFILE).
package enum OpenFileLimit {
    /// Raises the soft limit to the hard limit and returns the current limit; 0 if the limit cannot be read.
    ///
    /// On most systems, the soft limit is 1024, because of programs that use select(2). Neither this program nor
    /// libcurl uses select(2), and a service with thousands of connections needs more descriptors. The server reserves
    /// some descriptors, because Dispatch opens its own descriptors and traps if none are free.
    package static func raise() -> UInt {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 ? raised.rlim_cur : limit.rlim_cur
    }
}
