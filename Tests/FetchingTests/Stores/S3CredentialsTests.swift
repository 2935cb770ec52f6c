import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct S3CredentialsTests {
    private static let file = """
        # A comment, and a value before any profile.
        aws_access_key_id = other
        [default]
        aws_access_key_id=AKIDDEFAULT
        aws_secret_access_key = a/secret=with+signs=
        ; region = elsewhere

        [profile photos]
          aws_access_key_id = AKIDPHOTOS
          AWS_SECRET_ACCESS_KEY = other
          aws_session_token = token==
          region = eu-central-1
        [incomplete]
        aws_access_key_id = AKIDINCOMPLETE
        """

    @Test func `a file contains the credentials of profiles`() throws {
        let file = S3CredentialsFile(Self.file)
        #expect(
            file.credentials(of: "default")
                == S3Credentials(accessKeyID: "AKIDDEFAULT", secretAccessKey: "a/secret=with+signs=")
        )
        #expect(
            file.credentials(of: "photos")
                == S3Credentials(accessKeyID: "AKIDPHOTOS", secretAccessKey: "other", sessionToken: "token==")
        )
        #expect(file.credentials(of: "incomplete") == nil)
        #expect(file.credentials(of: "absent") == nil)
    }

    @Test(arguments: ["", "a b", "a\r\nX-Injected: 1", "é", String(repeating: "a", count: 257)])
    func `credentials that are not valid in a header are rejected`(text: String) {
        #expect(S3Credentials(accessKeyID: text, secretAccessKey: "b") == nil)
        #expect(S3Credentials(accessKeyID: "a", secretAccessKey: text) == nil)
    }

    @Test func `no description contains a secret`() throws {
        let credentials = try #require(
            S3Credentials(accessKeyID: "AKID", secretAccessKey: "hidden-secret", sessionToken: "hidden-token")
        )
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] {
            #expect(!text.contains("hidden"))
        }
    }
}
