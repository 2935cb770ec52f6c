import Glibc

/// An unused path for a Unix socket.
func temporarySocketPath() -> String {
    "/tmp/headroom-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).sock"
}
