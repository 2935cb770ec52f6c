import Encodings
import Fetching
import Glibc

/// A result that is written piece by piece, to a file or to standard output.
final class OutputFile {
    private enum Place {
        case file(String, descriptor: Int32)
        case standardOutput(any ReframeHost)
    }

    private let place: Place

    /// Opens a file, and truncates it; nil is the standard output of the host.
    init(_ path: String?, _ host: any ReframeHost) throws(ReframeFailure) {
        guard let path else {
            place = .standardOutput(host)
            return
        }
        let descriptor = open(path.systemPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .file(path, reason: SystemError.last.reason) }
        place = .file(path, descriptor: descriptor)
    }

    deinit { if case .file(_, let descriptor) = place { close(descriptor) } }

    /// Writes all bytes.
    ///
    /// - Throws: A ``ReframeFailure``, or the host's error for standard output.
    func write(_ bytes: [UInt8]) throws {
        switch place {
        case .standardOutput(let host): try host.write(bytes)
        case .file(let path, let descriptor):
            do throws(SystemError) {
                try FileDescriptor.write(bytes, to: descriptor)
            } catch {
                throw ReframeFailure.file(path, reason: error.reason)
            }
        }
    }
}
