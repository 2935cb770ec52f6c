/// What the operator has to change when a service of buckets refuses a request, as far as the service says it.
struct S3Refusal {
    /// The code of the error; nil if the service sent none.
    var code: String?
    /// The region of the bucket, from the header.
    var region: String?
    /// The permissions that the request needs.
    var permissions: String

    /// The sentence for the log.
    func reason(_ s3: S3Configuration) -> String {
        let code = code ?? "no code"
        if let region, S3Configuration.isRegion(region), region != s3.region {
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
        case "AccessDenied": "\(code): expected \(permissions)"
        default: code
        }
    }
}
