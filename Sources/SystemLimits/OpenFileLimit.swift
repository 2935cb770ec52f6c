import Glibc

/// How many files and sockets the process may have open at the same time.
package enum OpenFileLimit {
    /// Raises the soft limit to the hard one, and returns what holds now.
    ///
    /// The soft limit is 1024 on most systems, for the sake of old programs that call select(2), which neither this one
    /// nor libcurl does. A service with thousands of connections needs more; and the server keeps a reserve below the
    /// limit because Dispatch, which opens descriptors of its own, traps when there is none left.
    package static func raise() -> UInt {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 ? raised.rlim_cur : limit.rlim_cur
    }
}
