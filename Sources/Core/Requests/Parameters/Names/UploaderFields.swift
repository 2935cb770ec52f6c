import UntrustedText

/// The names of form fields that upload clients and web frameworks add to a form next to the file.
enum UploaderFields {
    /// Returns the end of a sentence about a field; nil for other names.
    static func rule(of name: String) -> String? {
        let name = name.bytes.lowercased()
        if chunked.contains(name) {
            return "is a field of chunked uploads; chunked uploads are not supported, so send the file in one request"
        }
        return added.contains(name) ? "is a field that your uploader or framework adds; leave it out" : nil
    }

    /// Returns whether uploaders add a field with a name that other services use for parameters.
    static func mayBeOwn(_ name: String) -> Bool { ["name", "type"].contains(name.bytes.lowercased()) }

    /// The tokens and limits of Laravel, Django, PHP, Rails and ASP.NET, and the path that Uppy adds.
    private static let added: Set<String> = [
        "_token", "csrfmiddlewaretoken", "max_file_size", "authenticity_token", "__requestverificationtoken", "_csrf",
        "relativepath",
    ]

    /// The fields of Dropzone.
    private static let chunked: Set<String> = [
        "dzuuid", "dzchunkindex", "dztotalfilesize", "dzchunksize", "dztotalchunkcount", "dzchunkbyteoffset",
    ]
}
