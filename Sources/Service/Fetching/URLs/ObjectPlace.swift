import UntrustedText
import Encodings

/// An object in a bucket, or all objects with a key prefix.
package struct ObjectPlace: Hashable, Sendable {
    /// The name of the bucket, valid under the rules of ``S3URL/bucket``.
    package let bucket: String
    /// The key or the key prefix, not encoded; empty for the whole bucket.
    package let key: String

    /// Creates a place in a bucket whose name is valid.
    package init(bucket: String, key: String) {
        self.bucket = bucket
        self.key = key
    }

    /// Parses `s3://bucket`, `s3://bucket/`, or a URL with a percent-encoded key or key prefix.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)``.
    package init(_ text: String) throws(FetchError) {
        try URLText.check(text, allowsSpaces: true)
        guard text.bytes.begins(with: "s3://") else { throw .invalidURL("an S3 URL must begin with s3://") }
        let rest = text.bytes.dropFirst(5)
        let bucket = rest.bytes.prefix(before: "/")
        guard S3URL.isBucket(bucket) else {
            throw .invalidURL("the bucket name must have 1 to 63 letters, digits, dots, hyphens or underscores")
        }
        self.bucket = String(bucket)
        let path = rest.bytes.dropFirst(bucket.utf8.count + 1)
        key = path.isEmpty ? "" : try PathText.decoded(path, atMost: S3URL.maxKeyBytes)
    }

    /// Returns the place whose key is this key followed by a text.
    ///
    /// The text is not percent-encoded, and is not checked.
    package func appending(_ text: String) -> ObjectPlace { ObjectPlace(bucket: bucket, key: key + text) }

    /// The place as an `s3:` URL in normal form.
    package var url: String { "s3://\(bucket)\(path)" }

    /// The key as the path of a request: a slash and the key, percent-encoded except for unreserved characters and
    /// slashes.
    package var path: String { "/" + PercentEncoding.encoded(key, keepsSlashes: true) }

    /// The reason why an object cannot have this key, as the predicate of a sentence; nil if it can.
    package var problem: String? {
        do throws(FetchError) {
            _ = try S3URL(url)
            return nil
        } catch .invalidURL(let reason) {
            return reason
        } catch {
            return "\(error)"
        }
    }
}
