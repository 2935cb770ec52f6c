import Glibc

/// Requirements on proc(5), which a container or a chroot may lack.
package enum ProcFilesystem {
    /// The reason why worker processes cannot be started; nil if they can.
    ///
    /// A worker is started from `self/exe`, which stays valid when the program's file is replaced. It receives its job
    /// through a read-only descriptor, which is made from a writable one through `self/fd`.
    ///
    /// - Parameter root: The mount point.
    /// - Returns: One sentence with advice, without a full stop.
    package static func obstacle(root: String = "/proc") -> String? {
        for name in ["self/exe", "self/fd"] where access("\(root)/\(name)", F_OK) != 0 {
            return "worker processes cannot be started without \(root)/\(name): mount proc(5) at \(root)"
        }
        return nil
    }
}
