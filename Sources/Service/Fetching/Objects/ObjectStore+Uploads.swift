extension ObjectStore {
    /// Drops the parts of an unfinished upload; blocks.
    ///
    /// Succeeds even if the upload no longer exists.
    package func drop(_ upload: String, of place: ObjectPlace) throws(FetchError) {
        let request = ObjectRequest(method: .delete, place: place, query: ["uploadId": upload])
        do throws(FetchError) {
            _ = try send(request, needing: "the permission s3:AbortMultipartUpload")
        } catch .notFound {}
    }
}
