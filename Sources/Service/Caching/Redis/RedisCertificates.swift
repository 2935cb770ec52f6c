import CTLS
import Glibc
import Synchronization

/// The certificate files for TLS connections to Redis, in PEM format.
package struct RedisCertificates: Hashable, Sendable {
    /// The path of the trusted authorities, which replace the system's authorities; nil for the system's authorities.
    package var authorities: String?
    /// The path of the client certificate with its chain; nil for none.
    package var certificate: String?
    /// The path of the certificate's key; nil if the certificate's file also contains the key.
    package var key: String?

    /// Creates a value with the paths of the files; nil has the meaning described at each property.
    package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
        self.authorities = authorities
        self.certificate = certificate
        self.key = key
    }

    /// Returns the reason why the files cannot be used, including the path; nil if they can be used.
    package func problem() -> String? {
        do throws(RedisFailure) {
            _ = try RedisTLSContext(self)
            return nil
        } catch {
            return error.description
        }
    }
}

/// The content of ``RedisCertificates``, as an OpenSSL context that sessions share.
///
/// `@unchecked Sendable` because OpenSSL's contexts are thread-safe after their configuration.
final class RedisTLSContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(_ files: RedisCertificates) throws(RedisFailure) {
        var error = [CChar](repeating: 0, count: Int(HR_TLS_ERROR_CAPACITY))
        // The pointers are valid until the closures return.
        let pointer = withOptionalCString(files.authorities) { authorities in
            withOptionalCString(files.certificate) { certificate in
                withOptionalCString(files.key) { key in
                    var paths = hr_tls_files(authorities: authorities, certificate: certificate, key: key)
                    return hr_tls_context_create(&paths, &error)
                }
            }
        }
        guard let pointer else { throw RedisFailure(text: error) }
        self.pointer = pointer
    }

    deinit { hr_tls_context_free(pointer) }

    /// Creates a session on a connected socket, before the handshake.
    func session(on descriptor: Int32, host: String) throws(RedisFailure) -> OpaquePointer {
        var error = [CChar](repeating: 0, count: Int(HR_TLS_ERROR_CAPACITY))
        // Certificates contain names without the final dot of a fully qualified name.
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard let session = hr_tls_open(pointer, descriptor, name, &error) else { throw RedisFailure(text: error) }
        return session
    }
}

/// Creates and stores the TLS context for some files.
///
/// The context is created again when a file has changed, for example after the renewal of a certificate.
final class RedisSecurity: Sendable {
    private struct Stamp: Equatable {
        let device: UInt
        let file: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private let files: RedisCertificates
    private let state = Mutex<(context: RedisTLSContext?, stamps: [Stamp?])>((nil, []))

    init(_ files: RedisCertificates) { self.files = files }

    /// Returns the context for the current content of the files.
    func context() throws(RedisFailure) -> RedisTLSContext {
        let files = files
        return try state.withLock { state throws(RedisFailure) -> RedisTLSContext in
            let stamps = [files.authorities, files.certificate, files.key].map { $0.flatMap(Self.stamp) }
            if let context = state.context, state.stamps == stamps { return context }
            let context = try RedisTLSContext(files)
            state = (context, stamps)
            return context
        }
    }

    private static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            device: UInt(status.st_dev),
            file: UInt(status.st_ino),
            size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }
}

/// Calls a closure with a text as a C string, or with nil.
private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString(body)
}
