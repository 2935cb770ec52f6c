/// A location that preserves values across restarts: a folder or a bucket.
///
/// All functions block, and can be called on several threads at the same time. ``ResultStore`` limits their time.
package protocol StoreBackend: AnyObject, Sendable {
    /// The name of the folder or bucket, for logs.
    var name: String { get }

    /// The maximum size of a value, in bytes; larger values are not stored.
    var maxValueBytes: Int { get }

    /// The number of values that are written at the same time.
    var writers: Int { get }

    /// The size and limits of the location; nil if it has its own limits, as a bucket does.
    var usage: StoreUsage? { get }

    /// The number of damaged values that were found and removed.
    var damaged: Int { get }

    /// Reads a value.
    ///
    /// - Returns: Nil if the key is missing, or if its value has expired, was purged, or is damaged.
    /// - Throws: The reason why the location is unavailable.
    func read(_ key: StoredKey) throws(StoreFailure) -> [UInt8]?

    /// Writes a value, unless one of its labels was purged after `began`.
    ///
    /// - Parameters:
    ///   - value: Any bytes.
    ///   - key: The key of the value. A previous value is replaced atomically.
    ///   - began: The time before the value's sources were read, in seconds since 1970.
    /// - Throws: The reason why the value was not written.
    func write(_ value: [UInt8], for key: StoredKey, began: Int) throws(StoreFailure)

    /// Purges all values that have one of the labels, for all processes.
    ///
    /// The purge survives a crash.
    ///
    /// - Throws: The reason why the purge failed.
    func purge(_ labels: [String]) throws(StoreFailure)

    /// Does periodic maintenance, such as removing expired values.
    func maintain()
}
