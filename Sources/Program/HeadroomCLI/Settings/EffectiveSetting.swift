import HeadroomAPI

/// The effective value of a setting and its origin.
struct EffectiveSetting: Sendable {
    /// A value.
    ///
    /// Secrets are stored only to compare them, and are never printed.
    enum Value: Equatable, Sendable {
        /// The value as text.
        case text(String)
        /// Secrets, which are not shown.
        case secrets([Secret])
        /// A mapping of the settings file, by its keys.
        case mapping(String)
        /// No value.
        case none
    }

    let name: String
    let value: Value
    /// The origin as text: `--port`, `HEADROOM_PORT`, `headroom.yaml:3`, `default`.
    let source: String
    /// Whether a reload applies a new value.
    let isReloadable: Bool
}
