import ArgumentParser

/// The options of `headroom serve` for fetching from origins, and for images in buckets and in a folder, as text.
struct SourceOptions: ParsableArguments {
    @Option(Settings.fetchProxy) var fetchProxy: String?
    @Option(Settings.fetchNoProxy) var fetchNoProxy: String?
    @Option(Settings.fetchCAFile) var fetchCAFile: String?
    @Option(Settings.fetchClientCertificate) var fetchClientCertificate: String?
    @Option(Settings.fetchClientKey) var fetchClientKey: String?
    @Option(Settings.fetchClientHosts) var fetchClientHosts: String?
    @Option(Settings.fetchHeadersFile) var fetchHeadersFile: String?
    @Option(Settings.fetchUserAgent) var fetchUserAgent: String?
    @Option(Settings.localRoot) var localRoot: String?
    @Option(Settings.s3Buckets) var s3Buckets: String?
    @Option(Settings.s3Endpoint) var s3Endpoint: String?
    @Option(Settings.s3Region) var s3Region: String?
    @Option(Settings.s3PathStyle) var s3PathStyle: String?
    @Option(Settings.s3CredentialsFile) var s3CredentialsFile: String?
    @Option(Settings.s3Profile) var s3Profile: String?
    @Flag(Settings.s3InstanceRole) var s3InstanceRole: Bool?
    @Option(Settings.gsBuckets) var gsBuckets: String?
    @Option(Settings.gsCredentialsFile) var gsCredentialsFile: String?
    @Option(Settings.gsEndpoint) var gsEndpoint: String?
    @Option(Settings.azureContainers) var azureContainers: String?
    @Option(Settings.azureAccount) var azureAccount: String?
    @Option(Settings.azureEndpoint) var azureEndpoint: String?
    @Option(Settings.baseURL) var baseURL: String?
    @Option(Settings.sourceRewrites) var sourceRewrites: String?
    @Option(Settings.sourceEncryptionKeys.file) var sourceEncryptionKeysFile: String?
}
