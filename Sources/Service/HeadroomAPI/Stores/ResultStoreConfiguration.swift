package import Caching

/// The store that keeps results across restarts.
package struct ResultStoreConfiguration: Sendable {
    /// The place of the store.
    package enum Place: Hashable, Sendable, CustomStringConvertible {
        /// The path of a folder.
        case folder(String)

        /// The format of ``init(_:)``, for error messages.
        package static let expected = "the absolute path of a folder that exists"

        /// Parses a path that starts with a slash; nil for any other text.
        package init?(_ text: String) {
            // trusted: the operator's own text
            guard text.hasPrefix("/"), !text.utf8.contains(0) else { return nil }
            self = .folder(text)
        }

        package var description: String {
            switch self {
            case .folder(let path): path
            }
        }

        /// The reason why nothing can be stored at the place, as the end of a sentence; nil if it is not known.
        package var problem: String? {
            switch self {
            case .folder(let path): FolderStore.isFolder(path) ? nil : "\(path) is not a folder"
            }
        }
    }

    /// The default limit of a folder, in bytes.
    package static let standardBytes = 10 << 30
    /// The default lifetime of results, in days.
    package static let standardDays = 30
    /// The default time limit of one lookup.
    package static let standardTimeout = Duration.milliseconds(250)
    /// The maximum number of descriptors that a store needs.
    package static let maxOpenFiles = 2 * ResultStore.lookupThreads + 8

    /// The place of the store.
    package var place: Place
    /// The byte limit of a folder.
    package var maxBytes = standardBytes
    /// The lifetime of results.
    package var lifetime = Duration.seconds(standardDays * 86_400)
    /// Time limit of one lookup.
    package var timeout = standardTimeout

    /// Creates a store with defaults for all other settings.
    package init(_ place: Place) { self.place = place }

    /// Creates the backend; does not access the place yet.
    func backend(now: @escaping @Sendable () -> Int) -> any StoreBackend {
        switch place {
        case .folder(let path):
            FolderStore(path, limit: maxBytes, lifetime: Int(lifetime.components.seconds), now: now)
        }
    }
}
