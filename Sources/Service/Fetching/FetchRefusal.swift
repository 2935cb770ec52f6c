/// The reason why a policy refuses a URL.
package struct FetchRefusal: Sendable {
    /// The rule that refuses the URL.
    ///
    /// For most rules, a setting can allow the URL.
    package enum Cause: Hashable, Sendable {
        /// An address that is not public.
        case privateAddress
        /// An address that no setting allows: link-local, multicast, reserved, or of a metadata service.
        case forbiddenAddress
        /// A port other than 80 and 443.
        case port(Int)
        /// A host that is not in the list of allowed hosts.
        case host
        /// A host that is in the list of denied hosts.
        case deniedHost
        /// Another rule; the description is the predicate of a sentence for an operator.
        case other
    }

    /// The reason for the log; it may contain addresses.
    package let description: String
    package let cause: Cause
    /// Whether the URL is the target of a redirect.
    package private(set) var isOfRedirect = false

    /// Creates a reason with the rule that it follows from.
    package init(_ description: String, _ cause: Cause = .other) {
        self.description = description
        self.cause = cause
    }

    /// Creates the reason for refusing the target of a redirect, from the reason for refusing the same URL in a
    /// request.
    package init(redirectTo url: some CustomStringConvertible, _ reason: FetchRefusal) {
        self.init("redirect to \(url): \(reason)", reason.cause)
        isOfRedirect = true
    }
}

extension FetchRefusal: CustomStringConvertible, ExpressibleByStringInterpolation {
    /// Creates a reason for another rule.
    package init(stringLiteral value: String) { self.init(value) }
}

extension FetchRefusal: Equatable {
    /// Returns whether two reasons have the same description.
    ///
    /// The description contains all other properties.
    package static func == (left: FetchRefusal, right: FetchRefusal) -> Bool { left.description == right.description }
}
