/// The grammars that a service serves.
package struct GrammarSet: Sendable {
    private let grammars: [GrammarName: any URLGrammar]

    /// The grammars by the service whose addresses they translate; by default none, so that every address is one of this
    /// service.
    package init(_ grammars: [GrammarName: any URLGrammar] = [:]) { self.grammars = grammars }

    /// A grammar; nil if it is not served.
    package subscript(name: GrammarName) -> (any URLGrammar)? { grammars[name] }
}
