import HeadroomAPI
import Requests
import YAML

/// A file of tenants: a YAML mapping of names to keys and limits.
///
/// The messages about it contain no keys.
struct TenantsFile {
    /// The maximum size of the file in bytes: 10 KiB for each of ``TenantSet/maxTenants`` tenants.
    static let maxBytes = 1 << 20

    private(set) var tenants: [Tenant] = []
    /// The errors of the file, as sentences.
    private(set) var problems: [String] = []
    private let path: String

    /// Parses the tenants in YAML; errors, which contain the file name, are collected in ``problems``.
    init(_ text: String, path: String) {
        self.path = path
        for (name, value) in YAMLProblem.entries(text, path: path, of: "tenant", with: "keys and limits", &problems) {
            add(name, value)
        }
    }

    private mutating func add(_ key: YAMLNode, _ value: YAMLNode) {
        let line = key.line
        guard let name = key.text, Tenant.isName(name) else {
            let expected = "a name of at most \(Tenant.maxNameLength) letters a to z, digits and hyphens"
            problems.append("\(path):\(line) is not valid: expected \(expected).")
            return
        }
        guard let entries = value.entries else {
            problems.append("\(path):\(line): \(name) is not valid: expected keys and limits.")
            return
        }
        var tenant = Tenant(name)
        for (key, value) in entries {
            let line = key.line
            let word = key.text ?? ""
            guard let entry = TenantEntry(rawValue: word) else {
                let advice = SpellingSuggestion.nearest(to: word, among: TenantEntry.allCases.map(\.rawValue))
                let ending = advice.map { "did you mean \($0)?" } ?? "expected keys and limits."
                problems.append("\(path):\(line): \(name) has an unknown entry: \(ending)")
                continue
            }
            if let expected = entry.read(value, into: &tenant) {
                problems.append("\(path):\(line): \(entry.rawValue) of \(name) is not valid: expected \(expected).")
            }
        }
        if tenant.signingKeys.isEmpty, tenant.bearerSecrets.isEmpty,
            !problems.contains(where: { $0.contains("of \(name) is not valid") })
        {
            problems.append("\(path):\(line): \(name) has no keys: expected signing-keys or bearer-secrets.")
        }
        tenants.append(tenant)
    }
}

/// An entry of a tenant; the raw values are its words.
enum TenantEntry: String, CaseIterable {
    case signingKeys = "signing-keys"
    case bearerSecrets = "bearer-secrets"
    case allowHosts = "allow-hosts"
    case allowBuckets = "allow-buckets"
    case presets
    case maxPixels = "max-pixels"
    case maxBytes = "max-bytes"
    case requestsPerMinute = "requests-per-minute"
    case processorSecondsPerMinute = "cpu-seconds-per-minute"
    case cacheControlCrops = "cache-control-crops"
    case cacheControlVersioned = "cache-control-versioned"
    case cacheControlFallbacks = "cache-control-fallbacks"
    case cacheControlMissing = "cache-control-missing"
    case cacheControlErrors = "cache-control-errors"

    /// The word that lifts a limit.
    private static let unlimited = "unlimited"
    /// The maximum number of keys or secrets of a tenant: enough to replace them one by one, and for several senders.
    private static let maxKeys = 8
    /// The maximum number of hosts or buckets of a tenant.
    private static let maxHosts = 100

    /// Reads a value; if it is invalid, returns the expected values.
    func read(_ value: YAMLNode, into tenant: inout Tenant) -> String? {
        guard let texts = Self.texts(value), !texts.isEmpty else { return "a value, or a list of values" }
        switch self {
        case .signingKeys: return Self.secrets(texts, &tenant.signingKeys)
        case .bearerSecrets: return Self.secrets(texts, &tenant.bearerSecrets)
        case .allowHosts:
            let hosts = texts == ["none"] ? [] : texts.map { Settings.sourcePattern($0) }
            guard !hosts.contains(nil), hosts.count <= Self.maxHosts else {
                return "at most \(Self.maxHosts) hosts such as example.com, \"*.example.com\" or \"*\", or none"
            }
            tenant.allowedHosts = hosts.compactMap(\.self)
        case .allowBuckets:
            let buckets = texts == ["none"] ? [] : texts
            guard buckets.count <= Self.maxHosts, buckets.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
                return "at most \(Self.maxHosts) buckets, or \"*\", or none"
            }
            tenant.allowedBuckets = buckets
        case .presets:
            let names = texts == ["none"] ? [] : texts
            guard names.count <= Self.maxHosts, names.allSatisfy({ $0 == "*" || Preset.isName($0) }) else {
                return "at most \(Self.maxHosts) preset names, or \"*\", or none"
            }
            tenant.allowedPresets = names
        case .maxPixels: return Self.number(texts, in: 1...1_000_000_000, &tenant.maxPixels)
        case .maxBytes: return Self.number(texts, in: 1...1_073_741_824, &tenant.maxBytes)
        case .requestsPerMinute: return Self.number(texts, in: 1...1_000_000, &tenant.requestsPerMinute)
        case .processorSecondsPerMinute:
            if texts == [Self.unlimited] {
                tenant.processorMillisecondsPerMinute = Tenant.unlimited
                return nil
            }
            guard texts.count == 1, let seconds = Double(plainDecimal: texts[0]), 1...100_000 ~= seconds else {
                return "a number from 1 to 100000, or unlimited"
            }
            tenant.processorMillisecondsPerMinute = Int((seconds * 1000).rounded())
        case .cacheControlCrops: return Self.freshness(texts, &tenant.freshness[.crops])
        case .cacheControlVersioned: return Self.freshness(texts, &tenant.freshness[.versioned])
        case .cacheControlFallbacks: return Self.freshness(texts, &tenant.freshness[.fallbacks])
        case .cacheControlMissing: return Self.freshness(texts, &tenant.freshness[.missing])
        case .cacheControlErrors: return Self.freshness(texts, &tenant.freshness[.errors])
        }
        return nil
    }

    private static func number(_ texts: [String], in range: ClosedRange<Int>, _ limit: inout Int?) -> String? {
        if texts == [unlimited] {
            limit = Tenant.unlimited
            return nil
        }
        guard texts.count == 1, let number = Int(plainDigits: texts[0]), range.contains(number) else {
            return "a whole number from \(range.lowerBound) to \(range.upperBound), or unlimited"
        }
        limit = number
        return nil
    }

    private static func freshness(_ directives: [String], _ freshness: inout Freshness?) -> String? {
        freshness = Freshness(directives.joined(separator: ", "))
        return freshness == nil ? Freshness.expected : nil
    }

    private static func secrets(_ texts: [String], _ secrets: inout [Secret]) -> String? {
        do throws(Secret.ListError) {
            secrets = try Secret.list(texts.joined(separator: " "))
        } catch {
            return "keys of \(Secret.lengths.lowerBound) to \(Secret.lengths.upperBound) characters; \(error.reason)"
        }
        return secrets.count <= maxKeys ? nil : "at most \(maxKeys)"
    }

    /// A value, or the values in a list or in a comma-separated text; nil if it is neither.
    private static func texts(_ value: YAMLNode) -> [String]? {
        guard value.text != nil else { return value.texts }
        return value.texts?.flatMap { $0.split { $0 == "," || $0 == " " }.map(String.init) }
    }
}
