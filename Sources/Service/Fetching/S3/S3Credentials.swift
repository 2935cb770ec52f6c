/// The credentials of an S3 account.
package struct S3Credentials: Hashable, Sendable {
    /// The access key's ID, which is not secret.
    package let accessKeyID: String
    let secretAccessKey: String
    let sessionToken: String?

    /// Creates credentials; nil unless all parts are visible ASCII.
    ///
    /// - Parameters:
    ///   - accessKeyID: 1 to 256 characters.
    ///   - secretAccessKey: 1 to 256 characters.
    ///   - sessionToken: The token of temporary credentials, up to 8192 characters; nil for permanent credentials.
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

    /// The mirror is empty, so that a dump does not contain the secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
