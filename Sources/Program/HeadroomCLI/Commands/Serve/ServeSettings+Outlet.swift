import Fetching
import HeadroomAPI
import Requests

extension ServeSettings {
    /// The maximum size of a file of certificates, in bytes.
    private static let maxCertificateBytes = 4 << 20

    /// Reads the settings of the proxy, of certificates and of header fields.
    static func addOutlet(
        _ options: SourceOptions,
        to fetching: inout FetchConfiguration,
        _ reader: inout SettingsReader
    ) {
        fetching.rules.outlet.proxy = reader.value(Settings.fetchProxy, options.fetchProxy)
        fetching.rules.outlet.direct = reader.value(Settings.fetchNoProxy, options.fetchNoProxy)
        fetching.rules.outlet.authorities = authorities(options.fetchCAFile, &reader)
        fetching.rules.outlet.identity = identity(options, &reader)
        fetching.rules.hostFields = hostFields(options.fetchHeadersFile, &reader)
        fetching.userAgent = reader.value(Settings.fetchUserAgent, options.fetchUserAgent)
    }

    /// The certificates of a file together with the system's; nil without a file, or after an error.
    private static func authorities(_ option: String?, _ reader: inout SettingsReader) -> [UInt8]? {
        guard let path = reader.value(Settings.fetchCAFile, option) else { return nil }
        let name = reader.spelling(of: Settings.fetchCAFile, option, path)
        guard let own = reader.bytes(of: path, atMost: maxCertificateBytes, for: name) else { return nil }
        // Without the system's certificates, only the file's are trusted.
        let system = FetchOutlet.systemAuthorities.flatMap {
            try? RegularFile.bytes(of: $0, atMost: maxCertificateBytes)
        }
        let all = FetchOutlet.authorities(besideSystem: own, system: system ?? [])
        if all == nil { reader.refuse("\(name) is not valid: expected a PEM file with certificates.") }
        return all
    }

    /// The client certificate; nil without one, or after an error.
    private static func identity(_ options: SourceOptions, _ reader: inout SettingsReader) -> ClientIdentity? {
        let path = reader.value(Settings.fetchClientCertificate, options.fetchClientCertificate)
        let keyPath = reader.value(Settings.fetchClientKey, options.fetchClientKey)
        let hosts = reader.value(Settings.fetchClientHosts, options.fetchClientHosts)
        let name = path.map { reader.spelling(of: Settings.fetchClientCertificate, options.fetchClientCertificate, $0) }
        let keyName = keyPath.map { reader.spelling(of: Settings.fetchClientKey, options.fetchClientKey, $0) }
        var certificate: [UInt8]?
        var key: [UInt8]?
        if let path, let name { certificate = reader.bytes(of: path, atMost: maxCertificateBytes, for: name) }
        if let keyPath, let keyName { key = reader.bytes(of: keyPath, atMost: maxCertificateBytes, for: keyName) }
        guard let name else {
            if let keyName, key != nil {
                reader.refuse("\(keyName) requires fetch-client-certificate.")
            }
            return nil
        }
        // Without a separate file, the key is in the file of the certificate.
        guard let certificate, let key = keyPath == nil ? certificate : key else { return nil }
        guard !hosts.isEmpty else {
            reader.refuse("\(name) requires fetch-client-hosts, the hosts that receive the certificate.")
            return nil
        }
        let identity = ClientIdentity(certificate: certificate, key: key, hosts: hosts)
        if identity == nil {
            reader.refuse("\(name) is not valid: expected PEM with a certificate, and its key without a passphrase.")
        } else if identity?.keyMatches == false {
            reader.refuse("\(keyName ?? name) is not valid: expected the key of the certificate in \(name).")
        }
        return identity
    }

    /// The fields of a file; none without a file, or after an error.
    private static func hostFields(_ option: String?, _ reader: inout SettingsReader) -> HostFields {
        guard let path = reader.value(Settings.fetchHeadersFile, option) else { return HostFields() }
        let name = reader.spelling(of: Settings.fetchHeadersFile, option, path)
        guard let bytes = reader.bytes(of: path, atMost: HostFields.maxBytes, for: name) else { return HostFields() }
        do throws(HostFields.Problems) {
            return try HostFields(bytes)
        } catch {
            for line in error.lines { reader.refuse("\(name), \(line).") }
            return HostFields()
        }
    }
}
