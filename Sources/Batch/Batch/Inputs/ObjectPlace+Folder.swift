import Fetching

extension ObjectPlace {
    /// The prefix of the keys in a folder: empty, or with a slash at its end.
    var folder: ObjectPlace { key.isEmpty || key.hasSuffix("/") ? self : appending("/") }
}
