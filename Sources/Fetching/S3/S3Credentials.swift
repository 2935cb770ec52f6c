/// The credentials of an account of S3.
package struct S3Credentials: Hashable, Sendable {
    /// The access key's ID, which is no secret.
    package let accessKeyID: String
    let secretAccessKey: String
    let sessionToken: String?

    /// Credentials; nil unless each of them is visible ASCII.
    ///
    /// - Parameters:
    ///   - accessKeyID: 1 to 256 characters.
    ///   - secretAccessKey: 1 to 256 characters.
    ///   - sessionToken: The token of temporary credentials, up to 8192 characters; nil for others.
    package init?(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        func isField(_ text: String, atMost limit: Int) -> Bool {
            1...limit ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        }
        guard isField(accessKeyID, atMost: 256), isField(secretAccessKey, atMost: 256),
            sessionToken.map({ isField($0, atMost: 8192) }) ?? true
        else { return nil }
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension S3Credentials: CustomStringConvertible, CustomReflectable {
    /// The access key's ID.
    package var description: String { accessKeyID }

    /// No parts, so that no dump contains the secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A file with the credentials of several profiles, as the tools of AWS write it.
///
///     [default]
///     aws_access_key_id = …
///     aws_secret_access_key = …
package struct S3CredentialsFile: Sendable {
    /// The values by profile and name.
    private var profiles: [String: [String: String]] = [:]

    /// Parses the text of a file; other lines than sections and values are ignored.
    package init(_ text: String) {
        var profile: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.hasPrefix("["), line.hasSuffix("]") {
                let words = line.dropFirst().dropLast().split(separator: " ")
                // Files of settings write `profile name`.
                profile = words.last.map(String.init)
                continue
            }
            let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let profile, sides.count == 2, !line.hasPrefix("#"), !line.hasPrefix(";") else { continue }
            profiles[profile, default: [:]][Self.trimmed(sides[0]).lowercased()] = String(Self.trimmed(sides[1]))
        }
    }

    /// The credentials of a profile; nil if it has none, or invalid ones.
    package func credentials(of profile: String) -> S3Credentials? {
        guard let values = profiles[profile], let id = values["aws_access_key_id"],
            let secret = values["aws_secret_access_key"]
        else { return nil }
        return S3Credentials(
            accessKeyID: id,
            secretAccessKey: secret,
            sessionToken: values["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 }
        )
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return start.prefix(0) }
        return start[...last]
    }
}
