import Glibc

/// Fetches from the operator's own stores: a service with buckets, and a folder.
extension FetchSlot {
    /// Fetches an object; the service may have a private address, and its redirects are not followed.
    func fetch(_ object: S3URL, for job: FetchJob) throws(FetchError) -> FetchedImage {
        guard let s3 = job.s3 else { throw .blocked("there is no service for s3: URLs") }
        let request = try s3.request(for: object, at: UnixTime(clamping: time(nil)))
        let conditions = job.conditions?.url == job.url ? job.conditions : nil
        receiver.keepsErrors = true
        try transfer(request.url, conditions, .privateAllowed, signature: request.fields, of: job)
        let status = receiver.header.status
        switch status {
        case 200: return FetchedImage(receiver, isUnchanged: false, url: job.url, redirects: 0)
        case 304 where conditions != nil: return FetchedImage(receiver, isUnchanged: true, url: job.url, redirects: 0)
        case 404, 410: throw .notFound(status: status)
        case 300...499: throw .storeRefused(status: status, reason: reason(s3, status))
        case 500...599: throw .originError(status: status)
        default: throw .invalidResponse("status \(status)")
        }
    }

    /// What the operator has to change, as far as the service says it.
    private func reason(_ s3: S3Configuration, _ status: Int) -> String {
        let code = S3ErrorCode.code(in: receiver.errorText) ?? "no code"
        if let region = receiver.header[.bucketRegion], S3Configuration.isRegion(region), region != s3.region {
            return "\(code): the bucket is in the region \(region), not in \(s3.region)"
        }
        return switch code {
        case "InvalidAccessKeyId": "\(code): expected an access key that exists, not \(s3.credentials.accessKeyID)"
        case "SignatureDoesNotMatch": "\(code): expected the secret that belongs to \(s3.credentials.accessKeyID)"
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired": "\(code): expected a valid session token"
        case "RequestTimeTooSkewed": "\(code): expected a correct clock on this machine"
        case "AuthorizationHeaderMalformed": "\(code): expected the region of the bucket, not \(s3.region)"
        case "InvalidObjectState": "\(code): expected an object that is not archived"
        case "PermanentRedirect", "TemporaryRedirect", "Redirect":
            "\(code): expected the bucket's own region or endpoint"
        case "AccessDenied":
            "\(code): expected the permission s3:GetObject (s3:GetObjectVersion for a version), and s3:ListBucket for "
                + "404 instead of 403 where there is no object"
        default: code
        }
    }

    /// Reads a local file.
    func read(_ file: LocalURL, for job: FetchJob) throws(FetchError) -> FetchedImage {
        guard let folder = configuration.localFolder else { throw .blocked("there is no folder for local: URLs") }
        // A descriptor is needed, and some have to remain for the rest of the process.
        if let shortage = gate.findShortage() { throw .exhausted(shortage) }
        let known = job.conditions?.url == job.url ? job.conditions?.etag : nil
        let content = try LocalFile.read(file, below: folder, unless: known, atMost: configuration.maxBytes, budget)
        return FetchedImage(content, url: job.url)
    }
}
