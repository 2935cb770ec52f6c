import HTTPTypes
import Requests

extension ClientHints {
    /// The hints in the header of a request.
    init(_ headers: HTTPFields) {
        self.init { field in HTTPField.Name(field.rawValue).flatMap { headers[$0] } }
    }
}

/// The header fields of a request that decide its response, for `Vary` and `Accept-CH`.
struct DecidingFields {
    /// The value of `Vary`; nil if no field decides.
    let vary: String?
    /// The value of `Accept-CH`; nil without hints that browsers send only when they are asked for.
    let acceptCH: String?

    /// The fields of a response.
    ///
    /// - Parameters:
    ///   - isNegotiated: Whether it depends on `Accept`.
    ///   - parameters: Its parameters, of which some may come from hints.
    init(isNegotiated: Bool, _ parameters: FrameParameters) {
        let wanted = Set(parameters.hinted.flatMap(ClientHints.fields))
        let hints = ClientHints.Field.allCases.filter(wanted.contains)
        let fields = (isNegotiated ? ["Accept"] : []) + hints.map(\.rawValue)
        let asked = hints.filter(\.isRequested).map(\.rawValue)
        vary = fields.isEmpty ? nil : fields.joined(separator: ", ")
        acceptCH = asked.isEmpty ? nil : asked.joined(separator: ", ")
    }

    /// Adds both fields to a response.
    func add(to headers: inout HTTPFields) {
        headers[.vary] = vary
        headers[.acceptCH] = acceptCH
    }
}
