import Glibc

/// Fetches from the operator's own stores: a service with buckets, and a folder.
extension FetchSlot {
    /// The permissions to read an object.
    private static let reading =
        "the permission s3:GetObject (s3:GetObjectVersion for a version), and s3:ListBucket for 404 instead of 403 where "
        + "there is no object"

    /// Fetches an object; the service may have a private address, and its redirects are not followed.
    func fetch(_ object: S3URL, for job: FetchJob) throws(FetchError) -> FetchedImage {
        guard let s3 = job.s3 else { throw .blocked("there is no service for s3: URLs") }
        let fields = job.part.map { ["range": "bytes=\($0.lowerBound)-\($0.upperBound - 1)"] } ?? [:]
        let request = try s3.request(for: object, at: UnixTime(clamping: time(nil)), others: fields)
        let conditions = job.conditions?.url == job.url ? job.conditions : nil
        receiver.keepsErrors = true
        receiver.acceptsParts = job.part != nil
        try transfer(request.url, conditions, .privateAllowed, signature: request.fields, of: job)
        let status = receiver.header.status
        switch status {
        case 200 where job.part == nil, 206 where job.part?.count == receiver.body.count:
            return FetchedImage(receiver, isUnchanged: false, url: job.url, redirects: 0)
        case 206: throw .incomplete("the object ends before the part")
        case 304 where conditions != nil: return FetchedImage(receiver, isUnchanged: true, url: job.url, redirects: 0)
        case 404, 410: throw .notFound(status: status)
        case 300...499:
            let code = S3ErrorCode.code(in: receiver.errorText)
            let refusal = S3Refusal(code: code, region: receiver.header[.bucketRegion], permissions: Self.reading)
            throw .storeRefused(status: status, reason: refusal.reason(s3))
        case 500...599: throw .originError(status: status)
        default: throw .invalidResponse("status \(status)")
        }
    }

    /// Reads a local file.
    func read(_ file: LocalURL, for job: FetchJob) throws(FetchError) -> FetchedImage {
        guard let folder = configuration.localFolder else { throw .blocked("there is no folder for local: URLs") }
        // A descriptor is needed, and some have to remain for the rest of the process.
        if let shortage = gate.findShortage() { throw .exhausted(shortage) }
        let known = job.conditions?.url == job.url ? job.conditions?.etag : nil
        let content = try LocalFile.read(file, below: folder, unless: known, atMost: maxBytes(of: job), budget)
        return FetchedImage(content, url: job.url)
    }
}
