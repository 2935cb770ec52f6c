package import HTTPTypes

/// The serialised status line and fields that many responses share.
///
/// One field has a value that differs in each response. Without prepared heads, serialising the fields took as long as
/// finding a cached response.
package final class PreparedHead: Sendable {
    let status: HTTPResponse.Status
    /// The bytes before and after the variable value.
    let parts: (start: [UInt8], end: [UInt8])

    /// Serialises a head.
    ///
    /// The field `name`, which must occur exactly once in `headers`, has the variable value.
    package init(_ status: HTTPResponse.Status, _ headers: HTTPFields, open name: HTTPField.Name) {
        self.status = status
        var (start, end): ([UInt8], [UInt8]) = ([], [])
        start.append(statusLine: status)
        var isAfter = false
        for field in headers {
            if field.name == name {
                start.append("\(field.name.rawName): ")
                end.append("\r\n")
                isAfter = true
            } else if isAfter {
                end.append(field)
            } else {
                start.append(field)
            }
        }
        parts = (start, end)
    }
}
