import Glibc

/// A path for a Unix socket that nobody uses.
func temporarySocketPath() -> String {
    "/tmp/headroom-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).sock"
}
