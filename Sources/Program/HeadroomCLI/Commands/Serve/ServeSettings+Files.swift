import Encodings
import Fetching
import HeadroomAPI
import Requests

extension ServeSettings {
    /// The tenants of a file, in addition to the service's own keys and secrets.
    static func tenants(_ option: String?, besides access: AccessPolicy, _ reader: inout SettingsReader) -> TenantSet {
        guard let path = reader.value(Settings.tenantsFile, option) else { return TenantSet() }
        let name = reader.spelling(of: Settings.tenantsFile, option, path)
        guard let bytes = reader.bytes(of: path, atMost: TenantsFile.maxBytes, for: name) else { return TenantSet() }
        let file = TenantsFile(String(decoding: bytes, as: UTF8.self), path: path)
        for problem in file.problems { reader.refuse(problem) }
        guard file.problems.isEmpty else { return TenantSet() }
        do throws(TenantSet.ListError) {
            return try TenantSet(file.tenants, besides: access.signingKeys + access.bearerSecrets)
        } catch {
            reader.refuse("\(path) is not valid: \(error.reason).")
            return TenantSet()
        }
    }

    /// The reason why a reload must not apply these tenants; nil if it may.
    func refusalOfTenants(after old: ServeSettings) -> String? {
        let tenants = service.reloadable.access.tenants.all
        guard old.service.reloadable.access.tenants.isEmpty || !tenants.isEmpty else {
            return "a reload cannot remove all tenants; restart to do that"
        }
        for before in old.service.reloadable.access.tenants.all {
            guard let after = tenants.first(where: { $0.name == before.name }),
                let limit = after.lostLimit(since: before)
            else { continue }
            let lift = limit.hasPrefix("allow-") || limit == "presets" ? "\"*\"" : "unlimited"
            let what = "\(limit) of the tenant \(before.name)"
            return "a reload cannot remove \(what); restart to do that, or set \(lift) to lift it"
        }
        return nil
    }
}

extension ServeSettings {
    /// The presets of a file.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - hasURLFormats: Whether URLs of other services are accepted; their parameters are not limited to presets.
    ///   - reader: Collects errors.
    /// - Returns: The presets; none if there are errors.
    static func presets(
        _ options: PresetOptions,
        besideURLFormats hasURLFormats: Bool,
        _ reader: inout SettingsReader
    ) -> PresetSet {
        let path = reader.value(Settings.presets, options.presets)
        let isExclusive = reader.flag(Settings.onlyPresets, options.onlyPresets)
        guard let path else {
            if isExclusive { reader.refuse("only-presets requires presets: expected a file of presets.") }
            return PresetSet()
        }
        if isExclusive, hasURLFormats {
            reader.refuse(
                "only-presets cannot be combined with url-formats: their URLs contain parameters."
            )
        }
        let name = reader.spelling(of: Settings.presets, options.presets, path)
        guard let bytes = reader.bytes(of: path, atMost: PresetsFile.maxBytes, for: name) else { return PresetSet() }
        let file = PresetsFile(String(decoding: bytes, as: UTF8.self), path: path)
        for problem in file.problems { reader.refuse(problem) }
        for preset in file.presets {
            for name in preset.deprecated { reader.warn("\(path): preset \(preset.name): \(name.warning)") }
        }
        if isExclusive {
            for preset in file.presets
            where preset.values.contains(where: { $0.parameter == .format && $0.value == "html" }) {
                reader.refuse(
                    "\(path): format=html in preset \(preset.name) is not allowed with only-presets, because its URLs contain "
                        + "sizes."
                )
            }
        }
        return file.problems.isEmpty ? PresetSet(file.presets, isExclusive: isExclusive) : PresetSet()
    }

    /// The reason why a reload must not apply these presets; nil if it may.
    func refusalOfPresets(after old: ServeSettings) -> String? {
        if !old.service.reloadable.presets.isEmpty, service.reloadable.presets.isEmpty {
            return "a reload cannot remove all presets; restart to do that"
        }
        if old.service.reloadable.presets.isExclusive, !service.reloadable.presets.isExclusive {
            return "a reload cannot remove only-presets; restart to allow other parameters"
        }
        return nil
    }
}

extension ServeSettings {
    /// The default parameters of a file; none without a file, or after an error.
    static func defaults(_ option: String?, _ reader: inout SettingsReader) -> DefaultParameters {
        guard let path = reader.value(Settings.defaultParameters, option) else { return DefaultParameters() }
        let name = reader.spelling(of: Settings.defaultParameters, option, path)
        guard let bytes = reader.bytes(of: path, atMost: DefaultsFile.maxBytes, for: name) else {
            return DefaultParameters()
        }
        let file = DefaultsFile(String(decoding: bytes, as: UTF8.self), path: path)
        for problem in file.problems { reader.refuse(problem) }
        for section in file.sections {
            for name in section.deprecated { reader.warn("\(path): \(section.name): \(name.warning)") }
        }
        return file.problems.isEmpty ? DefaultParameters(file.sections) : DefaultParameters()
    }
}

extension ServeSettings {
    /// The stickers of a folder and the built-in stickers.
    static func overlays(_ option: String?, _ reader: inout SettingsReader) -> OverlaySet {
        guard let folder = reader.value(Settings.overlays, option) else { return OverlaySet() }
        guard PathParts.isFolder(folder) else {
            reader.refuse(Settings.overlays, option, Settings.overlays.expected)
            return OverlaySet()
        }
        do {
            return try OverlayFolder.overlays(folder)
        } catch {
            for reason in error.reasons { reader.refuse(reason) }
            return OverlaySet()
        }
    }
}

extension ServeSettings {
    /// The fields that every response gets; none without a file, or after an error.
    static func fixedFields(_ option: String?, _ reader: inout SettingsReader) -> FixedFields {
        guard let path = reader.value(Settings.responseHeadersFile, option) else { return FixedFields() }
        let name = reader.spelling(of: Settings.responseHeadersFile, option, path)
        guard let bytes = reader.bytes(of: path, atMost: FixedFields.maxBytes, for: name) else { return FixedFields() }
        do throws(FixedFields.Problems) {
            return try FixedFields(bytes)
        } catch {
            for line in error.lines { reader.refuse("\(name), \(line).") }
            return FixedFields()
        }
    }
}

extension ServeSettings {
    /// The fallback image for missing sources; nil without one, or after an error.
    func fallbackImage(_ option: String?, _ reader: inout SettingsReader) -> FallbackImage? {
        guard let path = reader.value(Settings.missingImage, option) else { return nil }
        let name = reader.spelling(of: Settings.missingImage, option, path)
        guard let bytes = reader.bytes(of: path, atMost: service.fetching.maxBytes, for: name) else { return nil }
        let image = FallbackImage(bytes)
        if image == nil { reader.refuse("\(name) is not valid: expected an image.") }
        return image
    }
}

extension ServeSettings {
    /// The maximum size of the credentials file, in bytes.
    private static let maxCredentialsBytes = 65_536

    /// Reads the settings of the local folder, the buckets and the base URL.
    ///
    /// - Parameters:
    ///   - options: The options as text.
    ///   - fetching: Receives the sources; its allow list decides whether the base URL is permitted.
    ///   - bucket: A bucket for results; nil for none.
    ///   - reader: Reads the settings.
    /// - Returns: The service of the bucket for results; nil without one, and after an error.
    @discardableResult
    static func addSources(
        _ options: SourceOptions,
        to fetching: inout FetchConfiguration,
        storingIn bucket: String? = nil,
        _ reader: inout SettingsReader
    ) -> S3Configuration? {
        addOutlet(options, to: &fetching, &reader)
        fetching.localFolder = reader.value(Settings.localRoot, options.localRoot)
        if let folder = fetching.localFolder, let problem = folder.problem() {
            reader.refuse(Settings.localRoot, options.localRoot, "\(Settings.localRoot.expected); \(problem)")
        }
        let buckets = reader.value(Settings.s3Buckets, options.s3Buckets)
        let all = [buckets, bucket.flatMap { S3BucketList($0) }].compactMap(\.self)
        var service = s3(options, fetching, all.first, &reader)
        fetching.rules.s3 = buckets == nil ? nil : service
        fetching.rules.google = google(options, fetching, &reader)
        fetching.rules.azure = azure(options, &reader)
        // Clients do not read the bucket of results.
        if let stored = all.last { service?.buckets = stored }
        fetching.base = reader.value(Settings.baseURL, options.baseURL)
        fetching.rules.rewrites = reader.value(Settings.sourceRewrites, options.sourceRewrites)
        fetching.rules.cipher = reader.cipher(file: options.sourceEncryptionKeysFile)
        if reader.errors.isEmpty, let base = fetching.base, let url = try? base.resolved("x"),
            let reason = fetching.refusal(of: url)
        {
            reader.refuse(Settings.baseURL, options.baseURL, "\(Settings.baseURL.expected); \(reason)")
        }
        return bucket == nil ? nil : service
    }

    private static func s3(
        _ options: SourceOptions,
        _ fetching: FetchConfiguration,
        _ buckets: S3BucketList?,
        _ reader: inout SettingsReader
    ) -> S3Configuration? {
        let endpoint = reader.value(Settings.s3Endpoint, options.s3Endpoint)
        let named = reader.environment["AWS_REGION"] ?? ""
        let region = reader.value(
            Settings.s3Region,
            options.s3Region,
            default: S3Configuration.isRegion(named) ? named : nil
        )
        let usesPathStyle = reader.value(Settings.s3PathStyle, options.s3PathStyle)
        let file = reader.value(Settings.s3CredentialsFile, options.s3CredentialsFile)
        let profile = reader.value(Settings.s3Profile, options.s3Profile)
        let usesInstance = reader.flag(Settings.s3InstanceRole, options.s3InstanceRole)
        let content = file.flatMap { credentialsFile($0, options, &reader) }
        guard let buckets, reader.errors.isEmpty else { return nil }
        var role: S3RoleSource?
        do throws(FetchError) {
            role = try S3RoleSource.named(reader.environment, region: region, usesInstance: usesInstance)
        } catch {
            if case .invalidURL(let reason) = error { reader.refuse(reason) }
            return nil
        }
        let credentials: S3CredentialSource
        if !hasKeys(reader.environment), content == nil, let role {
            credentials = .role(S3RoleConnection.role(role, fetching.rules.outlet, userAgent: fetching.userAgent))
        } else {
            guard let keys = keys(content, profile, &reader) else { return nil }
            credentials = .keys(keys)
        }
        return S3Configuration(
            endpoint: endpoint,
            region: region,
            usesPathStyle: usesPathStyle,
            buckets: buckets,
            credentials: credentials
        )
    }

    /// The content of the credentials file, and its name for messages; nil after an error.
    private static func credentialsFile(
        _ path: String,
        _ options: SourceOptions,
        _ reader: inout SettingsReader
    ) -> (file: S3CredentialsFile, name: String)? {
        let name = reader.spelling(of: Settings.s3CredentialsFile, options.s3CredentialsFile, path)
        return reader.bytes(of: path, atMost: maxCredentialsBytes, for: name).map {
            (S3CredentialsFile(String(decoding: $0, as: UTF8.self)), name)
        }
    }

    /// Whether the environment contains an access key or a part of one.
    private static func hasKeys(_ environment: [String: String]) -> Bool {
        ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].contains { !(environment[$0] ?? "").isEmpty }
    }

    /// The credentials from the environment, otherwise from the file; nil after an error.
    private static func keys(
        _ content: (file: S3CredentialsFile, name: String)?,
        _ profile: String,
        _ reader: inout SettingsReader
    ) -> S3Credentials? {
        let names = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        func variable(_ name: String) -> String? {
            reader.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let (id, secret) = (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"))
        if id != nil || secret != nil {
            let token = variable("AWS_SESSION_TOKEN")
            if let credentials = S3Credentials(
                accessKeyID: id ?? "",
                secretAccessKey: secret ?? "",
                sessionToken: token
            ) {
                return credentials
            }
            reader.refuse(
                "\(names) are not valid: expected both, and optionally AWS_SESSION_TOKEN, in visible ASCII."
            )
            return nil
        }
        guard let content else {
            reader.refuse("s3-buckets requires credentials: set \(names), s3-credentials-file, or an AWS role.")
            return nil
        }
        let credentials = content.file.credentials(of: profile)
        if credentials == nil {
            reader.refuse(
                "\(content.name) is not valid: expected aws_access_key_id and aws_secret_access_key in the profile \(profile)."
            )
        }
        return credentials
    }
}
