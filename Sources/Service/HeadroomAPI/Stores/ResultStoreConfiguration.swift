import Caching
package import Fetching
import UntrustedText

/// The configuration of the store that preserves results across restarts.
package struct ResultStoreConfiguration: Sendable {
    /// The location of the store.
    package enum Place: Hashable, Sendable, CustomStringConvertible {
        /// The path of a folder.
        case folder(String)
        /// A bucket, and the prefix of all keys.
        case bucket(ObjectPlace)

        /// The format of ``init(_:)``, for error messages.
        package static let expected = "the absolute path of an existing folder, or s3://bucket/prefix/"

        /// Parses a path that starts with a slash, or the URL of a bucket with a prefix; nil for any other text.
        package init?(_ text: String) {
            if text.bytes.hasPrefix("/"), !text.utf8.contains(0) {
                self = .folder(text)
            } else if let place = try? ObjectPlace(text), place.key.isEmpty || place.key.bytes.hasSuffix("/"),
                place.key.utf8.count <= Self.maxPrefixBytes
            {
                self = .bucket(place)
            } else {
                return nil
            }
        }

        /// The maximum length of a prefix, in bytes; S3 limits keys to 1024 bytes.
        private static let maxPrefixBytes = 512

        package var description: String {
            switch self {
            case .folder(let path): path
            case .bucket(let place): place.url
            }
        }

        /// The reason why nothing can be stored at this location, as the predicate of a sentence; nil if no reason is
        /// known.
        package var problem: String? {
            switch self {
            case .folder(let path): FolderStore.isFolder(path) ? nil : "\(path) is not a folder"
            case .bucket: nil
            }
        }
    }

    /// The default size limit of a folder, in bytes.
    package static let standardBytes = 10 << 30
    /// The default lifetime of results, in days.
    package static let standardDays = 30
    /// The default time limit of one lookup.
    package static let standardTimeout = Duration.milliseconds(250)
    /// The maximum number of file descriptors that a store needs.
    package static let maxOpenFiles = 3 * (ResultStore.lookupThreads + BucketStore.maxWriters) + 8

    /// The location of the store.
    package var place: Place
    /// The S3 service of a bucket; nil for a folder.
    package var service: S3Configuration?
    /// The size limit of a folder, in bytes.
    package var maxBytes = standardBytes
    /// The lifetime of results.
    package var lifetime = Duration.seconds(standardDays * 86_400)
    /// Time limit of one lookup.
    package var timeout = standardTimeout

    /// Creates a store with defaults for all other settings.
    package init(_ place: Place) { self.place = place }

    /// Creates the backend, without accessing the location.
    ///
    /// - Parameters:
    ///   - fetching: The network route to a bucket.
    ///   - now: The clock, in seconds since 1970.
    /// - Returns: Nil for a bucket without an S3 service.
    func backend(_ fetching: FetchConfiguration, now: @escaping @Sendable () -> Int) -> (any StoreBackend)? {
        let seconds = Int(lifetime.components.seconds)
        return switch place {
        case .folder(let path): FolderStore(path, limit: maxBytes, lifetime: seconds, now: now)
        case .bucket(let place):
            service.flatMap { BucketStore(place, of: $0, fetching, lifetime: seconds, now: now) }
        }
    }

    /// Returns the reason why a bucket cannot store results, as the predicate of a sentence; nil if it can, and for a
    /// folder.
    ///
    /// Writes, reads and deletes an object; blocks.
    package func problemOfBucket(_ fetching: FetchConfiguration, now: @escaping @Sendable () -> Int) -> String? {
        (backend(fetching, now: now) as? BucketStore)?.problem()
    }
}
