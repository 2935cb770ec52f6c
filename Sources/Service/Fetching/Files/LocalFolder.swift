import Encodings
import CLinux
import Glibc

/// The folder of local files.
///
/// The kernel resolves paths (openat2 with RESOLVE_BENEATH) and guarantees that they stay below the folder. A symbolic
/// link may point to another place inside the folder; a link to a place outside is refused. The folder's own path may
/// contain any links. It is resolved again for each file, so the folder can be replaced while the service runs.
package struct LocalFolder: Hashable, Sendable {
    package let path: String

    /// Creates a folder; the folder need not exist yet.
    package init(_ path: String) { self.path = path }

    /// Returns the reason why no file below the folder can be opened; nil if files can be opened.
    package func problem() -> String? {
        do {
            close(try open("."))
            return nil
        } catch {
            return error.number == ENOSYS || error.number == EPERM
                ? "the system call openat2 is not available: it requires Linux 5.6 and a container engine that permits it"
                : error.text
        }
    }

    /// Opens a file or folder for reading.
    ///
    /// The path must not start with a slash; the caller closes the descriptor.
    ///
    /// - Throws: The error of openat2(2); EXDEV if the path leaves the folder.
    func open(_ relative: String) throws(SystemFailure) -> Int32 {
        let folder = hr_open_folder(path.systemPath)
        guard folder >= 0 else { throw SystemFailure(number: -folder) }
        defer { close(folder) }
        let file = hr_open_beneath(folder, relative.systemPath)
        guard file >= 0 else { throw SystemFailure(number: -file) }
        return file
    }

    /// The error of a system call.
    struct SystemFailure: Error {
        let number: Int32

        var text: String { String(cString: hr_error_text(number)) }
    }
}
