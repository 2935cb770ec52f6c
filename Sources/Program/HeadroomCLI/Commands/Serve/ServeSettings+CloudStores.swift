import Fetching
import FoundationEssentials

/// The settings of Google Cloud Storage and Azure Blob Storage.
extension ServeSettings {
    /// The maximum size of the key file of a service account, in bytes.
    private static let maxAccountBytes = 65_536

    /// The service of `gs:` URLs; nil if no buckets are set, and after an error.
    static func google(
        _ options: SourceOptions,
        _ fetching: FetchConfiguration,
        _ reader: inout SettingsReader
    ) -> GoogleConfiguration? {
        let buckets = reader.value(Settings.gsBuckets, options.gsBuckets)
        let endpoint = reader.value(Settings.gsEndpoint, options.gsEndpoint)
        let file = reader.value(Settings.gsCredentialsFile, options.gsCredentialsFile)
        let variable = "GOOGLE_APPLICATION_CREDENTIALS"
        let named = reader.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        let spelling =
            file.map { reader.spelling(of: Settings.gsCredentialsFile, options.gsCredentialsFile, $0) }
            ?? named.map { "\(variable)=\($0)" }
        guard buckets != nil || file != nil else { return nil }
        guard let path = file ?? named, let spelling else {
            reader.refuse("gs-buckets requires credentials: set gs-credentials-file or \(variable).")
            return nil
        }
        guard let bytes = reader.bytes(of: path, atMost: maxAccountBytes, for: spelling) else { return nil }
        guard let account = account(bytes) else {
            reader.refuse(
                "\(spelling) is not valid: expected the JSON key file of a service account, with client_email, "
                    + "private_key_id, private_key and token_uri."
            )
            return nil
        }
        guard let buckets else { return nil }
        let role = S3RoleConnection.role(.google(account), fetching.rules.outlet, userAgent: fetching.userAgent)
        return try? GoogleConfiguration(endpoint: endpoint, buckets: buckets, account: role)
    }

    /// The account of a key file; nil for another text.
    private static func account(_ bytes: [UInt8]) -> GoogleAccount? {
        struct KeyFile: Decodable {
            var client_email: String
            var private_key_id: String
            var private_key: String
            var token_uri: String
        }
        guard let file = try? JSONDecoder().decode(KeyFile.self, from: Data(bytes)),
            let tokenURL = try? WebURL(file.token_uri)
        else { return nil }
        return GoogleAccount(
            email: file.client_email,
            keyID: file.private_key_id,
            privateKey: file.private_key,
            tokenURL: tokenURL
        )
    }

    /// The service of `abs:` URLs; nil if no containers are set, and after an error.
    static func azure(_ options: SourceOptions, _ reader: inout SettingsReader) -> AzureConfiguration? {
        func variable(_ name: String) -> String? {
            reader.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let named = variable("AZURE_STORAGE_ACCOUNT") ?? ""
        let containers = reader.value(Settings.azureContainers, options.azureContainers)
        let account = reader.value(
            Settings.azureAccount,
            options.azureAccount,
            default: AzureConfiguration.isAccount(named) ? named : nil
        )
        let endpoint = reader.value(Settings.azureEndpoint, options.azureEndpoint)
        guard let containers else { return nil }
        guard let account else {
            reader.refuse("azure-containers requires azure-account: expected the name of the storage account.")
            return nil
        }
        let (key, signature) = (variable("AZURE_STORAGE_KEY"), variable("AZURE_STORAGE_SAS_TOKEN"))
        let credentials: AzureConfiguration.Credentials?
        switch (key, signature) {
        case (let key?, nil):
            credentials = .init(key: key)
            if credentials == nil { reader.refuse("AZURE_STORAGE_KEY is not valid: expected a key in Base64.") }
        case (nil, let signature?):
            credentials = .init(signature: signature)
            if credentials == nil {
                reader.refuse("AZURE_STORAGE_SAS_TOKEN is not valid: expected a query such as sv=…&sig=….")
            }
        default:
            credentials = nil
            reader.refuse(
                "azure-containers requires credentials: set one of AZURE_STORAGE_KEY and AZURE_STORAGE_SAS_TOKEN."
            )
        }
        guard let credentials else { return nil }
        return try? AzureConfiguration(
            account: account,
            endpoint: endpoint,
            containers: containers,
            credentials: credentials
        )
    }
}
