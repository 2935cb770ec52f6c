import Admission
import CLinux
import Glibc

/// The folder of local files.
///
/// The kernel resolves paths and guarantees that they stay below the folder. Symbolic links inside of it may lead to
/// other places inside of it, as in folders that are replaced as a whole; a link that leads outside is refused. The
/// folder's own path may contain any links, and is resolved anew for each file.
package struct LocalFolder: Hashable, Sendable {
    /// The path of the folder.
    package let path: String

    /// A folder that need not exist yet.
    package init(_ path: String) { self.path = path }

    /// The reason why no file below the folder can be opened; nil if files can be.
    package func problem() -> String? {
        do {
            close(try open("."))
            return nil
        } catch {
            return error.number == ENOSYS || error.number == EPERM
                ? "the system call openat2 is not available: Linux 5.6 and a container engine that permits it are needed"
                : error.text
        }
    }

    /// Opens a file or folder for reading.
    ///
    /// - Parameter relative: A path below the folder, without a slash at its beginning.
    /// - Returns: A descriptor that the caller closes.
    /// - Throws: The error of openat2(2); EXDEV if the path leaves the folder.
    func open(_ relative: String) throws(SystemFailure) -> Int32 {
        let folder = hr_open_folder(path)
        guard folder >= 0 else { throw SystemFailure(number: -folder) }
        defer { close(folder) }
        let file = hr_open_beneath(folder, relative)
        guard file >= 0 else { throw SystemFailure(number: -file) }
        return file
    }

    /// The error of a system call.
    struct SystemFailure: Error {
        let number: Int32

        var text: String { String(cString: hr_error_text(number)) }
    }
}
