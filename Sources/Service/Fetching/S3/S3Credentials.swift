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
            // bounded: the limits below
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
