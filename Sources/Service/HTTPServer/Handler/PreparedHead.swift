package import HTTPTypes

/// The status line and the fields of many equal responses, as bytes.
///
/// The value of one field is open. Without prepared heads, serialising the fields took the same time as finding a
/// cached response.
package final class PreparedHead: Sendable {
    let status: HTTPResponse.Status
    /// The bytes before and after the open value.
    let parts: (start: [UInt8], end: [UInt8])

    /// Serialises a head; the value of the field `name`, which `headers` must contain once, is left open.
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
