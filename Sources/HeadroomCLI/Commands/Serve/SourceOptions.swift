import ArgumentParser

/// The options of `headroom serve` for pictures in buckets and in a folder, as text.
struct SourceOptions: ParsableArguments {
    @Option(Settings.localRoot) var localRoot: String?
    @Option(Settings.s3Buckets) var s3Buckets: String?
    @Option(Settings.s3Endpoint) var s3Endpoint: String?
    @Option(Settings.s3Region) var s3Region: String?
    @Option(Settings.s3PathStyle) var s3PathStyle: String?
    @Option(Settings.s3CredentialsFile) var s3CredentialsFile: String?
    @Option(Settings.s3Profile) var s3Profile: String?
    @Option(Settings.baseURL) var baseURL: String?
}
