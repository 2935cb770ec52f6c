import UntrustedText

/// A public name that has been replaced by a new name but is accepted for one more release.
///
/// Requests, the command line, settings, help texts, openapi.yaml, docs/parameters.md and the clients use this table;
/// tests also read it. To remove a name, delete its row.
package struct DeprecatedName: Hashable, Sendable {
    /// The kind of thing that the name refers to.
    package enum Kind: Hashable, Sendable {
        /// A parameter of requests, and its command-line option.
        case parameter
        /// A value of the parameter with this name.
        case value(of: String)
        /// A setting: an option, an environment variable and a key of the settings file.
        case setting
        /// A member of this object in a JSON response, such as `crops[]`.
        ///
        /// Responses contain both the old and the new member.
        case member(of: String)
        /// A metric.
        ///
        /// `/metrics` contains both the old and the new metric.
        case metric
    }

    package let kind: Kind
    package let old: String
    package let new: String
    /// The version that introduced the new name.
    package let since: String

    private init(_ kind: Kind, _ old: String, use new: String, since: String) {
        self.kind = kind
        self.old = old
        self.new = new
        self.since = since
    }

    /// The first version that does not accept the names in this table.
    package static let removal = "0.2.0"

    /// All deprecated names.
    package static let all: [DeprecatedName] = [
        DeprecatedName(.parameter, "key", use: "chromaKey", since: "0.1.0"),
        DeprecatedName(.parameter, "mark", use: "watermark", since: "0.1.0"),
        DeprecatedName(.parameter, "markPlace", use: "watermarkPosition", since: "0.1.0"),
        DeprecatedName(.parameter, "markWidth", use: "watermarkWidth", since: "0.1.0"),
        DeprecatedName(.parameter, "markOpacity", use: "watermarkOpacity", since: "0.1.0"),
        DeprecatedName(.parameter, "markMargin", use: "watermarkMargin", since: "0.1.0"),
        DeprecatedName(.parameter, "box", use: "boxOrientation", since: "0.1.0"),
        DeprecatedName(.value(of: "boxOrientation"), "turn", use: "swap", since: "0.1.0"),
        DeprecatedName(.parameter, "lossless", use: "losslessCrop", since: "0.1.0"),
        DeprecatedName(.value(of: "motion"), "still", use: "fixed", since: "0.1.0"),
        DeprecatedName(.setting, "grammars", use: "url-formats", since: "0.1.0"),
        DeprecatedName(.setting, "missing-picture", use: "fallback-image", since: "0.1.0"),
        DeprecatedName(.member(of: "plan"), "key", use: "chromaKey", since: "0.1.0"),
        DeprecatedName(.member(of: "crops[]"), "picture", use: "contentRect", since: "0.1.0"),
        DeprecatedName(.member(of: "crops[]"), "mark", use: "watermark", since: "0.1.0"),
        DeprecatedName(.member(of: "detector"), "looks", use: "passes", since: "0.1.0"),
        DeprecatedName(.member(of: "greeting of headroom work"), "inWork", use: "maxInFlight", since: "0.1.0"),
        DeprecatedName(.member(of: "row of headroom batch"), "leftOut", use: "skippedMembers", since: "0.1.0"),
        DeprecatedName(.metric, "headroom_stand_ins_total", use: "headroom_fallback_images_total", since: "0.1.0"),
        DeprecatedName(.metric, "headroom_picture_faces", use: "headroom_image_faces", since: "0.1.0"),
    ]

    /// The deprecated names of parameters.
    package static let parameters = all.filter { $0.kind == .parameter }
    /// The deprecated names of settings.
    package static let settings = all.filter { $0.kind == .setting }

    /// The old and the new name as shown in headers and logs, such as `key->chromaKey` or `motion=still->motion=fixed`.
    package var change: String {
        if case .value(let parameter) = kind { "\(parameter)=\(old)->\(parameter)=\(new)" } else { "\(old)->\(new)" }
    }

    /// The pairs of old and new names, separated by commas; nil for none.
    package static func changes(_ names: [DeprecatedName]) -> String? {
        names.isEmpty ? nil : names.map(\.change).joined(separator: ", ")
    }
}

/// Deprecated names in requests.
extension DeprecatedName {
    private static let byParameter = Dictionary(uniqueKeysWithValues: parameters.map { ($0.old, $0) })

    private static let byParameterOfValue: [String: [DeprecatedName]] = Dictionary(
        grouping: all.filter { if case .value = $0.kind { true } else { false } }
    ) { if case .value(let parameter) = $0.kind { parameter } else { "" } }

    /// Returns the deprecated name of a parameter; nil for any other name.
    package static func parameter(_ old: String) -> DeprecatedName? { byParameter[old] }

    /// Returns the old name of a parameter; nil if it never had one.
    package static func ofParameter(_ new: String) -> DeprecatedName? { parameters.first { $0.new == new } }

    /// Returns the old values of a parameter.
    package static func values(of parameter: String) -> [DeprecatedName] { byParameterOfValue[parameter] ?? [] }

    /// Returns the deprecated names in one parameter: its own name and its value.
    package static func used(by name: String, _ value: String) -> [DeprecatedName] {
        let deprecated = byParameter[name]
        let old = values(of: deprecated?.new ?? name).first { $0.old.utf8.elementsEqual(value.utf8) }
        return [deprecated, old].compactMap(\.self)
    }

    /// Replaces the old names and values of parameters.
    ///
    /// Also lists the old names and values, without duplicates.
    ///
    /// - Parameter pairs: Names and values as received. Names are valid ``ParameterName`` values.
    /// - Returns: The pairs with new names and values, and the deprecated names among them.
    /// - Throws: An error for each old name that occurs together with its new name.
    package static func resolved(
        _ pairs: [(name: String, value: String)]
    ) throws(ParameterErrors) -> (pairs: [(name: String, value: String)], used: [DeprecatedName]) {
        // Most requests do not contain old names.
        guard pairs.contains(where: { byParameter[$0.name] != nil || byParameterOfValue[$0.name] != nil }) else {
            return (pairs, [])
        }
        var used: [DeprecatedName] = []
        var errors: [ParameterError] = []
        let resolved = pairs.map { pair in
            var pair = pair
            for deprecated in Self.used(by: pair.name, pair.value) {
                if !used.contains(deprecated) { used.append(deprecated) }
                switch deprecated.kind {
                case .parameter:
                    if pairs.contains(where: { $0.name == deprecated.new }) {
                        let rule = "is not allowed with \(deprecated.new), which is its new name"
                        errors.append(ParameterError(name: pair.name, received: pair.value, breaks: rule))
                    }
                    pair.name = deprecated.new
                default: pair.value = deprecated.new
                }
            }
            return pair
        }
        if !errors.isEmpty { throw ParameterErrors(all: errors) }
        return (resolved, used)
    }
}
