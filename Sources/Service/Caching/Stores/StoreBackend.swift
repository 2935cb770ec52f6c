/// A place that keeps values across restarts: a folder or a bucket.
///
/// All functions block, and may be called on several threads at the same time. ``ResultStore`` limits their time.
package protocol StoreBackend: AnyObject, Sendable {
    /// The folder or the bucket, for logs.
    var name: String { get }

    /// The maximum size of a value, in bytes; larger values are not stored.
    var maxValueBytes: Int { get }

    /// The number of values that are written at the same time.
    var writers: Int { get }

    /// The size and the limits of the place; nil if it has its own limits, like a bucket.
    var usage: StoreUsage? { get }

    /// The number of damaged values that were found and removed.
    var damaged: Int { get }

    /// Reads a value.
    ///
    /// - Returns: Nil if the key is missing, or if its value has expired, was purged, or is damaged.
    /// - Throws: The reason why the place is unavailable.
    func read(_ key: StoredKey) throws(StoreFailure) -> [UInt8]?

    /// Writes a value, unless a purge after `began` covers it.
    ///
    /// - Parameters:
    ///   - value: Any bytes.
    ///   - key: The key of the value; its previous value is replaced atomically.
    ///   - began: The time before the value's sources were read, in seconds since 1970.
    /// - Throws: The reason why the value was not written.
    func write(_ value: [UInt8], for key: StoredKey, began: Int) throws(StoreFailure)

    /// Makes all values with one of the labels missing, for all processes, also after a crash.
    ///
    /// - Throws: The reason why the purge did not take place.
    func purge(_ labels: [String]) throws(StoreFailure)

    /// Does the work that is due from time to time: for example, removes expired values.
    func maintain()
}
