import Caching

extension ServeSettings {
    /// The maximum length of Redis's password, in bytes.
    private static let maxPasswordBytes = 4096
    /// The maximum size of a file of certificates for Redis, in bytes.
    private static let maxRedisFileBytes = 4 << 20

    /// The address of Redis with its passwords and certificates; nil without an address, or after an error in it.
    static func redis(_ options: CacheOptions, _ reader: inout SettingsReader) -> RedisAddress? {
        var address = reader.value(Settings.redis, options.redis)
        let whole = address
        if let (name, password) = password(Settings.redisPasswordFile, options.redisPasswordFile, &reader) {
            if whole == nil {
                reader.refuse("\(name) requires the setting redis.")
            } else if whole?.hasPassword == true {
                reader.refuse("\(name) is not allowed if the setting redis contains a password.")
            }
            address = address?.with(password: password)
        }
        let sentinelFile = options.redisSentinelPasswordFile
        if let (name, password) = password(Settings.redisSentinelPasswordFile, sentinelFile, &reader) {
            if whole?.hasSentinels != true {
                reader.refuse("\(name) requires a setting redis with sentinels.")
            }
            address = address?.with(sentinelPassword: password)
        }
        // Files are read even without an address, so that their errors are reported.
        let certificates = certificates(of: whole, options, &reader)
        return address?.with(certificates)
    }

    /// The password in the file of a setting, and the setting's name for errors; nil without a password, or after an
    /// error.
    private static func password(
        _ setting: Setting<String?>,
        _ option: String?,
        _ reader: inout SettingsReader
    ) -> (name: String, password: String)? {
        guard let path = reader.value(setting, option) else { return nil }
        let name = reader.spelling(of: setting, option, path)
        guard let bytes = reader.bytes(of: path, atMost: maxPasswordBytes, for: name) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let password = lines.first, !password.isEmpty else {
            reader.refuse("\(name) is not valid: expected a password in the file.")
            return nil
        }
        return (name, String(password))
    }

    /// The files for TLS, with validated content.
    private static func certificates(
        of address: RedisAddress?,
        _ options: CacheOptions,
        _ reader: inout SettingsReader
    ) -> RedisCertificates {
        let isEncrypted = address?.isEncrypted == true
        let paths = [
            (Settings.redisCAFile, options.redisCAFile),
            (Settings.redisClientCertificate, options.redisClientCertificate),
            (Settings.redisClientKey, options.redisClientKey),
        ].map { setting, option in (setting, option, reader.value(setting, option)) }
        let files = paths.map { setting, option, path in
            path.flatMap { file(setting, option, $0, isEncrypted: isEncrypted, &reader) }
        }
        let (authorities, certificate, key) = (files[0], files[1], files[2])
        if let key, paths[1].2 == nil {
            reader.refuse("\(key.name) requires redis-client-certificate.")
        }
        let trusted = RedisCertificates(authorities: authorities?.path)
        if let authorities, let problem = trusted.problem() {
            reader.refuse("\(authorities.name) is not valid: \(problem).")
            return RedisCertificates()
        }
        let all = RedisCertificates(authorities: authorities?.path, certificate: certificate?.path, key: key?.path)
        // A certificate without a readable key is not checked again, because the key already caused an error.
        if let certificate, (key == nil) == (paths[2].2 == nil), let problem = all.problem() {
            reader.refuse("\(certificate.name) is not valid: \(problem).")
        }
        return all
    }

    /// The path of a file for TLS, and the setting's name for errors; nil after an error.
    private static func file(
        _ setting: Setting<String?>,
        _ option: String?,
        _ path: String,
        isEncrypted: Bool,
        _ reader: inout SettingsReader
    ) -> (name: String, path: String)? {
        let name = reader.spelling(of: setting, option, path)
        guard reader.bytes(of: path, atMost: maxRedisFileBytes, for: name) != nil else { return nil }
        guard isEncrypted else {
            reader.refuse("\(name) requires TLS: a setting redis that starts with rediss.")
            return nil
        }
        return (name, path)
    }
}
